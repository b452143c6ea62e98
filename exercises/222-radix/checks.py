"""Hidden checks of exercise 222: a radix tree of cached prefixes."""

from practice.kernel.expect import expect_equal, expect_raises, fail


def tree_of(sub, *sequences):
    cache = sub.RadixCache()
    for tokens in sequences:
        cache.insert(tokens)
    return cache


def check_example_worked(sub):
    """The worked example of the prompt"""
    cache = sub.RadixCache()
    expect_equal(cache.insert([9]), 1, "one token, and it is new")
    expect_equal(cache.insert([1, 2, 3]), 3, "another beginning: all three are new")
    expect_equal(cache.insert([1, 2, 3, 4, 5]), 2, "1 2 3 is shared")
    expect_equal(cache.match([1, 2, 3, 4, 5, 6]), 5, "5 of the 6 are cached")
    expect_equal(cache.size(), 6, "a shared beginning counts once")
    expect_equal(cache.evict(1), 1, "the least recently used leaf is 9")


def check_partial_edge(sub):
    """A prefix that ends inside an edge"""
    cache = tree_of(sub, [5, 6, 7, 8])
    expect_equal(cache.match([5, 6]), 2, "a prefix may end in the middle of an edge")
    expect_equal(cache.match([5, 6, 1]), 2, "sequences may part in the middle of an edge")
    expect_equal(cache.insert([5, 6, 7]), 0, "a prefix that ends in the middle of an edge is cached already")
    expect_equal(cache.size(), 4, "splitting an edge neither adds nor loses tokens")
    expect_equal(cache.match([5, 6, 7, 8]), 4, "what was cached before a split is still there")
    expect_equal(cache.match([6, 7]), 0, "a prefix starts at the root")


def check_evicts_whole_leaves(sub):
    """A count that is not a sum of edges"""
    cache = tree_of(sub, [1, 2, 3, 4, 5], [9, 8, 7])
    expect_equal(cache.evict(2), 5, "whole leaves go, the least recently used first, until at least 2 tokens are gone")
    expect_equal(cache.size(), 3, "9 8 7 is left")
    expect_equal(cache.evict(0), 0, "a count of 0 removes nothing")
    expect_equal(cache.evict(100), 3, "when nothing is left, that is all there was")


def check_use_refreshes(sub):
    """A match between two inserts"""
    cache = tree_of(sub, [1, 1], [2, 2], [3, 3])
    cache.match([1, 1])
    cache.evict(1)
    expect_equal(cache.match([1, 1]), 2, "a match is a use: the least recently used leaf was 2 2")
    expect_equal(cache.match([2, 2]), 0, "the least recently used leaf was 2 2")
    cache = tree_of(sub, [1, 2, 3, 4], [8, 8])
    cache.match([1, 2])  # splits: 1 2 is used now, 3 4 keeps its old time
    cache.evict(1)
    expect_equal(cache.match([1, 2, 3, 4]), 2, "a split's lower half keeps its old time, so 3 4 was the least recently used leaf")


def check_only_leaves_are_evicted(sub):
    """An old node with young children"""
    cache = tree_of(sub, [1, 2], [1, 2, 3], [9])
    expect_equal(cache.evict(1), 1, "only leaves go: 3 is one; 1 2 was used at the same tick but has a child")
    cache = tree_of(sub, [1, 2, 3, 4], [1, 2, 5, 6], [7, 7])
    expect_equal(cache.evict(1), 2, "only leaves go: 3 4 is the oldest of them")
    expect_equal(cache.match([1, 2, 5, 6]), 4, "only leaves may go: 5 6 still needs 1 2 before it")
    cache = tree_of(sub, [1, 2, 3], [1, 2, 4], [9])
    expect_equal(cache.evict(3), 4, "when both children have gone, 1 2 is a leaf itself, and older than 9")
    expect_equal(cache.match([9]), 1, "9 was used last")


def check_locks_count(sub):
    """Two readers of one prefix"""
    cache = tree_of(sub, [1, 2])
    cache.lock([1, 2])
    cache.lock([1, 2])
    cache.unlock([1, 2])
    expect_equal(cache.evict(2), 0, "locks count: one of two readers is still there")
    cache.unlock([1, 2])
    expect_equal(cache.evict(2), 2, "both readers are gone")


