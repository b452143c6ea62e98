"""Every hostile or broken submission gets the verdict it should, leaves nothing behind, and the judge goes on."""

import json

import pytest

from practice.kernel import judging
from practice.kernel.verdict import to_json
from practice.runner.backend import PipeBackend
from tests.runner.hostile.corpus import ROWS, Surroundings, is_alive, judge_row, left_processes
from tests.runner.hostile.row import GOOD, exercise_of, row


@pytest.fixture(scope="module")
def backend():
    with PipeBackend(speed=1.0) as backend:
        yield backend
    assert left_processes(allowed=0) == ()


@pytest.fixture(scope="module")
def surroundings(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("here"))
        patch.setenv("HOSTILE_CANARY", "6")
        with Surroundings() as surroundings:
            yield surroundings


@pytest.mark.parametrize("case", ROWS, ids=lambda case: case.name)
def test_right_verdict_and_nothing_left(case, backend, surroundings, capfd):
    missing = case.needs - set(backend.isolation()["layers"])
    if missing:
        pytest.skip(f"needs the layer {', '.join(sorted(missing))}: {'; '.join(backend.isolation()['missing'])}")
    outcome = judge_row(case, backend, surroundings)
    assert outcome.failure == ""
    assert outcome.escapes == ()
    assert outcome.verdict.status in case.expected, outcome.verdict.first_failure
    text = json.dumps(to_json(outcome.verdict), ensure_ascii=False)
    assert len(text) < 64 * 2**10
    assert "\x1b" not in text and text.encode()  # no terminal is changed, no lone surrogate is left
    assert capfd.readouterr() == ("", "")
    assert is_alive(backend)


def test_expected_values_never_reach_the_submission(backend):
    """A submission that searches its whole memory for the expected list finds only what it was asked."""
    searching = GOOD + (
        "import gc\ninner = running\ndef running(numbers):\n"
        "    found = [thing for thing in gc.get_objects() if type(thing) is list and thing[:3] == [1, 3, 6] and len(thing) == 3]\n"
        "    return found[0] if found else 'nothing'\n"
    )
    verdict = judging.judge(exercise_of(row("search", "WA", searching)), searching, backend, seed=7)
    assert verdict.first_failure.got == "'nothing'"
