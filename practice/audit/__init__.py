"""The rules of an exercise folder as a program: everything wrong with it at once."""
