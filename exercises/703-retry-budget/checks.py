"""Hidden checks of exercise 703: retries that cannot become a storm."""

from practice.kernel.expect import expect_close, expect_equal, expect_raises


class Server:
    """Gives prepared answers, one per attempt; a status of 0 is a timeout, a negative one says that a lower tier has retried."""

    def __init__(self, *statuses):
        self.statuses = list(statuses)
        self.sent = 0
        self.waits = []
        self.ranges = []

    def send(self):
        status = self.statuses[min(self.sent, len(self.statuses) - 1)]
        self.sent += 1
        if status == 0:
            raise TimeoutError("no answer in time")
        return {"status": -status, "retried": True} if status < 0 else {"status": status}

    def uniform(self, low, high):
        self.ranges.append((low, high))
        return high

    def call(self, sub, budget=None, attempts=3, base=0.1, cap=1.0):
        return sub.call(
            self.send, budget or sub.RetryBudget(0.1, 10), attempts=attempts, base=base, cap=cap,
            sleep=self.waits.append, uniform=self.uniform,
        )


def check_example_worked(sub):
    """The worked example of the prompt"""
    server = Server(503, 503, 200)
    expect_equal(server.call(sub), {"status": 200}, "the third attempt succeeds")
    expect_close(server.waits, [0.1, 0.2], "0.1 before the first retry, twice that before the second")
    expect_close(sub.amplification(3, 3, "every"), 27, "three tries in each of three tiers")


def check_client_errors_are_final(sub):
    """Statuses that a second try cannot mend"""
    for status in (400, 401, 404, 413, 422, 501):
        server = Server(status)
        expect_equal(server.call(sub), {"status": status}, f"a {status} will be wrong again: it is returned as it came")
        expect_equal(server.sent, 1, f"a {status} will be wrong again: one attempt only")
    for status in (429, 500, 502, 503, 504, 0):
        server = Server(status, 200)
        expect_equal(server.call(sub), {"status": 200}, f"{status or 'a timeout'} may be retried")


def check_no_wait_before_giving_up(sub):
    """All attempts fail"""
    server = Server(503)
    expect_equal(server.call(sub, attempts=3)["status"], 503, "the last answer is returned")
    expect_equal(server.sent, 3, "three attempts in all, the first included")
    expect_equal(len(server.waits), 2, "there is no wait after the last attempt")
    server = Server(503)
    expect_equal((server.call(sub, attempts=1), server.waits), ({"status": 503}, []), "one attempt, no wait")


def check_jitter(sub):
    """Where the wait comes from"""
    server = Server(503)
    server.uniform = lambda low, high: server.ranges.append((low, high)) or (low + high) / 4
    server.call(sub, attempts=4, base=0.2, cap=10.0)
    expect_close(server.ranges, [(0, 0.2), (0, 0.4), (0, 0.8)], "full jitter draws from 0 to the backoff, so that clients spread out")
    expect_close(server.waits, [0.05, 0.1, 0.2], "full jitter sleeps what `uniform` gave")


def check_backoff_is_capped(sub):
    """Many attempts"""
    server = Server(503)
    server.call(sub, attempts=7, base=0.5, cap=3.0)
    expect_close([high for _, high in server.ranges], [0.5, 1.0, 2.0, 3.0, 3.0, 3.0], "the backoff doubles and is never above the cap")


def check_downstream_has_retried(sub):
    """An answer from a tier that has retried"""
    server = Server(-503)
    expect_equal(server.call(sub), {"status": 503, "retried": True}, "it is returned as it came")
    expect_equal(server.sent, 1, "a lower tier has already retried; one tier retries, or tries multiply")


def check_says_that_it_has_retried(sub):
    """What the tier above is told"""
    expect_equal(Server(503).call(sub), {"status": 503, "retried": True}, "after own retries a failure says so, and the tier above does not retry again")
    expect_equal(Server(503).call(sub, attempts=1), {"status": 503}, "without a retry the answer is returned as it came")
    expect_equal(Server(0).call(sub, attempts=2), {"status": 504, "retried": True}, "a timeout is answered with 504")
    expect_equal(Server(0).call(sub, attempts=1), {"status": 504, "retried": False}, "a timeout is answered with 504, and nothing was retried")
    expect_equal(Server(503, 404).call(sub), {"status": 404}, "a final status is returned as it came, retries or not")


