"""Scenarios: what cannot be asked call by call is observed beside the submission and judged here.

A scenario's source is sent alone, without what it closes over, and run as `function(submission, *args)` where the
submission lives. It returns plain observations; the expectations about them stay in the check.
"""

SOURCES = "__scenario_sources__"
"""Where a loaded checks.py keeps the text of its scenarios, by name."""


def scenario(function):
    """Marks a function of checks.py to be run beside the submission: `sub.run(function, *args)`."""
    function.is_scenario = True
    return function


def source_of(function) -> str:
    """The function's text from `def` on, without its decorators and its indentation."""
    kept = function.__globals__.get(SOURCES, {})
    if function.__name__ in kept:
        return kept[function.__name__]
    import inspect
    import textwrap

    lines = textwrap.dedent(inspect.getsource(function)).splitlines(keepends=True)
    start = next(at for at, line in enumerate(lines) if line.startswith(("def ", "async def ")))
    return "".join(lines[start:])
