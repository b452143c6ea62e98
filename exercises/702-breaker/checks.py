"""Hidden checks of exercise 702: circuit breaker for a replica."""

from practice.kernel.expect import expect_equal, expect_raises


def opened(sub, threshold=3, seconds=10, most=60):
    """A breaker that opened at time 0, until `seconds`."""
    breaker = sub.Breaker(threshold, seconds, most)
    for _ in range(threshold):
        breaker.report(0, "error")
    return breaker


def check_example_worked(sub):
    """The worked example of the prompt"""
    breaker = sub.Breaker(2, 10, 60)
    breaker.report(0, "error")
    expect_equal(breaker.state(0), "closed", "one failure of two")
    breaker.report(1, "error")
    expect_equal(breaker.allow(5), False, "open until 11")
    expect_equal(breaker.allow(12), True, "the probe")
    breaker.report(13, "ok")
    expect_equal(breaker.state(13), "closed", "the probe was answered")


def check_timeouts_count(sub):
    """A replica that hangs"""
    breaker = sub.Breaker(3, 10, 60)
    for second, outcome in enumerate(["timeout", "error", "timeout"]):
        expect_equal(breaker.allow(second), True, "fewer than three failures in a row")
        breaker.report(second, outcome)
    expect_equal(breaker.allow(3), False, "a timeout is a failure like an error: the third in a row opens the breaker")


def check_success_resets(sub):
    """Failures with successes between them"""
    breaker = sub.Breaker(3, 10, 60)
    for outcome in ["error", "error", "ok", "error", "error"]:
        breaker.report(0, outcome)
    expect_equal(breaker.state(0), "closed", "three failures in a row open it, and a success starts the count again")
    breaker.report(0, "error")
    expect_equal(breaker.state(0), "open", "now three failed in a row")


def check_client_errors_are_answers(sub):
    """A client that sends nonsense"""
    breaker = sub.Breaker(2, 10, 60)
    for _ in range(5):
        breaker.report(0, "client_error")
    expect_equal(breaker.state(0), "closed", "a 4xx is the client's fault: the replica was well enough to say so")
    for outcome in ["error", "client_error", "error"]:
        breaker.report(1, outcome)
    expect_equal(breaker.state(1), "closed", "a 4xx is the client's fault and counts as a success, which starts the count again")
    breaker = opened(sub)
    breaker.allow(11)
    breaker.report(12, "client_error")
    expect_equal(breaker.state(12), "closed", "a probe that is answered with a 4xx has been answered")


def check_exact_times(sub):
    """The moment at which the open time ends"""
    breaker = opened(sub, seconds=10)
    expect_equal((breaker.state(9.999), breaker.allow(9.999)), ("open", False), "still open just before 10")
    expect_equal((breaker.state(10), breaker.allow(10)), ("half-open", True), "half-open from the moment at which `now` reaches the end")


def check_one_probe_at_a_time(sub):
    """A crowd at the end of the open time"""
    breaker = opened(sub)
    expect_equal([breaker.allow(10) for _ in range(4)], [True, False, False, False], "one probe at a time: the others wait for its report")
    expect_equal(breaker.allow(30), False, "the probe has not reported yet")
    expect_equal(breaker.state(30), "half-open", "it stays half-open until the probe reports")
    breaker.report(31, "ok")
    expect_equal([breaker.allow(31) for _ in range(3)], [True, True, True], "closed again: everybody may pass")


def check_backoff_doubles(sub):
    """Probes that fail"""
    breaker = opened(sub, seconds=10, most=35)
    starts, lengths = 10, []
    for _ in range(4):
        breaker.allow(starts)
        breaker.report(starts, "timeout")
        length = next(t for t in range(1, 200) if breaker.state(starts + t) == "half-open")
        lengths.append(length)
        starts += length
    expect_equal(lengths, [20, 35, 35, 35], "after each failed probe it is open for twice as long, at most 35 s")
    breaker.allow(starts)
    breaker.report(starts, "ok")
    for _ in range(3):
        breaker.report(starts, "error")
    expect_equal(breaker.state(starts + 10), "half-open", "after a success the next opening is 10 s again")


def check_closes_with_no_failures(sub):
    """What is remembered after a good probe"""
    breaker = opened(sub, threshold=3)
    breaker.allow(10)
    breaker.report(10, "ok")
    breaker.report(11, "error")
    breaker.report(11, "error")
    expect_equal(breaker.state(11), "closed", "the count starts at 0 again: two failures of three")


def check_late_reports(sub):
    """Answers to requests that were sent before it opened"""
    breaker = opened(sub, seconds=10)
    for second in (1, 5, 9):
        breaker.report(second, "error")
    expect_equal(breaker.state(10), "half-open", "reports while open belong to requests sent before it opened: they do not move its end")
    breaker.report(10, "error")
    expect_equal(breaker.allow(10), True, "without a probe under way a report is a late one, too")
    breaker = opened(sub, seconds=10)
    breaker.report(3, "ok")
    expect_equal(breaker.state(3), "open", "a late success of a request sent before does not close it either")


def check_asking_changes_nothing(sub):
    """State and allow, asked often"""
    breaker = opened(sub)
    for _ in range(3):
        breaker.state(10)
    expect_equal(breaker.allow(10), True, "asking for the state does not take the probe")
    breaker = sub.Breaker(1, 5, 5)
    for second in range(3):
        breaker.allow(second)
    expect_equal(breaker.state(3), "closed", "allowed requests that have not reported are no failures")


def check_unknown_outcome(sub):
    """An outcome that nobody knows"""
    breaker = sub.Breaker(1, 10, 60)
    expect_raises(ValueError, lambda: breaker.report(0, "fine"), "there are four outcomes")
    expect_equal(breaker.state(0), "closed", "a refused report counts as nothing")


def check_random(sub, ref, rng):
    """Ten random histories against the reference"""
    for _ in range(10):
        settings = rng.randint(1, 4), rng.choice([1, 5]), rng.choice([5, 12])
        mine, theirs = sub.Breaker(*settings), ref.Breaker(*settings)
        now = 0
        for _ in range(50):
            now += rng.choice([0, 1, 1, 3])
            if rng.random() < 0.5:
                expect_equal(mine.allow(now), theirs.allow(now), "closed: yes; open: no; half-open: one probe at a time")
            else:
                outcome = rng.choice(["ok", "error", "timeout", "client_error", "error"])
                mine.report(now, outcome)
                theirs.report(now, outcome)
                expect_equal(mine.state(now), theirs.state(now), "count failures in a row, ignore late reports, double the open time after a failed probe")
