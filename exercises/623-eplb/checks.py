"""Hidden checks of exercise 623: replicate and pack experts."""

from practice.kernel.expect import expect_close, expect_equal, expect_raises


def check_example_worked(sub):
    """The worked example of the prompt"""
    expect_equal(sub.replicate([90, 30, 20], 4), [2, 1, 1], "the fourth slot goes to expert 0")
    expect_equal(sub.pack([90, 30, 20], [2, 1, 1], 2), [[0, 1], [0, 2]], "45 and 45 first, then 30 beside the first, 20 where room is")


def check_replicas_share_load(sub):
    """Several spare slots"""
    # 100 -> 50 each, then 60 is the largest -> 30 each, then 50.
    expect_equal(sub.replicate([100, 60, 40, 10], 7), [3, 2, 1, 1], "after its first replica expert 0 carries 50 per replica, less than the 60 of expert 1")


def check_greedy_not_proportional(sub):
    """A layer with one very hot expert"""
    expect_equal(sub.replicate([1000, 1, 1, 1], 8), [5, 1, 1, 1], "all spare slots, one at a time, go where the load per replica is largest")
    expect_equal(sub.replicate([100, 50, 1, 1, 1], 8), [3, 2, 1, 1, 1], "one at a time: 100 becomes 50 and then 33.3 per replica, then 50 becomes 25")
    expect_equal(sub.replicate([8, 7, 6], 5), [2, 2, 1], "one at a time: 8 becomes 4 per replica, then 7 is the largest")
    expect_equal(sub.replicate([50, 30, 20], 3), [1, 1, 1], "no spare slot")


def check_heaviest_first(sub):
    """A heavy expert with a high number"""
    expect_equal(sub.pack([2, 3, 1, 4], [1, 1, 1, 1], 2), [[3, 2], [1, 0]], "heaviest first: 4 to GPU 0, 3 to GPU 1, 2 to GPU 1, 1 to GPU 0")


def check_equal_packs(sub):
    """One heavy expert and many light ones"""
    expect_equal(
        sub.pack([100, 1, 1, 1, 1, 1], [1] * 6, 2), [[0, 4, 5], [1, 2, 3]],
        "every GPU holds the same number of replicas: when GPU 1 has three, the rest goes to GPU 0, loaded or not",
    )


def check_pack_uses_load_per_replica(sub):
    """A hot expert with many replicas"""
    # Expert 0 carries 30 per replica, expert 1 carries 40, expert 2 carries 25.
    expect_equal(sub.pack([90, 40, 25], [3, 1, 1], 1), [[1, 0, 0, 0, 2]], "a replica carries its share of its expert's load: 30, less than the 40 of expert 1")


def check_ties(sub):
    """Equal loads everywhere"""
    expect_equal(sub.replicate([5, 5, 5, 5], 6), [2, 2, 1, 1], "among equals the lower number gets the replica")
    expect_equal(sub.pack([5, 5, 5, 5], [1, 1, 1, 1], 2), [[0, 2], [1, 3]], "among equals: the lower number of the expert first, to the lower number of the GPU")
    # Per replica: 10/3 against 10/3, which floats and fractions agree on; 1/3 of 1e9 against 333333333 they may not.
    expect_equal(sub.replicate([1_000_000_000, 333_333_333], 6), [4, 2], "1e9 / 3 is a little more than 333,333,333, so compare exactly")


def check_imbalance(sub):
    """The slowest GPU against the mean"""
    expect_close(sub.imbalance([90, 30, 20], [2, 1, 1], [[0, 1], [0, 2]]), 75 / 70, "75 over a mean of 70")
    expect_close(sub.imbalance([8, 4, 2, 2], [1] * 4, [[0, 1], [2, 3]]), 1.5, "12 over the mean of 12 and 4, which is 8")
    expect_close(sub.imbalance([6, 6], [2, 2], [[0, 0], [1, 1]]), 1.0, "two replicas of one expert on one GPU carry all its load")
    expect_close(sub.imbalance([0, 0], [1, 1], [[0], [1]]), 1.0, "without any load nothing is uneven")


def check_errors(sub):
    """Too few slots, packs that do not divide"""
    expect_raises(ValueError, lambda: sub.replicate([1, 2, 3], 2), "every expert needs a slot")
    expect_raises(ValueError, lambda: sub.pack([1, 2, 3], [1, 1, 1], 2), "three replicas cannot be divided evenly among two GPUs")
    loads = [3, 9, 1]
    sub.pack(loads, sub.replicate(loads, 4), 2)
    expect_equal(loads, [3, 9, 1], "the counters belong to the caller and are not changed")


def check_random(sub, ref, rng):
    """Twenty random layers against the reference"""
    for _ in range(20):
        experts, gpus = rng.choice([1, 3, 8, 64, 256]), rng.choice([1, 2, 4, 8])
        loads = [rng.choice([0, 1, 5, rng.randint(0, 1000), 10**9]) for _ in range(experts)]
        slots = -(-(experts + rng.randint(0, 64)) // gpus) * gpus
        replicas = ref.replicate(loads, slots)
        expect_equal(sub.replicate(loads, slots), replicas, "one at a time, to the largest load per replica, among equals to the lower number")
        placement = ref.pack(loads, replicas, gpus)
        expect_equal(sub.pack(loads, replicas, gpus), placement, "heaviest first, to the least loaded GPU with room")
        expect_close(sub.imbalance(loads, replicas, placement), ref.imbalance(loads, replicas, placement), "largest over mean")
