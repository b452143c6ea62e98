"""Every stored submission of every exercise gets the same verdict from a sandboxed process and from the browser's Python."""

import json
import re
import threading

import pytest

from practice.bundle.build import exercise_json
from practice.bundle.inside.judged import SLOWNESS
from practice.bundle.site import readable
from practice.catalog.find import Catalog
from practice.catalog.read import read_sources
from practice.kernel.judging import judge
from practice.kernel.verdict import Status, to_json
from practice.runner.backend import PipeBackend

SEED = 20_260_101
LIMITS = {Status.TIME_LIMIT, Status.MEMORY_LIMIT, Status.OUTPUT_LIMIT}
FLOAT = re.compile(r"\d+\.\d+(?:e[-+]?\d+)?")
BY_CHANCE = {(220, "wrong/builtin_hash")}
"""Submissions whose very answer differs in every process."""
OWN = ("seconds", "memory", "limit_seconds", "judged", "format")
"""Fields that say where and how fast, not what."""


def submissions(exercise, folder):
    yield "starter", exercise.starter
    yield "solution", exercise.solution
    yield from ((f"accepted/{name}", text) for name, text in read_sources(folder, "accepted").items())
    yield from ((f"wrong/{known.name}", known.source) for known in exercise.wrong)


def rounded(text, digits):
    """Without what the two Pythons are known to differ in: sum() of floats since 3.12, numpy's int, the words of errno, and
    numpy's warnings, for which WebAssembly has no floating-point flags."""
    text = FLOAT.sub(lambda match: f"{float(match[0]):.{digits}g}", text)
    text = re.sub(r"\bint(32|64)\b", "int", text).replace(", dtype=int)", ")")
    text = re.sub(r"\(\d+, '(Numerical result out of range|Result not representable)'\)", "(ERANGE)", text)
    return "".join(line for line in text.splitlines(keepends=True) if "RuntimeWarning" not in line)


def told(verdict, digits):
    """What a learner reads of a verdict, numbers to so many digits. Of a limit only which, and where: its numbers are the machine's."""
    plain = {key: value for key, value in verdict.items() if key not in OWN}
    is_limit = verdict["status"] in LIMITS
    plain["checks"] = [shortened(check, digits) for check in verdict["checks"]]
    for key in ("headline", "output"):
        plain[key] = "" if is_limit and key == "output" else rounded(plain[key], digits)
    return plain


def shortened(check, digits):
    if check["status"] in LIMITS:
        return {key: check[key] for key in ("name", "status", "title", "shown")}
    texts = {key: rounded(value, digits) if isinstance(value, str) else value for key, value in check.items() if key != "seconds"}
    # Python 3.12 runs a comprehension in the frame around it.
    return {**texts, "traceback": [line for line in check["traceback"] if "in <listcomp>" not in line and "in <dictcomp>" not in line]}


def in_browser(node, exercise, text):
    request = {"format": 1, "exercise": json.loads(exercise_json(exercise)), "submission": text, "seed": SEED}
    silent = 2 * exercise.limits.seconds * SLOWNESS + 10
    said = node.ask("judge", request, seconds=silent, memory=exercise.limits.memory)
    if "answer" in said:
        return said["answer"]
    results = [message["result"] for message in said["sent"] if "result" in message]
    return node.ask("ended", {"request": request, "results": results, "why": said["ended"]})["answer"]


@pytest.mark.slow
@pytest.mark.node
def test_every_submission_gets_the_same_verdict_in_shell_and_browser(root, pyodide, pyodide_numpy):
    cases = []
    for exercise in readable(root):
        if "processes" not in exercise.requires:
            folder = Catalog(root).find(str(exercise.number)).folder
            cases += [(exercise, name, text) for name, text in submissions(exercise, folder) if (exercise.number, name) not in BY_CHANCE]
    there = {}

    def ask_all():
        for exercise, name, text in cases:
            node = pyodide_numpy if "numpy" in exercise.requires else pyodide
            there[exercise.id, name] = in_browser(node, exercise, text)

    asking = threading.Thread(target=ask_all)
    asking.start()
    here = {}
    with PipeBackend() as backend:
        for exercise, name, text in cases:
            here[exercise.id, name] = in_shell(backend, exercise, text)
        asking.join()
        different = {}
        for exercise, name, text in cases:
            difference = between(exercise, here[exercise.id, name], there[exercise.id, name])
            if difference:
                # Once more, one after the other: on a busy machine a slow submission may meet its limit on one side only.
                node = pyodide_numpy if "numpy" in exercise.requires else pyodide
                difference = between(exercise, in_shell(backend, exercise, text), in_browser(node, exercise, text))
            if difference:
                different[f"{exercise.id} {name}"] = difference
    assert len(here) > 8 * len({exercise.id for exercise, _, _ in cases}) // 2
    assert not different, "\n".join(f"{name}: {difference}" for name, difference in different.items())


def in_shell(backend, exercise, text):
    return json.loads(json.dumps(to_json(judge(exercise, text, backend, seed=SEED))))


def between(exercise, here, there):
    """The first difference that a learner would read, or ""."""
    # numpy adds up float32 in another order here and there.
    digits = 4 if "numpy" in exercise.requires else 9
    one, other = told(here, digits), told(there, digits)
    return first_difference(one, other) if one != other else ""


def first_difference(here, there):
    for key in here:
        if key != "checks" and here[key] != there[key]:
            found = f"{key}: {here[key]!r} in the shell, {there[key]!r} in the browser"
            break
    else:
        found = "the checks"
    for mine, theirs in zip(here["checks"], there["checks"], strict=False):
        if mine != theirs:
            keys = [key for key in mine if mine.get(key) != theirs.get(key)]
            return f"{found}; {mine['name']} {keys[0]}: {mine.get(keys[0])!r} in the shell, {theirs.get(keys[0])!r} in the browser"
    return found
