"""Hidden checks of exercise 201: copy on write.

Besides fixed cases there is an invariant: a simulated memory does what `append` says, and every sequence must read back its own tokens.
"""

from practice.kernel.expect import expect_equal, expect_raises

REFUSED = "a refused call changes nothing"


def check_example_add(sub):
    """The worked example: a sequence of five tokens"""
    table = sub.SequenceTable(4, 4)
    expect_equal(table.add(5), 0, "the first id is 0")
    expect_equal(table.blocks(0), [0, 1], "five tokens take two blocks of four")
    expect_equal(table.num_free, 2, "two of four are left")


def check_example_append(sub):
    """The worked example: a sixth token"""
    table = sub.SequenceTable(4, 4)
    table.add(5)
    expect_equal(table.append(0), (1, 1, None), "the second place of block 1, nothing to copy")


def check_grow(sub):
    """A sequence that grows over a block's border"""
    table = sub.SequenceTable(4, 3)
    table.add(0)
    expect_equal(table.blocks(0), [], "no tokens, no blocks")
    expect_equal(table.append(0), (0, 0, None), "the first token gets the first block")
    expect_equal(table.append(0), (0, 1, None), "the second place of the block")
    expect_equal(table.append(0), (0, 2, None), "the third place of the block")
    expect_equal(table.append(0), (1, 0, None), "the block is full: a new one")
    expect_equal(table.blocks(0), [0, 1], "blocks in the order of the tokens")
    expect_equal(table.add(3), 1, "the next sequence")
    expect_equal(table.blocks(1), [2], "three tokens fill one block of three exactly")


def check_fork_shares(sub):
    """A fork takes no block"""
    table = sub.SequenceTable(4, 4)
    table.add(6)
    expect_equal(table.fork(0), 1, "the next id")
    expect_equal(table.blocks(1), [0, 1], "a fork shares all blocks and copies none")
    expect_equal(table.num_free, 2, "a fork shares all blocks and takes none")


def check_copy_on_write(sub):
    """The first write into a shared block"""
    table = sub.SequenceTable(4, 4)
    table.add(6)
    table.fork(0)
    expect_equal(table.append(1), (2, 2, 1), "block 1 is in the parent's table too: writing there would overwrite the parent's next token")
    expect_equal(table.blocks(1), [0, 2], "only the last block is copied, into its place in the table")
    expect_equal(table.blocks(0), [0, 1], "the parent keeps its table")
    expect_equal(table.num_free, 1, "one copy, one block; full blocks stay shared")


def check_last_owner_writes(sub):
    """A block that is no longer shared"""
    table = sub.SequenceTable(4, 4)
    table.add(6)
    table.fork(0)
    table.append(1)
    expect_equal(table.append(0), (1, 2, None), "the child has let go of block 1, so the parent is its only owner and writes in place")
    table = sub.SequenceTable(4, 4)
    table.add(6)
    table.fork(0)
    table.free(0)
    expect_equal(table.append(1), (1, 2, None), "the parent has ended, so the child is the only owner and writes in place")


def check_three_owners(sub):
    """A block in three tables"""
    table = sub.SequenceTable(5, 4)
    table.add(1)
    table.fork(0)
    table.fork(1)
    expect_equal(table.append(2), (1, 1, 0), "two others hold block 0")
    expect_equal(table.append(0), (2, 1, 0), "one other holds block 0")
    expect_equal(table.append(1), (0, 1, None), "nobody else holds block 0 any more")


def check_full_block_shared(sub):
    """A shared block that is full"""
    table = sub.SequenceTable(4, 4)
    table.add(4)
    table.fork(0)
    expect_equal(table.append(1), (1, 0, None), "a full block is never written again: take a new block, copy nothing")
    expect_equal(table.blocks(1), [0, 1], "a full block stays shared")
    expect_equal(table.append(0), (2, 0, None), "a full block is never written again: take a new block, copy nothing")


def check_tables_apart(sub):
    """What one appends the other does not see"""
    table = sub.SequenceTable(6, 2)
    table.add(2)
    table.fork(0)
    table.append(0)
    expect_equal(table.blocks(1), [0], "the fork has a table of its own")
    table.append(1)
    expect_equal(table.blocks(0), [0, 1], "the fork has a table of its own")


