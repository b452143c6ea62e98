"""Hidden checks of exercise 221: a block pool whose free queue is the LRU."""

from practice.kernel.expect import expect_equal, expect_raises


def check_example_worked(sub):
    """The worked example of the prompt"""
    pool = sub.PrefixPool(4, 2)
    expect_equal(pool.admit("a", [1, 2, 3]), 0, "nothing is cached at first")
    expect_equal(pool.blocks("a"), [0, 1], "blocks come from the front of the queue")
    expect_equal(pool.admit("b", [1, 2, 9]), 2, "block 0 holds 1 2")
    expect_equal(pool.blocks("b"), [0, 2], "the hit is block 0; the new block is the front of the queue, 2")
    expect_equal(pool.free_count(), 1, "block 3 is left")


def check_shared_while_running(sub):
    """Two requests with the same beginning at once"""
    pool = sub.PrefixPool(6, 2)
    pool.admit("a", [1, 2, 3, 4, 5])
    expect_equal(pool.admit("b", [1, 2, 3, 4, 6, 7]), 4, "both full blocks are shared with a")
    expect_equal(pool.blocks("b"), [0, 1, 3], "the shared blocks, then a new one")
    pool.release("a")
    expect_equal(pool.free_count(), 3, "b still uses the shared blocks: only a's third block goes back")
    pool.release("b")
    expect_equal(pool.free_count(), 6, "now nobody uses them")


def check_freed_blocks_still_hit(sub):
    """A second request after the first has ended"""
    pool = sub.PrefixPool(8, 2)
    pool.admit("a", [1, 2, 3, 4, 5])
    pool.release("a")
    expect_equal(pool.admit("b", [1, 2, 3, 4, 8]), 4, "a freed block keeps its content until it is handed out again")


def check_last_token_is_computed(sub):
    """A prompt that is cached to its last token"""
    pool = sub.PrefixPool(8, 2)
    pool.admit("a", [1, 2, 3, 4])
    expect_equal(pool.admit("b", [1, 2, 3, 4]), 2, "at least one token has to be computed, so the last block may not hit")
    expect_equal(pool.blocks("b"), [0, 2], "b gets a second block of its own")
    pool.release("b")
    expect_equal(pool.admit("c", [1, 2, 3, 4, 5]), 4, "both blocks may hit when a token follows")
    expect_equal(pool.blocks("c"), [0, 1, 3], "of two blocks with the same content the older one stays the one that is found")


def check_only_a_prefix_hits(sub):
    """The same block after another beginning"""
    pool = sub.PrefixPool(12, 2)
    pool.admit("a", [1, 2, 3, 4, 5])
    expect_equal(pool.admit("b", [9, 9, 3, 4, 5]), 0, "3 4 after 9 9 is another block than 3 4 after 1 2")
    expect_equal(pool.admit("c", [1, 2, 9, 9, 3, 4, 7]), 2, "stop at the first miss: 9 9 after 1 2 is another block than 9 9 at the start")


def check_hit_block_leaves_the_queue(sub):
    """A free block that is hit, and a newcomer that wants room"""
    pool = sub.PrefixPool(3, 2)
    pool.admit("a", [1, 2, 3])
    pool.release("a")  # free: 2 1 0
    pool.admit("b", [1, 2, 7])  # hits 0, takes 2
    expect_equal(pool.free_count(), 1, "a hit block leaves the free queue: only block 1 is left")
    expect_equal(pool.admit("c", [5, 6, 7, 8]), None, "block 0 is in use by b and must not be handed out")


def check_evicted_block_never_hits(sub):
    """Content that was overwritten"""
    pool = sub.PrefixPool(2, 2)
    pool.admit("a", [1, 2, 3])
    pool.release("a")
    pool.admit("b", [5, 6, 7, 8])
    pool.release("b")
    expect_equal(pool.admit("c", [1, 2, 3]), 0, "the block no longer holds 1 2: it was handed out for other tokens")


