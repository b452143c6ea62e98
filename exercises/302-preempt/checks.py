"""Hidden checks of exercise 302: preemption by recomputation."""

from practice.kernel.expect import expect_equal, expect_raises, fail


def outcome(emitted=(), preempted=(), finished=()):
    return {"emitted": list(emitted), "preempted": list(preempted), "finished": list(finished)}


def state(status, computed=0, generated=0, blocks=0):
    return {"status": status, "computed": computed, "generated": generated, "blocks": blocks}


def engine_of(sub, blocks, size, *requests):
    engine = sub.Engine(blocks, size)
    for request in requests:
        engine.add(*request)
    return engine


def check_example_worked(sub):
    """The worked example of the prompt"""
    engine = engine_of(sub, 4, 4, ("a", 4, 3), ("b", 6, 2))
    expect_equal(engine.step(), outcome(["a", "b"]), "both fit (1 + 2 blocks) and emit their first token in the step that admits them")
    expect_equal(engine.state("b"), state("running", 6, 1, 2), "six prompt tokens are computed; the token just emitted is not yet")
    expect_equal(engine.step(), outcome(["a", "b"], finished=["b"]), "a takes the fourth block, b has room and ends")
    expect_equal(engine.state("a"), state("running", 5, 2, 2), "each decode step computes one token and emits one")
    expect_equal(engine.step(), outcome(["a"], finished=["a"]), "a emits its third and last token")
    expect_equal(engine.state("a"), state("finished", 0, 3, 0), "a finished request holds nothing")


def check_victim_is_newest(sub):
    """Two full sequences, no block left"""
    engine = engine_of(sub, 4, 2, ("a", 4, 4), ("b", 4, 4))
    engine.step()
    expect_equal(engine.step(), outcome(["a"], ["b"]), "a needs a block and none is free: the victim is the latest admitted, b")
    expect_equal(engine.state("a"), state("running", 5, 2, 3), "a got one of the blocks that b gave back")


def check_state_after_preemption(sub):
    """What a victim keeps and what it loses"""
    engine = engine_of(sub, 5, 2, ("a", 4, 5), ("b", 3, 4))
    engine.step()  # a: 4 tokens in 2 blocks, b: 3 in 2; one block is free
    engine.step()  # a takes it; b has room for its fourth token
    expect_equal(engine.state("b"), state("running", 4, 2, 2), "b computed its fourth token in the room of its second block")
    engine.step()  # a has room; b needs a block and is itself the latest
    seen = engine.state("b")
    expect_equal(seen["generated"], 2, "tokens generated before were already sent to the reader: they are kept")
    expect_equal(seen["computed"], 0, "the blocks are gone and the KV with them: computed starts from zero")
    expect_equal(seen, state("waiting", 0, 2, 0), "a victim waits and holds no blocks")


def check_recomputation(sub):
    """A victim that comes back"""
    engine = engine_of(sub, 4, 2, ("a", 4, 2), ("b", 4, 3))
    engine.step()
    expect_equal(engine.step(), outcome(["a"], ["b"], ["a"]), "b makes room for a's last token")
    expect_equal(engine.step(), outcome(["b"]), "b is admitted again")
    expect_equal(
        engine.state("b"), state("running", 5, 2, 3), "it computes its prompt and what it had generated, 4 + 1 tokens, and emits the next"
    )
    expect_equal(engine.step(), outcome(["b"], finished=["b"]), "and goes on where it stopped: three tokens in all, none twice")


def check_victim_returns_first(sub):
    """A victim and somebody who never ran"""
    engine = engine_of(sub, 4, 2, ("a", 4, 2), ("b", 4, 3))
    engine.step()
    engine.add("c", 4, 1)
    engine.step()  # b is preempted, a finishes
    expect_equal(engine.step()["emitted"], ["b"], "a victim goes to the head of the queue, before c, which never ran")


def check_priority_decides_first(sub):
    """The less important one goes, even if it is the older"""
    engine = engine_of(sub, 6, 2, ("batch", 4, 4, 5), ("chat", 4, 4, 0), ("vip", 4, 4, 0))
    engine.step()
    # batch comes first in order of admission, needs a block, and is itself the least important.
    expect_equal(
        engine.step(), outcome(["chat", "vip"], ["batch"]), "the victim is the one with the largest priority number, here the oldest"
    )
    engine = engine_of(sub, 4, 2, ("x", 4, 4, 1), ("y", 4, 4, 1))
    engine.step()
    expect_equal(engine.step(), outcome(["x"], ["y"]), "among equal priority numbers the latest admitted goes")


