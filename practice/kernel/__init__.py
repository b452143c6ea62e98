"""The judge itself: standard library only, no processes, no threads, no sockets; ships alone to the browser."""