def check_free(sub):
    """Ending sequences"""
    table = sub.SequenceTable(4, 2)
    table.add(5)
    table.fork(0)
    table.free(0)
    expect_equal(table.num_free, 1, "the fork still holds all three blocks")
    table.free(1)
    expect_equal(table.num_free, 4, "nobody holds any block")
    table.add(8)
    expect_equal(table.blocks(2), [3, 2, 1, 0], "the last block is let go first, so the head of the sequence is reused last")


def check_add_refused(sub):
    """Too few blocks for a new sequence"""
    table = sub.SequenceTable(3, 4)
    table.add(4)
    expect_equal(table.add(9), None, "three blocks are needed, two are free")
    expect_equal(table.num_free, 2, REFUSED)
    expect_equal(table.add(8), 1, "a refused call uses up no id")
    expect_equal(table.blocks(1), [1, 2], REFUSED)
    expect_equal(table.add(0), 2, "no tokens need no block")
    expect_equal(table.add(1), None, "nothing is free")


def check_append_refused(sub):
    """No free block for a copy or for the next token"""
    table = sub.SequenceTable(2, 2)
    table.add(3)
    table.fork(0)
    expect_equal(table.append(1), None, "the copy needs a block and none is free")
    expect_equal(table.blocks(1), [0, 1], REFUSED)
    expect_equal(table.append(0), None, "the copy needs a block and none is free")
    table.free(1)
    expect_equal(table.append(0), (1, 1, None), "the refused append left length and references as they were")
    expect_equal(table.append(0), None, "the next token needs a block and none is free")
    expect_equal(table.append(0), None, "the number of tokens does not change when an append is refused")


def check_unknown_ids(sub):
    """Sequences that are not there"""
    table = sub.SequenceTable(4, 4)
    table.add(5)
    table.fork(0)
    table.free(0)
    for seq in (0, 2, -1):
        for name in ("fork", "append", "free", "blocks"):
            expect_raises(ValueError, lambda: getattr(table, name)(seq), "this sequence has ended, or never was")
    expect_equal(table.num_free, 2, REFUSED)
    expect_equal(table.add(0), 2, "ids are never used twice")


def check_contents(sub, rng):
    """Three hundred random calls; every sequence reads back its own tokens"""
    size = rng.randrange(1, 5)
    table, memory, texts, serial = sub.SequenceTable(rng.randrange(6, 16), size), {}, {}, 0
    for _ in range(300):
        name = rng.choice(["add", "fork", "append", "append", "append", "free"]) if texts else "add"
        if name == "add":
            tokens = [f"t{serial + i}" for i in range(rng.randrange(0, 2 * size + 2))]
            seq = table.add(len(tokens))
            if seq is not None:
                blocks = table.blocks(seq)
                memory.update({(blocks[i // size], i % size): token for i, token in enumerate(tokens)})
                texts[seq] = tokens
        else:
            seq = rng.choice(sorted(texts))
            if name == "fork":
                texts[table.fork(seq)] = list(texts[seq])
            elif name == "free":
                table.free(seq)
                del texts[seq]
            elif (place := table.append(seq)) is not None:
                block, offset, copied_from = place
                if copied_from is not None:
                    memory.update({(block, i): memory.get((copied_from, i)) for i in range(size)})
                memory[block, offset] = f"t{serial}"
                texts[seq].append(f"t{serial}")
        serial += 2 * size + 2
        if texts:
            seq = rng.choice(sorted(texts))
            blocks = table.blocks(seq)
            read = [memory.get((blocks[i // size], i % size)) for i in range(len(texts[seq]))]
            expect_equal(read, texts[seq], "a sequence reads its own tokens, whatever the others wrote")


def check_random(sub, ref, rng):
    """Three hundred random calls, in step with the reference"""
    arguments = (rng.randrange(4, 12), rng.randrange(1, 5))
    table, model, last = sub.SequenceTable(*arguments), ref.SequenceTable(*arguments), 0
    for _ in range(300):
        name = rng.choice(["add", "fork", "append", "append", "append", "free", "blocks"])
        argument = rng.randrange(0, 3 * arguments[1]) if name == "add" else rng.randrange(max(0, last - 4), last + 1)
        try:
            expected = getattr(model, name)(argument)
        except ValueError:
            expect_raises(ValueError, lambda: getattr(table, name)(argument), "this sequence has ended, or never was")
        else:
            expect_equal(getattr(table, name)(argument), expected, "the same calls on the reference gave this")
            if name in ("add", "fork") and expected is not None:
                last = expected + 1
        expect_equal(table.num_free, model.num_free, "blocks in no table")
