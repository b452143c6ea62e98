"""What the browser downloads: Pyodide, a pruned standard library, our kernel and simulator, the exercises.

`build.make_bundle` is the way in; equal input gives equal bytes. Code that runs inside the browser's Python is in `inside/`.
"""
