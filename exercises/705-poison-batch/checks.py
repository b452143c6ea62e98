"""Hidden checks of exercise 705: the input that crashes the batch."""

from math import ceil, log2

from practice.kernel.expect import expect_equal, fail


class Engine:
    """Answers batches, crashes on poisons, and remembers every run."""

    def __init__(self, poison):
        self.poison = set(poison)
        self.runs = []

    def __call__(self, batch):
        batch = list(batch)
        self.runs.append((batch, not self.poison & set(batch)))
        if self.poison & set(batch):
            raise RuntimeError("the engine died")
        return [f"answer to {request}" for request in batch]


def finish(sub, requests, poison):
    """Run the job; the engine, with the returned value compared."""
    engine = Engine(poison)
    result = sub.run_all(list(requests), engine)
    good = [r for r in requests if r not in engine.poison]
    expect_equal(sorted(result["poison"]), sorted(engine.poison & set(requests)), "the poisons, and only they, are named; every other request is innocent, and there may be more than one poison")
    expect_equal(
        sorted(result["answers"].items()), sorted((r, f"answer to {r}") for r in good), "every other request gets its own answer"
    )
    return engine


def names(count):
    return [f"r{i}" for i in range(count)]


def check_example_worked(sub):
    """The worked example of the prompt"""
    engine = Engine({"c"})
    expect_equal(
        sub.run_all(["a", "b", "c", "d"], engine),
        {"answers": {"a": "answer to a", "b": "answer to b", "d": "answer to d"}, "poison": ["c"]},
        "c crashes, the others are answered",
    )


def check_innocents_are_answered(sub):
    """One poison among eight, in each place"""
    for place in range(8):
        finish(sub, names(8), {f"r{place}"})


def check_no_poison(sub):
    """A batch that passes, and an empty one"""
    engine = finish(sub, names(100), ())
    expect_equal(len(engine.runs), 1, "the first run is the whole list, and it passed")
    engine = finish(sub, [], ())
    expect_equal(len(engine.runs), 0, "nothing to run")
    engine = finish(sub, ["only"], {"only"})
    expect_equal(len(engine.runs), 1, "one request, one run: it is known to be the poison then")


def check_several(sub):
    """More than one poison"""
    finish(sub, names(16), {"r0", "r15"})
    finish(sub, names(16), {"r3", "r4", "r5"})
    finish(sub, names(5), set(names(5)))


def check_answered_once(sub):
    """No request is answered twice"""
    engine = finish(sub, names(64), {"r9", "r40"})
    seen = [request for batch, passed in engine.runs if passed for request in batch]
    expect_equal(len(seen), len(set(seen)), "a request that was answered in one run must not be in another that passes: its tokens are paid twice")


def check_few_runs(sub):
    """One poison among 1,024"""
    for place in (0, 511, 1023):
        engine = finish(sub, names(1024), {f"r{place}"})
        if len(engine.runs) > 22:
            fail(f"{len(engine.runs)} runs for one poison among 1,024 requests; at most 1 + 2 * 10 + 1 = 22 are needed", "halves find it: each level of halving costs two runs at most")


def check_no_wasted_run(sub):
    """A batch that is known to crash"""
    for place in range(8):
        engine = finish(sub, names(8), {f"r{place}"})
        unknown_crashes = []
        for batch, passed in engine.runs:
            if not passed:
                for known in unknown_crashes:
                    inside = set(batch) <= set(known)
                    rest = set(known) - set(batch)
                    answered = {r for b, ok in engine.runs[: engine.runs.index((batch, passed))] if ok for r in b}
                    if inside and rest <= answered:
                        fail(
                            f"`{batch}` was run although `{known}` had crashed and the rest of it had passed (poison r{place} of 8)",
                            "that it crashes is already known: split it instead, and a single request left over is the poison",
                        )
                unknown_crashes.append(batch)


def check_order(sub):
    """Results in the order of the requests"""
    requests = ["m", "z", "a", "k", "b", "y", "c"]
    result = sub.run_all(list(requests), Engine({"y", "z"}))
    expect_equal(list(result["answers"]), ["m", "a", "k", "b", "c"], "answers are in the order of the requests")
    expect_equal(result["poison"], ["z", "y"], "poisons are in the order of the requests")


def check_list_unchanged(sub):
    """The caller's list afterwards"""
    requests = ["a", "b", "c"]
    sub.run_all(requests, Engine({"b"}))
    expect_equal(requests, ["a", "b", "c"], "the caller's list is not changed")


def check_random(sub, rng):
    """Thirty random jobs: answers, order, runs"""
    for _ in range(30):
        count = rng.randint(1, 90)
        requests = names(count)
        rng.shuffle(requests)
        poison = set(rng.sample(requests, min(count, rng.choice([0, 1, 1, 2, 5]))))
        engine = finish(sub, requests, poison)
        most = 1 + len(poison) * (2 * ceil(log2(count)) + 1)
        if len(engine.runs) > most:
            fail(f"{len(engine.runs)} runs for {len(poison)} poisons among {count} requests, at most {most}", "halves find each poison in two runs per level")
