"""Every verb: where its command lives and what it does in a line. Loaded on use; this table imports nothing."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Verb:
    """One verb of the command line."""

    target: str
    """module:attribute of its click command."""
    help: str
    """What it does, in one line."""


SECTIONS: dict[str, dict[str, Verb]] = {
    "Practise": {
        "judge": Verb("practice.cli.judge:command", "Judge your answer; `judge.py 184` is short for it"),
        "list": Verb("practice.cli.list:command", "List the exercises, by topic, level or status"),
        "show": Verb("practice.cli.show:command", "Print an exercise's question"),
        "start": Verb("practice.cli.start:command", "Make your file for an exercise and print its question"),
        "run": Verb("practice.cli.run:command", "Run only the examples of the question"),
        "test": Verb("practice.cli.test:command", "Judge one answer, some, or all you have"),
        "watch": Verb("practice.cli.watch:command", "Judge your answer each time you save it"),
        "hint": Verb("practice.cli.hint:command", "Read the next hint"),
        "solution": Verb("practice.cli.solution:command", "Read the worked answer"),
        "after": Verb("practice.cli.after:command", "Read what an interviewer asks next"),
        "reset": Verb("practice.cli.reset:command", "Begin again from the starter; your file is kept as a backup"),
        "next": Verb("practice.cli.next:command", "Say which exercise to try next"),
        "progress": Verb("practice.cli.progress:command", "Show what you have done; export it, import it"),
    },
    "Work it out": {
        "sim": Verb("practice.cli.sim:command", "Simulate one instance under load"),
        "knee": Verb("practice.cli.knee:command", "Find the load a setup can take within its SLO"),
        "fleet": Verb("practice.cli.fleet:command", "Size a fleet for a peak rate"),
        "calibrate": Verb("practice.cli.calibrate:command", "Fit the simulator to your own measurements"),
        "plan": Verb("practice.cli.plan:command", "Search for the cheapest fleet that meets an SLO"),
    },
    "Site": {
        "build": Verb("practice.cli.build:command", "Build the site"),
        "serve": Verb("practice.cli.serve:command", "Show the site and rebuild what changes"),
        "bundle": Verb("practice.cli.bundle:command", "Make what the browser downloads"),
    },
    "Write and look after": {
        "check": Verb("practice.cli.check:command", "Audit exercise folders: everything wrong with them at once"),
        "new": Verb("practice.cli.new:command", "Make a new exercise folder"),
        "doctor": Verb("practice.cli.doctor:command", "Say what this machine offers, and what holds"),
        "completion": Verb("practice.cli.completion:command", "Print a script that completes commands in your shell"),
    },
}
"""Heading to verbs, in the order of the help."""

VERBS: dict[str, Verb] = {name: verb for section in SECTIONS.values() for name, verb in section.items()}


def nearest_verbs(word: str) -> list[str]:
    """Verbs that `word` may be a misspelling of, nearest first."""
    import difflib

    return difflib.get_close_matches(word.lower(), VERBS, n=2, cutoff=0.6)
