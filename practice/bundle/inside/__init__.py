"""Code that runs inside the browser's Python: the judge's door, the playground and the capacity lab. Standard library, kernel and sim only."""
