"""Hidden checks of exercise 223: a router that weighs cache against load."""

from practice.kernel.expect import expect_equal, expect_raises


def routed(router, *requests):
    """Where each request goes; nothing finishes."""
    return [router.route(list(keys)) for keys in requests]


def check_example_worked(sub):
    """The worked example of the prompt"""
    router = sub.Router(2, 100, 3)
    expect_equal(router.route(["a", "b"]), 0, "equal scores and equal load: the lower number")
    router.finish(0)
    expect_equal(router.route(["a", "b", "c"]), 0, "two cached blocks against none")
    expect_equal(router.route(["x"]), 1, "replica 0 has one outstanding request, which costs 3")


def check_only_the_chosen_replica_learns(sub):
    """A prefix that only one replica has seen"""
    router = sub.Router(2, 100, 3)
    routed(router, "pqrs", "x")  # 0 learns pqrs, 1 learns x
    router.finish(1)
    # Replica 0: 4 - 3 = 1; replica 1: 0.
    expect_equal(router.route(list("pqrst")), 0, "only the chosen replica has computed the blocks, so only its index learns them")


def check_hot_prefix_spreads(sub):
    """One popular prefix, nobody finishes"""
    expect_equal(
        routed(sub.Router(2, 100, 3), *["abcd"] * 4), [0, 0, 1, 1],
        "the load counts, too: for the third request replica 0 scores 4 - 3 * 2 = -2, the empty one scores 0",
    )


def check_tie_goes_to_the_less_loaded(sub):
    """Equal scores, different load"""
    expect_equal(
        routed(sub.Router(2, 100, 2), "ab", "abc"), [0, 1],
        "2 - 2 * 1 = 0 on both: the one with fewer outstanding requests gets it",
    )


def check_only_leading_blocks_count(sub):
    """Known blocks behind an unknown one"""
    router = sub.Router(2, 100, 0)
    routed(router, "abcd", "xy")
    router.finish(0)
    expect_equal(router.route(list("xzbcd")), 1, "count up to the first missing block: 1 on replica 1 (x), none on replica 0")


def check_capacity(sub):
    """An index that is full"""
    router = sub.Router(2, 2, 0)
    routed(router, "ab")
    router.finish(0)
    routed(router, "pq")  # nobody knows them and nobody is busy: replica 0, whose two places they fill
    expect_equal(router.route(list("ab")), 1, "a and b were evicted from replica 0 when p and q came, so the scores are equal and 1 is idle")


def check_head_survives(sub):
    """A prompt longer than the index"""
    router = sub.Router(2, 3, 0)
    routed(router, "abcde")
    expect_equal(router.route(list("abc")), 0, "the start of the prompt survives longest: a, b and c are left of a b c d e")


def check_finish_keeps_the_blocks(sub):
    """The second turn of a conversation"""
    router = sub.Router(3, 100, 2)
    routed(router, "x", "abcd")
    router.finish(1)
    router.finish(0)
    expect_equal(router.route(list("abcdef")), 1, "the blocks of a finished request stay cached")


def check_edges(sub):
    """One replica, no full block"""
    router = sub.Router(1, 4, 10)
    expect_equal(routed(router, "abc", "abc", ""), [0, 0, 0], "one replica gets everything")
    expect_equal(routed(sub.Router(3, 4, 1), "", "", "", ""), [0, 1, 2, 0], "a request without a full block goes by load, then to the lower number")


def check_errors(sub):
    """Finishing what is not there"""
    router = sub.Router(2, 4, 1)
    router.route(["a"])
    expect_raises(ValueError, lambda: router.finish(1), "replica 1 has nothing to finish")
    expect_raises(ValueError, lambda: router.finish(2), "there are replicas 0 and 1")
    expect_raises(ValueError, lambda: router.finish(-1), "there are replicas 0 and 1, and -1 is not the last one")
    router.finish(0)
    expect_raises(ValueError, lambda: router.finish(0), "replica 0 has nothing to finish any more")


def check_random(sub, ref, rng):
    """Ten random hours of traffic against the reference"""
    for _ in range(10):
        settings = (rng.randint(1, 6), rng.choice([1, 3, 8, 50]), rng.randint(0, 4))
        mine, theirs = sub.Router(*settings), ref.Router(*settings)
        running = []
        for _ in range(60):
            if running and rng.random() < 0.4:
                replica = running.pop(rng.randrange(len(running)))
                mine.finish(replica)
                theirs.finish(replica)
                continue
            document = rng.choice("ABCDE")
            keys = [f"{document}{i}" for i in range(rng.randint(0, 6))]
            expected = theirs.route(keys)
            expect_equal(mine.route(keys), expected, "cached blocks minus load cost; ties by load, then by number; the chosen index learns, last key first")
            running.append(expected)
