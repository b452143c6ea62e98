"""A submission that hangs in the page: the verdict shows the call that did not return."""

import pytest

from .conftest import open_exercise, submit

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_the_call_that_hung_is_shown_with_the_verdict(page, server, checkout):
    solution = next(checkout.glob("exercises/184-*/solution.py")).read_text("utf-8")
    open_exercise(page, server)
    hanging = (
        solution
        + "\n\ngood = plan\ntimes = 0\n\n\ndef plan(*args, **more):\n    global times\n    times += 1\n    while times > 1: pass\n    return good(*args, **more)\n"
    )
    status, told = submit(page, hanging)
    assert status == "time limit" and "plan(" in told and told.count("# did not return") == 1
