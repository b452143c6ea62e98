"""Hidden checks of exercise 723: deficit round robin by tokens."""

from practice.kernel.expect import expect_equal, expect_raises, fail
from practice.kernel.scenario import scenario


@scenario
def drive_idle_clients(submission, idle, pops):
    """Two busy clients beside many idle ones; returns the order and how often client names were looked at while popping."""
    looks = [0]

    class Name(str):
        def __hash__(self):
            looks[0] += 1
            return str.__hash__(self)

        def __eq__(self, other):
            looks[0] += 1
            return str.__eq__(self, other)

    queue = submission.FairQueue(10, {})
    for i in range(idle):
        queue.push(Name(f"idle{i}"), "early", 10)
    served = sum(queue.pop() is not None for _ in range(idle))
    for i in range(pops):
        queue.push(Name("a"), f"a{i}", 10)
        queue.push(Name("b"), f"b{i}", 10)
    looks[0] = 0
    order = [queue.pop() for _ in range(pops)]
    return {"served": served, "order": order[:6], "looks": looks[0]}


def filled(sub, quantum, weights, requests):
    """A queue with requests (client, name, cost) pushed in order."""
    queue = sub.FairQueue(quantum, weights)
    for client, name, cost in requests:
        queue.push(client, name, cost)
    return queue


def expect_order(queue, expected, idea):
    """Pop one by one, so that the first wrong one is the one that is shown."""
    for name in expected:
        expect_equal(queue.pop(), name, idea)


def check_example(sub):
    """The worked example of the prompt"""
    queue = filled(sub, 100, {}, [("a", "a1", 100), ("a", "a2", 100), ("b", "b1", 100), ("b", "b2", 100)])
    expect_order(queue, ["a1", "b1", "a2", "b2", None], "equal requests take turns")


def check_costs_count(sub):
    """Long requests beside short ones"""
    requests = [("docs", f"d{i}", 200) for i in range(3)] + [("chat", f"c{i}", 100) for i in range(6)]
    queue = filled(sub, 100, {}, requests)
    expected = ["c0", "d0", "c1", "c2", "d1", "c3", "c4", "d2", "c5"]
    idea = "the quantum is in tokens, not requests: one of 200 takes two visits of 100, the first deficit carried to the second"
    expect_order(queue, expected, idea)


def check_visit_goes_on(sub):
    """Several requests in one visit"""
    queue = filled(sub, 100, {}, [("a", "a1", 40), ("a", "a2", 60), ("a", "a3", 1), ("b", "b1", 100)])
    idea = "a visit is credited once and goes on as long as the deficit covers the next request: 40 + 60 of 100"
    expect_order(queue, ["a1", "a2", "b1", "a3"], idea)


def check_weights(sub):
    """A client with three times the weight"""
    requests = [("gold", f"g{i}", 50) for i in range(9)] + [("free", f"f{i}", 50) for i in range(3)]
    queue = filled(sub, 50, {"gold": 3, "nobody": 7}, requests)
    expected = ["g0", "g1", "g2", "f0", "g3", "g4", "g5", "f1", "g6", "g7", "g8", "f2"]
    expect_order(queue, expected, "a visit brings quantum * weight: 150 tokens for the weight 3, 50 for a client without one")


def check_one_credit_per_visit(sub):
    """A visit that lasts over several pops"""
    requests = [("a", f"a{i}", 10) for i in range(8)] + [("b", f"b{i}", 10) for i in range(8)]
    queue = filled(sub, 30, {}, requests)
    idea = "the quantum is credited once per visit, not at each pop: three of 10 for 30"
    expect_order(queue, ["a0", "a1", "a2", "b0", "b1", "b2", "a3"], idea)


def check_leftover_is_carried(sub):
    """What is left of a deficit"""
    requests = [("a", f"a{i}", 60) for i in range(5)] + [("b", f"b{i}", 100) for i in range(3)]
    queue = filled(sub, 100, {}, requests)
    expected = ["a0", "b0", "a1", "a2", "b1", "a3", "a4", "b2"]
    expect_order(queue, expected, "what is left is carried to the next visit: 100 - 60 = 40, and 40 + 100 cover two of 60")


def check_idle_saves_nothing(sub):
    """A client that comes and goes"""
    queue = sub.FairQueue(100, {})
    for i in range(5):
        queue.push("saver", f"s{i}", 10)
        expect_equal(queue.pop(), f"s{i}", "nobody else waits")
    for name in ("b1", "b2"):
        queue.push("busy", name, 100)
    for name in ("x1", "x2", "x3"):
        queue.push("saver", name, 100)
    idea = "a deficit is forgotten when nothing is left waiting: the five times 90 tokens are gone"
    expect_order(queue, ["b1", "x1", "b2", "x2", "x3"], idea)


def check_larger_than_quantum(sub):
    """Requests that take several visits of saving"""
    requests = [("docs", "d1", 250), ("docs", "d2", 50)] + [("chat", f"c{i}", 50) for i in range(7)]
    queue = filled(sub, 100, {}, requests)
    # docs: 100, 200, 300: d1 on its third visit, and 50 are left for d2.
    expected = ["c0", "c1", "c2", "c3", "d1", "d2", "c4", "c5", "c6", None]
    expect_order(queue, expected, "a request larger than the quantum waits until the deficit that is carried along covers it")
    queue = filled(sub, 10, {"a": 2}, [("a", "a1", 500), ("b", "b1", 240), ("c", "c1", 251)])
    expect_order(queue, ["b1", "a1", "c1"], "24 visits of 10 for b, 25 of 20 for a, 26 of 10 for c")


