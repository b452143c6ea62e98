"""Hidden checks of exercise 200: block pool."""

from practice.kernel.expect import expect_equal, expect_raises
from practice.kernel.scenario import scenario


def check_example_allocate(sub):
    """The worked example up to the first three blocks"""
    pool = sub.BlockPool(4)
    expect_equal(pool.allocate(3), [0, 1, 2], "from the front of the queue 0 1 2 3")
    expect_equal(pool.num_free, 1, "one of four is left")


def check_example_release(sub):
    """Released blocks join the back of the queue"""
    pool = sub.BlockPool(3)
    pool.allocate(3)
    pool.release([0, 1, 2])
    expect_equal(pool.allocate(3), [0, 1, 2], "the queue is 0 1 2 again")


def check_shared_block(sub):
    """A block with two owners"""
    pool = sub.BlockPool(4)
    pool.allocate(3)
    pool.share([1])
    expect_equal(pool.ref_count(1), 2, "share adds one reference")
    pool.release([1])
    expect_equal(pool.num_free, 1, "a block with another owner stays in use")
    expect_equal(pool.ref_count(1), 1, "release takes one reference")
    pool.release([1])
    expect_equal(pool.num_free, 2, "the last reference frees the block")


def check_reuse_order(sub):
    """First freed is first reused"""
    pool = sub.BlockPool(4)
    pool.allocate(3)
    pool.share([1])
    pool.release([2, 1, 0])
    expect_equal(pool.allocate(2), [3, 2], "first freed is first reused: block 3 was free all along, then 2 was freed, then 0")
    expect_equal(pool.allocate(1), [0], "first freed is first reused")


def check_refusal(sub):
    """More blocks than are free"""
    pool = sub.BlockPool(4)
    pool.allocate(1)
    expect_equal(pool.allocate(4), None, "only three are free")
    expect_equal(pool.num_free, 3, "a refused request takes nothing: None, and nothing changes")
    expect_equal(pool.allocate(3), [1, 2, 3], "exactly all that are free is possible")
    expect_equal(pool.allocate(1), None, "nothing is free")


def check_double_release(sub):
    """Releasing a free block"""
    pool = sub.BlockPool(3)
    pool.allocate(2)
    pool.release([0])
    expect_raises(ValueError, lambda: pool.release([0]), "a block released twice would be in the free queue twice, and get two owners who do not know of each other")
    expect_equal(pool.num_free, 2, "a refused release changes nothing")
    expect_raises(ValueError, lambda: pool.release([2]), "block 2 was never taken")
    expect_equal(pool.allocate(2), [2, 0], "every block is in the queue once")


def check_nothing_changes(sub):
    """A mistake in the middle of a list"""
    pool = sub.BlockPool(4)
    pool.allocate(2)
    expect_raises(ValueError, lambda: pool.release([0, 3]), "block 3 is free")
    expect_equal(pool.ref_count(0), 1, "a refused call changes nothing, also not for the blocks before the mistake")
    expect_equal(pool.num_free, 2, "a refused call changes nothing")
    expect_raises(ValueError, lambda: pool.share([1, 3]), "a free block cannot be shared")
    expect_equal(pool.ref_count(1), 1, "a refused call changes nothing, also not for the blocks before the mistake")
    expect_equal(pool.allocate(2), [2, 3], "the queue is as it was")


def check_repeated_mentions(sub):
    """A block named more than once in a list"""
    pool = sub.BlockPool(3)
    pool.allocate(3)
    pool.share([1, 1])
    expect_equal(pool.ref_count(1), 3, "every mention counts")
    pool.release([1, 0, 1, 1])
    expect_equal(pool.allocate(2), [0, 1], "block 1 is free at its third mention, after block 0")
    expect_raises(ValueError, lambda: pool.release([2, 2]), "block 2 has one reference and is named twice: count the mentions before changing anything")
    expect_equal(pool.ref_count(2), 1, "a refused release changes nothing")


def check_unknown_blocks(sub):
    """Blocks that do not exist"""
    pool = sub.BlockPool(2)
    pool.allocate(2)
    exist = "blocks are 0 to num_blocks - 1; in Python -1 quietly means the last"
    for block in (2, -1):
        expect_raises(ValueError, lambda: pool.ref_count(block), exist)
        expect_raises(ValueError, lambda: pool.release([0, block]), exist)
        expect_raises(ValueError, lambda: pool.share([0, block]), exist)
    expect_equal(pool.ref_count(0), 1, "a refused call changes nothing")
    expect_equal(pool.ref_count(1), 1, "a refused call changes nothing")


def check_empty(sub):
    """No blocks, empty lists"""
    pool = sub.BlockPool(2)
    pool.allocate(2)
    expect_equal(pool.allocate(0), [], "no blocks are always to be had")
    pool = sub.BlockPool(0)
    expect_equal(pool.num_free, 0, "a pool may be empty")
    expect_equal(pool.allocate(0), [], "no blocks are always to be had")
    expect_equal(pool.allocate(1), None, "nothing is free")
    pool.release([])
    pool.share([])
    expect_raises(ValueError, lambda: pool.ref_count(0), "there is no block at all")


def check_arguments_unchanged(sub):
    """The caller's lists stay as they are"""
    pool = sub.BlockPool(3)
    pool.allocate(3)
    blocks = [2, 0, 1]
    pool.share(blocks)
    pool.release(blocks)
    expect_equal(blocks, [2, 0, 1], "the list belongs to the caller")


def check_random(sub, ref, rng):
    """Three hundred random calls, in step with the reference"""
    size = rng.randrange(4, 13)
    pool, model = sub.BlockPool(size), ref.BlockPool(size)
    for _ in range(300):
        name = rng.choice(["allocate", "share", "release", "release"])
        if name == "allocate":
            argument = rng.randrange(0, 5)
        else:
            used = [block for block in range(size) for _ in range(model.ref_count(block))]
            argument = rng.sample(used, rng.randrange(0, min(len(used), 5) + 1))
            if rng.random() < 0.15:
                argument.insert(rng.randrange(len(argument) + 1), rng.randrange(-1, size + 1))
        try:
            expected = getattr(model, name)(argument)
        except ValueError:
            expect_raises(ValueError, lambda: getattr(pool, name)(argument), "a mistake of the caller")
        else:
            expect_equal(getattr(pool, name)(argument), expected, "the same calls on the reference gave this")
        expect_equal(pool.num_free, model.num_free, "free blocks and blocks in use add up to the pool")


@scenario
def take_in_eights(submission, count):
    """Take all blocks eight at a time, give them back so; the last ones taken and the free ones at the end."""
    pool = submission.BlockPool(count)
    for _ in range(count // 8):
        last = pool.allocate(8)
    for block in range(0, count, 8):
        pool.release(list(range(block, block + 8)))
    return {"last": last, "free": pool.num_free}


def check_size(sub):
    """Two hundred thousand blocks, eight at a time"""
    seen = sub.run(take_in_eights, 200_000)
    expect_equal(seen, {"last": list(range(199_992, 200_000)), "free": 200_000}, "all blocks in order, and all back")