def check_lock_holds_the_whole_path(sub):
    """A locked prefix under full eviction"""
    cache = tree_of(sub, [1, 2, 3, 4], [1, 2, 5], [8])
    cache.lock([1, 2, 3, 4])
    expect_equal(cache.evict(100), 2, "the whole path to the lock stays: only 5 and 8 may go")
    expect_equal(cache.match([1, 2, 3, 4]), 4, "the whole path to the lock stays")
    cache.insert([1, 2, 3, 4, 6])
    expect_equal(cache.evict(100), 1, "what is inserted below a lock is not locked")
    cache.unlock([1, 2, 3, 4])
    expect_equal(cache.evict(100), 4, "without the lock it may go")


def check_split_keeps_the_lock(sub):
    """An edge that is split while somebody reads it"""
    cache = tree_of(sub, [1, 2, 3, 4])
    cache.lock([1, 2, 3, 4])
    cache.insert([1, 2, 9])
    expect_equal(cache.evict(100), 1, "both halves of a split edge stay locked: only 9 may go")
    cache.unlock([1, 2, 3, 4])
    expect_equal(cache.evict(100), 4, "one unlock frees both halves")
    cache = tree_of(sub, [1, 2, 3, 4])
    cache.lock([1, 2])
    expect_equal(cache.evict(100), 2, "`lock` splits where its tokens end: 3 4 is not locked")
    cache = tree_of(sub, [1, 2, 3])
    cache.lock([1, 2, 3])
    cache.lock([1])
    cache.unlock([1, 2, 3])
    expect_equal(cache.evict(100), 2, "`lock` split the edge, both halves kept the first lock, and 1 has a second one")


def check_errors(sub):
    """Locks on what is not there"""
    cache = tree_of(sub, [1, 2, 3])
    expect_raises(ValueError, lambda: cache.lock([1, 2, 4]), "only 1 2 of it is cached: a reader would read past the end")
    expect_equal(cache.evict(100), 3, "a refused lock locks nothing")
    cache = tree_of(sub, [1, 2, 3])
    expect_raises(ValueError, lambda: cache.unlock([1, 2, 3]), "nobody locked it")
    cache.lock([1, 2])
    expect_raises(ValueError, lambda: cache.unlock([1, 2, 3]), "the lock ends at 2")
    expect_equal(cache.evict(100), 1, "a refused unlock changes nothing: 1 2 is still locked")


def check_empty(sub):
    """No tokens at all"""
    cache = sub.RadixCache()
    expect_equal(cache.match([1]), 0, "an empty tree matches nothing")
    expect_equal(cache.insert([]), 0, "nothing to insert")
    try:
        cache.lock([])
        cache.unlock([])
        cache.unlock([])
    except ValueError as error:
        fail(f"locking and unlocking `[]` raised ValueError: {error}", "empty tokens may be locked and unlocked freely")
    expect_equal((cache.size(), cache.evict(5)), (0, 0), "nothing is cached, nothing can go")


def check_random(sub, ref, rng):
    """Twelve random histories against the reference"""
    for _ in range(12):
        mine, theirs = sub.RadixCache(), ref.RadixCache()
        locked = []
        for _ in range(60):
            tokens = [rng.randrange(3) for _ in range(rng.randrange(10))]
            action = rng.choice(["insert", "insert", "match", "lock", "unlock", "evict"])
            if action == "lock":
                tokens = tokens[: theirs.match(tokens)]
                mine.match(tokens)
                locked.append(tokens)
            if action == "unlock":
                if not locked:
                    continue
                tokens = locked.pop(rng.randrange(len(locked)))
            argument = rng.randrange(6) if action == "evict" else tokens
            expected = getattr(theirs, action)(argument)
            expect_equal(getattr(mine, action)(argument), expected, "split where tokens end or part; leaves only; locks hold the whole path")
        expect_equal(mine.size(), theirs.size(), "the sum of the lengths of all edges")
