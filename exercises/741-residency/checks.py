"""Hidden checks of exercise 741: which LoRA adapters are on the GPU."""

from practice.kernel.expect import expect_equal, expect_raises


def submitted(sub, slots, batch, *requests):
    """A Residency with requests like "r1:sql" in its queue."""
    residency = sub.Residency(slots, batch)
    submit(residency, *requests)
    return residency


def submit(residency, *requests):
    for request in requests:
        residency.submit(*request.split(":"))


def check_example_worked(sub):
    """The worked example of the prompt"""
    residency = submitted(sub, 2, 8, "r1:sql", "r2:law")
    expect_equal(residency.admit(), ["r1", "r2"], "two free slots, two loads")
    submit(residency, "r3:med")
    expect_equal(residency.admit(), [], "no free slot, and both adapters are in use")
    residency.finish("r1")
    expect_equal(residency.admit(), ["r3"], "sql is not in use any more and makes room")
    expect_equal(residency.loads(), 3, "sql, law and med")


def check_pinned_stay(sub):
    """More adapters than slots, everybody runs"""
    residency = submitted(sub, 2, 8, "r1:a", "r2:b", "r3:c")
    expect_equal(residency.admit(), ["r1", "r2"], "both resident adapters are in use: nobody can be evicted")
    residency.finish("r2")
    residency.admit()
    expect_equal(residency.resident(), ["a", "c"], "a was used longest ago, but it is in use: b goes")


def check_loads_are_counted(sub):
    """Many requests of one adapter, and one that comes back"""
    residency = submitted(sub, 1, 8, "r1:a", "r2:a", "r3:a")
    residency.admit()
    expect_equal(residency.loads(), 1, "the second and third find it already resident")
    for request in ("r1", "r2", "r3"):
        residency.finish(request)
    submit(residency, "r4:b")
    residency.admit()
    residency.finish("r4")
    submit(residency, "r5:a")
    residency.admit()
    expect_equal(residency.loads(), 3, "a, b, and a once more: it was evicted in between")


def check_others_pass(sub):
    """A request that cannot run at the head of the queue"""
    residency = submitted(sub, 1, 8, "r1:a", "r2:b", "r3:a", "r4:", "r5:c")
    expect_equal(residency.admit(), ["r1", "r3", "r4"], "the walk passes over those that cannot be loaded: r3 needs what is resident, r4 needs nothing")


def check_queue_keeps_its_order(sub):
    """Requests that were passed over"""
    residency = submitted(sub, 1, 8, "r1:a", "r2:b", "r3:a", "r4:c")
    residency.admit()
    submit(residency, "r5:d")
    residency.finish("r1")
    residency.finish("r3")
    expect_equal(residency.admit(), ["r2"], "those that were passed over keep their place: r2 is still the first")
    residency.finish("r2")
    expect_equal(residency.admit(), ["r4"], "those that were passed over keep their place: r4 came before r5")


def check_free_slot_first(sub):
    """An idle adapter and an empty slot"""
    residency = submitted(sub, 3, 8, "r1:a")
    residency.admit()
    residency.finish("r1")
    submit(residency, "r2:b")
    residency.admit()
    expect_equal(residency.resident(), ["a", "b"], "a free slot is taken before anybody is evicted")


def check_lru_by_use(sub):
    """Which idle adapter goes"""
    residency = submitted(sub, 2, 8, "r1:a", "r2:b")
    residency.admit()
    residency.finish("r1")
    residency.finish("r2")
    submit(residency, "r3:a")
    residency.admit()
    residency.finish("r3")
    submit(residency, "r4:c")
    residency.admit()
    expect_equal(residency.resident(), ["a", "c"], "b was last used the longest ago, though a was loaded before it")


def check_finish_is_a_use(sub):
    """A long answer and a short one"""
    residency = submitted(sub, 2, 8, "long:a", "short:b")
    residency.admit()
    residency.finish("short")
    residency.finish("long")
    expect_equal(residency.resident(), ["b", "a"], "an adapter is in use until it finishes: a was used last")
    submit(residency, "r3:c")
    residency.admit()
    expect_equal(residency.resident(), ["a", "c"], "an adapter is in use until it finishes, so b is the older one")


def check_pins_count(sub):
    """Two requests with one adapter"""
    residency = submitted(sub, 1, 8, "r1:a", "r2:a", "r3:b")
    residency.admit()
    residency.finish("r1")
    expect_equal(residency.admit(), [], "r2 still computes with a: it is free when both have finished")
    residency.finish("r2")
    expect_equal(residency.admit(), ["r3"], "both have finished")


def check_batch_limit(sub):
    """A full batch"""
    residency = submitted(sub, 4, 2, "r1:a", "r2:", "r3:b")
    expect_equal(residency.admit(), ["r1", "r2"], "two may run at once, the base model's requests included")
    expect_equal((residency.loads(), residency.resident()), (1, ["a"]), "nothing is loaded for a request that the batch has no room for")
    residency.finish("r2")
    expect_equal(residency.admit(), ["r3"], "one has finished")


def check_base_model(sub):
    """Requests without an adapter"""
    residency = submitted(sub, 1, 8, "r1:a", "r2:", "r3:")
    expect_equal(residency.admit(), ["r1", "r2", "r3"], "the base model needs no slot")
    residency.finish("r2")
    expect_equal((residency.resident(), residency.loads()), (["a"], 1), "the base model is never loaded nor listed")


def check_errors(sub):
    """Names that come twice or do not run"""
    residency = submitted(sub, 1, 8, "r1:a", "r2:b")
    expect_raises(ValueError, lambda: residency.submit("r1", "z"), "r1 was submitted before")
    residency.admit()
    expect_raises(KeyError, lambda: residency.finish("r2"), "r2 waits; only a running request can finish")
    residency.finish("r1")
    expect_raises(KeyError, lambda: residency.finish("r1"), "r1 has finished; finishing it again would unpin somebody else's adapter")
    expect_raises(ValueError, lambda: residency.submit("r1", "a"), "names are unique for ever")


def check_random(sub, ref, rng):
    """Fifteen random hours against the reference"""
    for _ in range(15):
        settings = rng.randint(1, 4), rng.randint(1, 6)
        mine, theirs = sub.Residency(*settings), ref.Residency(*settings)
        running, count = [], 0
        for _ in range(30):
            action = rng.random()
            if action < 0.45:
                count += 1
                adapter = rng.choice(["", "a", "b", "c", "d", "e"])
                mine.submit(f"r{count}", adapter)
                theirs.submit(f"r{count}", adapter)
            elif action < 0.7 and running:
                request = running.pop(rng.randrange(len(running)))
                mine.finish(request)
                theirs.finish(request)
            else:
                expected = theirs.admit()
                expect_equal(mine.admit(), expected, "resident, free slot, unpinned victim, or passed over: in this order, for each request")
                running += expected
        expect_equal((mine.resident(), mine.loads()), (theirs.resident(), theirs.loads()), "admissions and finishes are uses; loads count reloads")
