"""The browser's Python under Node: the very files a page loads, for tests and for `judge.py check`."""

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from practice.bundle.build import archives, numpy_wheel
from practice.bundle.compiled import empty_lock
from practice.bundle.fetch import Fetcher
from practice.bundle.node import find_node
from practice.bundle.source import DEFAULT, RUNTIMES


class NodeJudge:
    """One Node process; a context manager.

    root: the checkout, for site/app/judge; numpy: whether its Python has numpy.
    Raises PracticeError when Pyodide, Node or a wanted numpy cannot be had.
    """

    def __init__(self, root: Path, *, runtime: str = DEFAULT, numpy: bool = False) -> None:
        chosen, fetcher = RUNTIMES[runtime], Fetcher()
        stdlib, practice, *more = archives(chosen, fetcher, numpy_wheel(chosen, fetcher) if numpy else None)
        self._folder = tempfile.TemporaryDirectory()
        folder = Path(self._folder.name)
        for source in (chosen.loader, chosen.code, chosen.machine):
            (folder / source.name).write_bytes(fetcher.path(source).read_bytes())
        for name, data in {"python_stdlib.zip": stdlib, "practice.zip": practice, **({"numpy.zip": more[0]} if more else {})}.items():
            (folder / name).write_bytes(data)
        (folder / "pyodide-lock.json").write_text(empty_lock(chosen))
        (folder / "interpreter.mjs").write_bytes((root / "site/app/judge/interpreter.js").read_bytes())
        script = Path(__file__).with_name("node_judge.mjs")
        self._process = subprocess.Popen(
            [find_node(), str(script), str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )

    def __enter__(self) -> "NodeJudge":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.stdin.close()
        self._process.wait(timeout=30)
        self._process.stdout.close()
        self._folder.cleanup()

    def ask(self, verb: str, question: Any, *, seconds: float | None = None, memory: int | None = None) -> dict[str, Any]:
        """{"sent": [...], "answer": ...}, or "ended" in place of "answer": "time", or what the interpreter said last.

        seconds: how long it may be silent, a minute if not given; memory: bytes its memory may grow to.
        """
        line = {"verb": verb, "question": question, "seconds": seconds, "memory": memory}
        self._process.stdin.write(json.dumps(line) + "\n")
        self._process.stdin.flush()
        said = json.loads(self._process.stdout.readline())
        return {**said, "answer": json.loads(said["answer"])} if "answer" in said else said
