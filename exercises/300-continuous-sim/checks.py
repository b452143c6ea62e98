"""Hidden checks of exercise 300: continuous batching, step by step."""

from practice.kernel.expect import expect_equal, expect_raises


def check_example_worked(sub):
    """The worked example of the prompt"""
    expect_equal(sub.finish_steps([(1, 2), (1, 3), (4, 1)], 2), [2, 3, 4], "walk the table of the prompt step by step")


def check_slot_freed_midway(sub):
    """A slot that frees up while another sequence still runs"""
    # A runs in steps 1-2, B in 1-9; C waits from step 2 on and takes A's slot in step 3.
    expect_equal(
        sub.finish_steps([(1, 2), (1, 9), (2, 4)], 2),
        [2, 9, 6],
        "a waiting request is admitted as soon as one sequence ends, in the very next step, while the others keep running",
    )


def check_ties_keep_list_order(sub):
    """Equal arrivals of different lengths"""
    expect_equal(
        sub.finish_steps([(1, 7), (1, 1), (1, 4)], 1),
        [7, 8, 12],
        "requests of the same arrival step are taken in list order, whatever their length",
    )


def check_idle_gap(sub):
    """An engine that stands idle for a while"""
    expect_equal(
        sub.finish_steps([(1, 1), (50, 2), (100, 1)], 4),
        [1, 51, 100],
        "the clock keeps running while nobody is there: a request never starts before its arrival step",
    )


def check_unsorted_input(sub):
    """A list that is not sorted by arrival"""
    expect_equal(
        sub.finish_steps([(20, 3), (1, 5), (2, 2)], 1),
        [22, 5, 7],
        "the queue is served in arrival order, and the answer keeps the order of the input",
    )


def check_edges(sub):
    """Nobody, one request, one slot, more slots than requests"""
    expect_equal(sub.finish_steps([], 3), [], "no requests, no answers")
    expect_equal(sub.finish_steps([(7, 1)], 1), [7], "one token at an idle engine is emitted in the arrival step itself")
    expect_equal(sub.finish_steps([(1, 2)] * 3, 1), [2, 4, 6], "one slot serves one request after the other without a gap")
    expect_equal(sub.finish_steps([(2, 5)] * 4, 10), [6] * 4, "with slots to spare everybody starts on arrival")


def check_input_unchanged(sub):
    """The caller's list is left as it was"""
    requests = [(4, 1), (1, 3), (2, 2)]
    sub.finish_steps(requests, 1)
    expect_equal(requests, [(4, 1), (1, 3), (2, 2)], "the caller still needs its list: sort a copy, or sort indices")


def check_bad_input(sub):
    """No slots, no tokens, an arrival before step 1"""
    expect_raises(ValueError, lambda: sub.finish_steps([(1, 1)], 0), "an engine without slots never finishes anything")
    expect_raises(ValueError, lambda: sub.finish_steps([(1, 2), (1, 0)], 1), "a request of no tokens has no last token")
    expect_raises(ValueError, lambda: sub.finish_steps([(0, 2)], 1), "the first step is step 1")


def check_random(sub, ref, rng):
    """Two hundred random cases against the reference"""
    for _ in range(200):
        span, longest = rng.choice([(1, 5), (10, 10), (60, 8), (400, 60)])
        requests = [(rng.randint(1, span), rng.randint(1, longest)) for _ in range(rng.randint(0, 25))]
        slots = rng.randint(1, 6)
        expect_equal(
            sub.finish_steps(requests, slots),
            ref.finish_steps(requests, slots),
            "admit, decode, retire, once per step; first come, first served",
        )
