"""The self-test of the layers."""

import pytest

from practice.runner.backend import PipeBackend
from practice.runner.doctor import examine


@pytest.fixture(scope="module")
def findings():
    with PipeBackend(speed=1.0) as backend:
        return {finding.act: finding for finding in examine(backend)}, backend.isolation()


def test_what_must_work_works(findings):
    for act in ("start threads", "run an event loop", "import a module late"):
        assert findings[0][act].holds, findings[0][act].says


def test_limits_hold_everywhere(findings):
    for act in ("use more memory than the limit", "compute for longer than the limit", "print more than the limit"):
        assert findings[0][act].holds, findings[0][act].says


def test_every_act_is_stopped_from_the_kernel_level_on(findings):
    if findings[1]["level"] < 3:
        pytest.skip(f"level {findings[1]['level']}: {'; '.join(findings[1]['missing'])}")
    assert [finding for finding in findings[0].values() if not finding.holds] == []


def test_what_stopped_it_is_told(findings):
    assert findings[0]["compute for longer than the limit"].says.startswith("time limit")
    if findings[1]["level"] >= 3:
        assert "not permitted" in findings[0]["start a process"].says
