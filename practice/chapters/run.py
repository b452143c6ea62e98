"""Runs a chapter's blocks in a child process and keeps the results by content."""

import hashlib
import json
import os
import platform
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from practice.chapters.chapter import Block, Chapter, Question, Value
from practice.chapters.finding import Finding


@dataclass(frozen=True)
class Run:
    """What a chapter's blocks gave."""

    outputs: dict[int, str]
    """Printed text by the line of the block."""
    figures: dict[int, list[dict]]
    """[{svg, caption}] by the line of the block."""
    values: tuple[str, ...]
    """Text of each value of the prose, in order."""
    answers: dict[int, dict]
    """{text, number} by the line of the question."""


NOTHING = Run({}, {}, (), {})


def run_chapter(chapter: Chapter, root: Path, cache: Path | None, findings: list[Finding]) -> Run | None:
    """Runs the blocks, or takes the results of an equal run; None with findings where a block raises or time is over."""
    steps = plan_steps(chapter)
    if not steps:
        return NOTHING
    task = {"file": chapter.file, "root": str(root), "steps": [as_json(step) for step in steps]}
    store = cache / f"{chapter.slug}.json" if cache else None
    key = content_key(task["steps"])
    results = load(store, key, root) if store else None
    if results is None:
        results, imported, ended = run_child(task, root, chapter.seconds)
        if not told(chapter, steps, results, ended, findings):
            return None
        if store:
            save(store, key, root, results, imported)
    return collect(steps, results)


def plan_steps(chapter: Chapter) -> list[Block | Value | Question]:
    """Blocks and values in the order of the file, then the answers, which may use every name."""
    answers = [question for question in chapter.questions if question.answer]
    if not chapter.blocks and not chapter.values and not answers:
        return []
    inline = sorted([*chapter.blocks, *chapter.values], key=lambda step: (step.line, getattr(step, "start", 0)))
    return [*inline, *answers]


def as_json(step: Block | Value | Question) -> dict:
    if isinstance(step, Block):
        return {"kind": "block", "line": step.line, "source": step.source}
    return {"kind": "value", "expression": step.answer if isinstance(step, Question) else step.expression}


def run_child(task: dict, root: Path, seconds: float) -> tuple[list[dict], list[str], str]:
    """(results of the steps that ended, files imported, "" or why it stopped early)."""
    environment = {
        **os.environ,
        "PYTHONHASHSEED": "0",
        "PYTHONPATH": os.pathsep.join(p for p in sys.path if p),
        "PYTHONIOENCODING": "utf-8",
    }
    command = [sys.executable, "-m", "practice.chapters.child"]
    child = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        cwd=root,
        env=environment,
    )
    ended = ""
    try:
        out, err = child.communicate(json.dumps(task), timeout=seconds)
        if child.returncode:
            ended = (err.strip().splitlines() or [f"exit code {child.returncode}"])[-1]
    except subprocess.TimeoutExpired:
        child.kill()
        out, err = child.communicate()
        ended = f"the blocks took longer than {seconds:g} s"
    lines = [json.loads(line) for line in out.splitlines() if line.startswith("{") and line.endswith("}")]
    imported = lines.pop()["imported"] if lines and "imported" in lines[-1] else []
    return lines, imported, ended


def told(chapter: Chapter, steps: list, results: list[dict], ended: str, findings: list[Finding]) -> bool:
    """True when every step ended well; else what went wrong is added to findings."""
    before = len(findings)
    for step, result in zip(steps, results, strict=False):
        if "error" in result:
            what = "this block raises" if isinstance(step, Block) else f"`{as_json(step)['expression']}` cannot be computed:"
            findings.append(Finding(chapter.file, result.get("line", step.line), f"{what} {result['error']}"))
    if len(results) < len(steps) and len(findings) == before:
        hint = "make it smaller, or raise `seconds` in the front matter" if "longer than" in ended else ""
        findings.append(Finding(chapter.file, steps[len(results)].line, ended or "the child stopped early", hint))
    return len(findings) == before


def collect(steps: list, results: list[dict]) -> Run:
    pairs = list(zip(steps, results, strict=True))
    blocks = [(step.line, result) for step, result in pairs if isinstance(step, Block)]
    return Run(
        outputs={line: result["output"] for line, result in blocks},
        figures={line: result["figures"] for line, result in blocks if result["figures"]},
        values=tuple(result["text"] for step, result in pairs if isinstance(step, Value)),
        answers={step.line: result for step, result in pairs if isinstance(step, Question)},
    )


def content_key(steps: list[dict]) -> str:
    # A block's line is no part of the key: moving text above it changes no result.
    content = [{name: value for name, value in step.items() if name != "line"} for step in steps]
    return hashlib.sha256(json.dumps([platform.python_version(), content]).encode()).hexdigest()


def load(store: Path, key: str, root: Path) -> list[dict] | None:
    """Results of an equal earlier run: same blocks, same Python, same text of every imported file."""
    try:
        kept = json.loads(store.read_text(encoding="utf-8"))
        if kept["key"] == key and all(digest(root / name) == found for name, found in kept["imported"].items()):
            return kept["results"]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return None


def save(store: Path, key: str, root: Path, results: list[dict], imported: list[str]) -> None:
    kept = {"key": key, "imported": {name: digest(root / name) for name in imported}, "results": results}
    store.parent.mkdir(parents=True, exist_ok=True)
    beside = store.with_suffix(f".{os.getpid()}")
    beside.write_text(json.dumps(kept), encoding="utf-8")
    beside.replace(store)


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
