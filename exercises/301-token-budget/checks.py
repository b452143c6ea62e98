"""Hidden checks of exercise 301: one scheduler step under a token budget."""

import copy

from practice.kernel.expect import expect_equal


def request(name, tokens, computed=0, blocks=0):
    return {"id": name, "tokens": tokens, "computed": computed, "blocks": blocks}


def step(sub, running, waiting, budget=64, seqs=8, free=100, size=16):
    return sub.schedule_step(running, waiting, token_budget=budget, max_seqs=seqs, free_blocks=free, block_size=size)


def outcome(scheduled, preempted=(), admitted=(), free=0):
    return {"scheduled": scheduled, "preempted": list(preempted), "admitted": list(admitted), "free_blocks": free}


def check_example_worked(sub):
    """The worked example of the prompt"""
    running = [request("a", 9, 8, 2), request("b", 5, 4, 2)]
    expect_equal(
        step(sub, running, [request("c", 20)], budget=8, seqs=4, free=4, size=4),
        outcome({"a": 1, "b": 1, "c": 6}, admitted=["c"], free=1),
        "decodes first, then what is left of the budget goes to the head of the queue",
    )


def check_chunk_stops_at_budget(sub):
    """Prompts that together exceed the budget"""
    expect_equal(
        step(sub, [request("p", 100, 60, 4), request("q", 200, 110, 7)], [request("r", 9)], budget=64),
        outcome({"p": 40, "q": 24}, free=100 - 3 - 2),
        "a chunk is no larger than what is left of the budget: q gets 64 - 40 = 24, and r, who would get nothing, is not admitted",
    )


def check_decodes_come_first(sub):
    """A long prefill in front of two decodes"""
    running = [request("long", 4000, 512, 32), request("x", 33, 32, 3), request("y", 50, 49, 4)]
    expect_equal(
        step(sub, running, [], budget=64),
        outcome({"x": 1, "y": 1, "long": 62}, free=96),
        "decodes come first, whatever their place in the list: the prefill gets the 62 tokens they leave",
    )


def check_block_with_room(sub):
    """Chunks that start in the middle of a block"""
    # 20 tokens computed, 2 blocks held: room for 12 more. A chunk of 12 needs no block; one of 13 needs one.
    expect_equal(
        step(sub, [request("p", 32, 20, 2)], [], free=0),
        outcome({"p": 12}, free=0),
        "a sequence has room in its last block: 20 + 12 tokens fit the two blocks it holds",
    )
    expect_equal(
        step(sub, [request("p", 33, 20, 2)], [], free=5),
        outcome({"p": 13}, free=4),
        "only the token past the room in its last block needs a new one",
    )


def check_head_of_line(sub):
    """A head that does not fit, with smaller ones behind it"""
    expect_equal(
        step(sub, [], [request("big", 60), request("small", 5)], free=3),
        outcome({}, free=3),
        "60 tokens need 4 blocks and 3 are free: nobody overtakes the head, or large prompts starve",
    )


def check_victim_is_last_admitted(sub):
    """Who is preempted, and how many"""
    running = [request("a", 40, 39, 3), request("b", 65, 64, 4), request("c", 300, 100, 7), request("d", 18, 17, 2)]
    expect_equal(
        step(sub, running, [], free=0),
        outcome({"a": 1, "b": 1, "c": 12 + 16}, preempted=["d"], free=0),
        "the victim is the last one in `running`; its two blocks go to b (one) and to c's chunk (one)",
    )


def check_no_admission_after_preemption(sub):
    """A decode without a block, and somebody waiting"""
    running = [request("a", 33, 32, 2), request("b", 40, 39, 3)]
    expect_equal(
        step(sub, running, [request("w", 8)], free=0),
        outcome({"a": 1}, preempted=["b"], free=2),
        "nobody is admitted in a step that preempted: the blocks it freed are needed by those who run",
    )


def check_preempts_itself(sub):
    """The last request needs a block itself"""
    running = [request("a", 40, 39, 3), request("z", 33, 32, 2)]
    expect_equal(
        step(sub, running, [], free=0),
        outcome({"a": 1}, preempted=["z"], free=2),
        "when the last one is the decode itself, it is preempted and gets nothing, though its own blocks are free now",
    )


def check_several_victims(sub):
    """A victim that holds nothing"""
    running = [request("a", 33, 32, 2), request("b", 80, 16, 1), request("c", 30, 0, 0)]
    expect_equal(
        step(sub, running, [], free=0),
        outcome({"a": 1}, preempted=["c", "b"], free=0),
        "keep preempting from the end until the block is there; c held none, so b goes too",
    )


def check_prefill_never_preempts(sub):
    """A prefill without blocks waits"""
    running = [request("a", 64, 32, 2), request("b", 200, 100, 7)]
    expect_equal(
        step(sub, running, [], free=0),
        outcome({"b": 12}, free=0),
        "a prefill takes the blocks there are and never preempts; a chunk of zero is left out",
    )


def check_slots_and_budget_end_admission(sub):
    """Full slots, an exactly spent budget"""
    running = [request("a", 9, 8, 1), request("b", 9, 8, 1)]
    waiting = [request("c", 10), request("d", 10)]
    expect_equal(
        step(sub, running, waiting, seqs=3),
        outcome({"a": 1, "b": 1, "c": 10}, admitted=["c"], free=99),
        "`max_seqs` counts the running and the newly admitted together",
    )
    expect_equal(
        step(sub, running, waiting, budget=12),
        outcome({"a": 1, "b": 1, "c": 10}, admitted=["c"], free=99),
        "a request that would get no token is not admitted",
    )
    expect_equal(
        step(sub, running + [request("e", 9, 8, 1)], waiting, budget=2),
        outcome({"a": 1, "b": 1}, free=100),
        "when the budget is spent the remaining decodes wait for the next step",
    )


def check_exact_fit(sub):
    """The last free block"""
    expect_equal(
        step(sub, [], [request("c", 48)], free=3),
        outcome({"c": 48}, admitted=["c"], free=0),
        "48 tokens fill exactly three blocks, and three are free",
    )
    expect_equal(step(sub, [], []), outcome({}, free=100), "an empty engine plans nothing")


def check_arguments_unchanged(sub):
    """The engine's own state is left alone"""
    running = [request("a", 33, 32, 2), request("b", 40, 39, 3)]
    waiting = [request("w", 8)]
    before = copy.deepcopy((running, waiting))
    step(sub, running, waiting, free=0)
    expect_equal((running, waiting), before, "the plan is an answer; the engine applies it, so work on a copy of the lists")


def draw_state(rng):
    """A random engine state, with memory tight in half of the cases."""
    size = rng.choice([1, 4, 16])
    running = []
    for i in range(rng.randint(0, 8)):
        computed = rng.randint(0, 12 * size)
        left = 1 if computed and rng.random() < 0.6 else rng.randint(1, 10 * size)
        blocks = -(-computed // size) + (rng.random() < 0.2)
        running.append(request(f"r{i}", computed + left, computed, blocks))
    waiting = [request(f"w{i}", rng.randint(1, 12 * size)) for i in range(rng.randint(0, 4))]
    return dict(
        running=running, waiting=waiting, budget=rng.choice([1, 5, 64, 500]), seqs=len(running) + rng.randint(0, 3) or 1,
        free=rng.choice([0, 0, 1, 2, 5, 60]), size=size,
    )


def check_random(sub, ref, rng):
    """A hundred and fifty random states against the reference"""
    for _ in range(150):
        state = draw_state(rng)
        expect_equal(step(sub, **state), step(ref, **state), "decodes, then prefill chunks, then admissions, in that order")