def check_token_taken_back(sub):
    """A victim that already had its turn in this step"""
    engine = engine_of(sub, 5, 2, ("low", 3, 4, 9), ("high", 4, 4, 0))
    engine.step()  # low: 3 tokens in 2 blocks, high: 4 in 2, one free
    engine.step()  # low has room for its fourth token; high takes the last block
    expect_equal(engine.state("low"), state("running", 4, 2, 2), "the fourth token fits the second block")
    engine = engine_of(sub, 4, 2, ("low", 3, 4, 9), ("high", 4, 4, 0))
    engine.step()  # all four blocks are taken
    expect_equal(
        engine.step(), outcome(["high"], ["low"]), "low had its turn first, then high took its blocks: the token of this step is lost"
    )
    expect_equal(engine.state("low"), state("waiting", 0, 1, 0), "only the token of this step is taken back, not the one before")


def check_two_victims_in_one_step(sub):
    """Two sequences that each need a block"""
    engine = engine_of(sub, 6, 1, ("a", 2, 4), ("b", 2, 3), ("c", 2, 3))
    engine.step()  # six blocks, all taken
    expect_equal(engine.step(), outcome(["a", "b"], ["c"]), "c's two blocks serve both a and b")
    expect_equal(engine.step(), outcome(["a"], ["b"]), "next step: b goes, and a takes one of its three blocks")
    expect_equal(engine.step()["finished"], ["a"], "a ends; nothing was preempted, but b at the head does not fit yet")
    expect_equal(engine.step()["emitted"], ["b"], "b was preempted last, so it stands before c and comes back first")


def check_exact_pool(sub):
    """A request that just fits the pool"""
    engine = sub.Engine(2, 4)
    try:
        engine.add("a", 5, 4)
    except ValueError:
        fail("two blocks of 4 tokens, and `add` refused a prompt of 5 with an output of 4", "the last token is emitted and never computed: 5 + 4 - 1 = 8 tokens fit")
    for _ in range(3):
        expect_equal(engine.step(), outcome(["a"]), "eight tokens are computed in all: 5 + 4 - 1 fit two blocks of 4")
    expect_equal(engine.step(), outcome(["a"], finished=["a"]), "the last token is emitted and never computed")
    expect_equal(engine.step(), outcome(), "an empty engine does nothing")


def check_head_of_line(sub):
    """A head that does not fit, and a small one behind it"""
    engine = engine_of(sub, 4, 2, ("a", 4, 3), ("big", 6, 1), ("small", 1, 1))
    expect_equal(engine.step(), outcome(["a"]), "big needs three blocks and two are free: nobody overtakes the head")


def check_bad_input(sub):
    """Known names, nothing to do, never fits, unknown names"""
    engine = engine_of(sub, 2, 4, ("a", 5, 4))
    expect_raises(ValueError, lambda: engine.add("a", 1, 1), "a name stands for one request")
    expect_raises(ValueError, lambda: engine.add("b", 0, 1), "a request has at least one prompt token")
    expect_raises(ValueError, lambda: engine.add("b", 1, 0), "a request generates at least one token")
    expect_raises(ValueError, lambda: engine.add("b", 5, 5), "9 computed tokens need three blocks of 4: it could never finish, so it must not wait")
    expect_raises(KeyError, lambda: engine.state("b"), "a request that was refused is not known")


def check_random(sub, ref, rng):
    """Twenty random workloads, step by step"""
    for _ in range(20):
        blocks, size = rng.randint(3, 12), rng.choice([1, 2, 4])
        mine, theirs = sub.Engine(blocks, size), ref.Engine(blocks, size)
        names = []
        for i in range(rng.randint(1, 6)):
            prompt = rng.randint(1, blocks * size)
            output = rng.randint(1, max(1, blocks * size - prompt + 1))
            priority = rng.choice([0, 0, 1])
            names.append(f"r{i}")
            mine.add(names[-1], prompt, output, priority)
            theirs.add(names[-1], prompt, output, priority)
        for step in range(400):
            expected = theirs.step()
            expect_equal(mine.step(), expected, "grow, admit, finish, in that order")
            if not any(expected.values()):
                break
            if step % 7 == 0:
                name = rng.choice(names)
                expect_equal(mine.state(name), theirs.state(name), "blocks are always ceil(computed / block size)")
        else:
            fail("the workload did not end within 400 steps", "every preemption must leave the others enough room to go on")