def check_rejoins_at_the_tail(sub):
    """A client that runs empty and comes back at once"""
    queue = filled(sub, 100, {}, [("a", "a1", 10), ("b", "b1", 100), ("c", "c1", 100)])
    expect_equal(queue.pop(), "a1", "the first visit")
    queue.push("a", "a2", 10)
    expect_order(queue, ["b1", "c1", "a2"], "a client that ran empty has left the round and rejoins at the tail, with a deficit of 0")


def check_visit_stays_open(sub):
    """Requests that arrive during a visit"""
    queue = filled(sub, 100, {}, [("a", "a1", 60), ("a", "a2", 60)])
    expect_equal(queue.pop(), "a1", "the first visit: 100 - 60 = 40 are left")
    queue.push("b", "b1", 100)
    expect_order(queue, ["b1", "a2"], "the visit of a stays open until a pop finds 40 too few for a2; then a goes to the tail, behind b")
    queue = filled(sub, 100, {}, [("a", "a1", 60), ("a", "a2", 60), ("b", "b1", 100)])
    expect_equal(queue.pop(), "a1", "the first visit: 100 - 60 = 40 are left")
    queue.push("c", "c1", 100)
    expect_order(queue, ["b1", "c1", "a2"], "the visit of a stays open until the next pop: c joined before a went to the tail")
    queue = filled(sub, 100, {}, [("a", "a1", 40), ("a", "a2", 30), ("b", "b1", 100)])
    expect_equal(queue.pop(), "a1", "the first visit: 60 are left")
    queue.push("a", "a3", 30)
    expect_order(queue, ["a2", "a3", "b1"], "what is pushed during a visit may be served in it: 40 + 30 + 30 of 100")


def check_alone_and_empty(sub):
    """A client alone, an empty queue, costs outside their range"""
    queue = sub.FairQueue(100, {})
    expect_equal(queue.pop(), None, "nothing waits")
    expect_equal(len(queue), 0, "nothing waits")
    queue.push("a", "a1", 30)
    queue.push("a", "a2", 100)
    queue.push("a", "a3", 1)
    expect_equal(len(queue), 3, "three requests wait")
    expect_order(queue, ["a1", "a2", "a3"], "the requests of one client keep their order")
    expect_equal([queue.pop(), len(queue)], [None, 0], "all requests are served")
    queue = sub.FairQueue(10, {})
    expect_raises(ValueError, lambda: queue.push("a", "a1", 0), "a cost is 1 or more")
    expect_raises(ValueError, lambda: queue.push("a", "a1", -5), "a cost is 1 or more: a negative one would fill the deficit")
    expect_equal([len(queue), queue.pop()], [0, None], "a refused push changes nothing")
    queue.push("a", "a2", 1)
    expect_equal(queue.pop(), "a2", "the smallest request")


def check_many_idle_clients(sub):
    """Two busy clients beside thousands of idle ones"""
    seen = sub.run(drive_idle_clients, 2_000, 50)
    expect_equal([seen["served"], seen["order"]], [2_000, ["a0", "b0", "a1", "b1", "a2", "b2"]], "all are served, then two take turns")
    # Each of the 50 pops makes at most two visits.
    if seen["looks"] > 40 * 2 * 50:
        fail(
            f"50 pops looked at client names {seen['looks']} times, with 2 busy clients and 2,000 idle ones",
            "idle clients must not be looked at: keep only those in the round that have something waiting",
        )
    seen = sub.run(drive_idle_clients, 50_000, 4_000)
    expect_equal([seen["served"], seen["order"][:2]], [50_000, ["a0", "b0"]], "the same with 50,000 idle clients")


def check_shares(sub, rng):
    """Random long backlogs: shares of the tokens"""
    for _ in range(2):
        quantum, weights = rng.randrange(50, 500), {"a": 1, "b": rng.randrange(1, 4), "c": rng.randrange(1, 6)}
        sizes = {"a": 400, "b": 30, "c": 120}
        queue, costs = sub.FairQueue(quantum, weights), {}
        for client, largest in sizes.items():
            for i in range(120):
                costs[f"{client}{i}"] = rng.randrange(1, largest + 1)
                queue.push(client, f"{client}{i}", costs[f"{client}{i}"])
        served, left = dict.fromkeys(sizes, 0), dict.fromkeys(sizes, 120)
        while min(left.values()) > 1:
            name = queue.pop()
            served[name[0]] += costs[name]
            left[name[0]] -= 1
            share = {client: served[client] / weights[client] for client in sizes}
            # Lemma of the paper: while both are backlogged, shares differ by less than a quantum plus the largest requests.
            if max(share.values()) - min(share.values()) > quantum + 2 * max(sizes.values()):
                fail(
                    f"with quantum {quantum} and weights {weights} the tokens served so far are {served}",
                    "shares per unit of weight stay within a quantum and the largest requests",
                )


def check_random(sub, ref, rng):
    """Random pushes and pops, compared with the reference"""
    for _ in range(4):
        quantum, weights = rng.choice([1, 10, 100]), {"a": 1, "b": rng.randrange(1, 5), "x": 9}
        kept = dict(weights)
        queue, expected = sub.FairQueue(quantum, weights), ref.FairQueue(quantum, kept)
        for i in range(70):
            if rng.random() < 0.55:
                args = (rng.choice("abcd"), f"r{i}", rng.randrange(1, 4 * quantum + 10))
                queue.push(*args)
                expected.push(*args)
            else:
                expect_equal(queue.pop(), expected.pop(), f"the rules of the prompt, with quantum {quantum} and weights {kept}")
        expect_equal(len(queue), len(expected), "the number of waiting requests of all clients")
        expect_equal(weights, kept, "the weights must not be changed")
