import random

from practice.progress.event import Event
from practice.progress.standing import PAUSE, standing, standings

_ids = iter(f"{n:032x}" for n in range(10_000))


def event(kind, at, number=184, **data):
    return Event(next(_ids), at, kind, number, data)


def attempt(at, status="wrong answer", passed=1, total=9):
    return event("attempt", at, status=status, passed=passed, total=total)


def test_untouched_is_new():
    assert standing(184, []).state == "new"


def test_states_follow_what_was_done():
    assert standing(184, [event("start", 1)]).state == "started"
    assert standing(184, [event("start", 1), attempt(2)]).state == "tried"
    assert standing(184, [attempt(2), attempt(3, "accepted", 9)]).state == "solved"


def test_solved_stays_solved_and_failures_count_since_the_last_pass():
    log = [attempt(1), attempt(2), attempt(3, "accepted", 9), attempt(4, passed=8), attempt(5, passed=2)]
    result = standing(184, log)
    assert (result.state, result.solved_at, result.failures, result.attempts) == ("solved", 3, 2, 5)
    assert (result.status, result.passed) == ("accepted", 9)


def test_the_best_attempt_is_the_one_with_most_checks_passed():
    result = standing(184, [attempt(1, passed=5), attempt(2, "runtime error", 0, 0), attempt(3, "time limit", 3)])
    assert (result.status, result.passed, result.total) == ("wrong answer", 5, 9)


def test_a_pause_is_not_counted_as_work():
    log = [event("start", 0), attempt(60), attempt(60 + 86_400), attempt(60 + 86_460, "accepted", 9), attempt(200_000)]
    assert standing(184, log).seconds == 60 + PAUSE + 60


def test_hints_are_counted_once_each_and_the_solution_only_before_solving():
    log = [event("hint", 1, index=1), event("hint", 2, index=1), event("hint", 3, index=2), attempt(4, "accepted", 9), event("solution", 5)]
    assert (standing(184, log).hints, standing(184, log).saw_solution) == (2, False)
    assert standing(184, [event("solution", 3), *log]).saw_solution


def test_order_of_arrival_does_not_matter():
    log = [event("start", 0), attempt(60), event("hint", 70, index=1), attempt(90, "accepted", 9), event("start", 5, 200)]
    shuffled = log[:]
    for seed in range(20):
        random.Random(seed).shuffle(shuffled)
        assert standings(shuffled) == standings(log)


def test_data_of_a_stranger_is_no_crash():
    result = standing(184, [event("attempt", 1, status=3, passed="many"), event("attempt", 2), event("hint", 3)])
    assert (result.attempts, result.passed, result.hints) == (2, 0, 1)
