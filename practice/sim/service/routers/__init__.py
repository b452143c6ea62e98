"""Routers: each is a small frozen dataclass with `start(rng)`, which gives choose(request, candidates) for one run.

choose gets the request and the list of replicas that may take it, never empty; the same list object is passed until that list
changes. It answers with one of them, or None to turn the request away. It reads `view` of a replica (requests, tokens, prefill).
A router with watches = True looks at loads; the others let replicas run on unwatched, which is faster.
"""
