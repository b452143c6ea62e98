"""Exercises on disk: read one folder, find one by what the learner typed, make a new one."""