def check_tail_is_evicted_first(sub):
    """What is left of a long prompt under pressure"""
    pool = sub.PrefixPool(4, 2)
    pool.admit("a", [1, 2, 3, 4, 5, 6, 7])
    pool.release("a")
    pool.admit("b", [20, 21, 22])
    expect_equal(pool.blocks("b"), [3, 2], "release returns the last block first, so 3 and 2 stand at the front of the queue")
    pool.release("b")
    expect_equal(pool.admit("c", [1, 2, 3, 4, 5, 6, 7]), 4, "release returns the last block first: the start of the prompt survives longest")


def check_hit_block_is_not_room(sub):
    """A request that fits only if its hits are counted twice"""
    pool = sub.PrefixPool(3, 2)
    pool.admit("a", [1, 2, 3, 4, 5])
    pool.release("a")
    expect_equal(
        pool.admit("b", [1, 2, 3, 4, 5, 6, 7]), None, "it needs four blocks and the pool has three: a free block cannot count both as a hit and as room"
    )
    expect_equal(pool.admit("c", [1, 2, 3, 4, 5, 6]), 4, "two hits and one block of room fit exactly")


def check_refusal_changes_nothing(sub):
    """A request that does not fit, with hits"""
    pool = sub.PrefixPool(4, 2)
    pool.admit("a", [1, 2, 3])
    pool.release("a")  # free: 2 3 1 0
    pool.admit("x", [30])  # takes 2
    expect_equal(pool.admit("b", [1, 2, 3, 4, 5, 6, 7, 8]), None, "four blocks are needed: one hit, three of room, and two are there")
    expect_equal(pool.free_count(), 3, "a refused request changes nothing")
    expect_raises(KeyError, lambda: pool.blocks("b"), "a refused request does not run")
    expect_equal(pool.admit("c", [9, 9, 9, 9, 9]), 0, "a refused request changes nothing: the room is still there")
    expect_equal(pool.blocks("c"), [3, 1, 0], "and the queue still has its order")


def check_names(sub):
    """Names that run and names that do not"""
    pool = sub.PrefixPool(4, 2)
    pool.admit("a", [1])
    expect_raises(ValueError, lambda: pool.admit("a", [2]), "the name runs already, and its blocks would be lost")
    expect_raises(KeyError, lambda: pool.release("b"), "b does not run: releasing it must not free anything in silence")
    pool.release("a")
    expect_raises(KeyError, lambda: pool.release("a"), "a has ended: a second release must not free anything")
    expect_equal(pool.admit("a", [3]), 0, "an ended name may be used again")


def check_random(sub, ref, rng):
    """Fifteen random workloads against the reference"""
    for _ in range(15):
        blocks, size = rng.randint(3, 14), rng.choice([1, 2, 4])
        mine, theirs = sub.PrefixPool(blocks, size), ref.PrefixPool(blocks, size)
        running = []
        for i in range(40):
            if running and rng.random() < 0.45:
                name = running.pop(rng.randrange(len(running)))
                mine.release(name)
                theirs.release(name)
                expect_equal(mine.free_count(), theirs.free_count(), "blocks without users go to the end of the queue")
                continue
            start = rng.choice([[1, 1, 2, 2, 3, 3, 4, 4], [1, 1, 2, 2, 9, 9], [7]])
            tokens = (start * 3)[: rng.randint(1, 3 * size + 3)] + [rng.randint(0, 1) for _ in range(rng.randint(0, size))]
            expected = theirs.admit(f"r{i}", tokens)
            expect_equal(mine.admit(f"r{i}", tokens), expected, "hits first, then room, then blocks from the front of the queue")
            if expected is not None:
                running.append(f"r{i}")
                expect_equal(mine.blocks(f"r{i}"), theirs.blocks(f"r{i}"), "the queue's order decides the ids")