def check_budget_limits(sub):
    """An empty budget"""
    budget = sub.RetryBudget(0.0, 2)
    expect_equal([budget.withdraw() for _ in range(3)], [True, True, False], "two tokens, two retries")
    server = Server(503)
    expect_equal(server.call(sub, budget, attempts=5), {"status": 503}, "without a token there is no retry")
    expect_equal((server.sent, server.waits), (1, []), "without a token there is no retry, and no wait either")
    budget = sub.RetryBudget(0.0, 2)
    server = Server(503)
    server.call(sub, budget, attempts=2)
    expect_equal([budget.withdraw(), budget.withdraw()], [True, False], "one retry took one token; no token is taken for a retry that is not made")


def check_budget_refills(sub):
    """Ten first attempts for one retry"""
    budget = sub.RetryBudget(0.1, 1)
    expect_equal(budget.withdraw(), True, "it is full at first")
    for _ in range(10):
        expect_equal(budget.withdraw(), False, "less than one token")
        budget.deposit()
    expect_equal(budget.withdraw(), True, "every first attempt deposits a tenth; after ten of them there is one token")
    budget = sub.RetryBudget(0.1, 1)
    for _ in range(100):
        Server(200).call(sub, budget)
    expect_equal([budget.withdraw(), budget.withdraw()], [True, False], "every first attempt deposits, and the budget never holds more than its most")


def check_retries_deposit_nothing(sub):
    """A hundred requests to a server that is down"""
    budget, sent = sub.RetryBudget(0.5, 4), 0
    for _ in range(40):
        server = Server(503)
        server.call(sub, budget, attempts=4, base=0.001, cap=0.001)
        sent += server.sent
    expect_equal(sent, 40 + 4 + 40 // 2 - 1, "40 first attempts, 4 retries from the full budget and one for every two requests: a retry deposits nothing")


def check_amplification(sub):
    """How many requests reach the bottom"""
    expect_close(sub.amplification(4, 2, "every"), 16, "each tier multiplies")
    expect_close(sub.amplification(3, 3, "edge", 0.1), 1.1, "one tier retries, a tenth of its requests: 1.1 in each retrying tier")
    expect_close(sub.amplification(4, 5, "edge"), 4, "only the topmost tier retries")
    expect_close(sub.amplification(3, 3, "every", 0.1), 1.331, "a budget in every tier: 1.1 in each of three")
    expect_close(sub.amplification(1, 3, "every", 0.1), 1, "with one try there are no retries to budget")
    expect_close(sub.amplification(2, 1, "edge", 5.0), 2, "a budget larger than the tries does not add any")
    expect_raises(ValueError, lambda: sub.amplification(3, 3, "middle"), "it is 'every' or 'edge'")


def check_other_errors_pass(sub):
    """An error that is not a timeout"""
    def send():
        raise KeyError("a bug in the client")

    expect_raises(
        KeyError,
        lambda: sub.call(send, sub.RetryBudget(0.1, 5), attempts=3, base=0.1, cap=1, sleep=lambda s: None, uniform=lambda a, b: b),
        "only timeouts are failures of the server; a bug of ours is passed on",
    )


def check_random(sub, ref, rng):
    """Twenty random servers against the reference"""
    for _ in range(20):
        ratio, most = rng.choice([0.0, 0.1, 0.25]), rng.choice([1, 3])
        mine, theirs = sub.RetryBudget(ratio, most), ref.RetryBudget(ratio, most)
        for _ in range(6):
            statuses = [rng.choice([200, 503, 0, 500, 429, 404, -503]) for _ in range(4)]
            attempts = rng.randint(1, 4)
            one, other = Server(*statuses), Server(*statuses)
            expected = other.call(ref, theirs, attempts)
            expect_equal(one.call(sub, mine, attempts), expected, "retry what may succeed, while attempts and budget last")
            expect_close((one.sent, one.waits), (other.sent, other.waits), "the same attempts and the same waits")
