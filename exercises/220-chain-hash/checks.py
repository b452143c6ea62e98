"""Hidden checks of exercise 220: keys for prefix-cache blocks."""

from practice.kernel.expect import expect_equal, expect_raises, fail


def check_example_worked(sub):
    """The worked example of the prompt"""
    keys = sub.block_keys([1, 2, 3, 4], 2, model="m")
    expect_equal([len(key) for key in keys], [64, 64], "two full blocks give two keys of 64 hex digits")
    expect_equal(sub.cached_blocks(["aa", "bb", "cc"], {"aa", "bb"}), 2, "the first two are there")


def check_partial_block_has_no_key(sub):
    """Five tokens in blocks of two, and fewer tokens than a block"""
    expect_equal(len(sub.block_keys([1, 2, 3, 4, 5], 2, model="m")), 2, "only full blocks get a key: token 5 is in a block that will still change")
    expect_equal(sub.block_keys([1, 2, 3], 4, model="m"), [], "only full blocks get a key, and there is none")


def check_same_block_after_another_start(sub):
    """Equal blocks behind different beginnings"""
    one = sub.block_keys([1, 2, 7, 8], 2, model="m")
    two = sub.block_keys([9, 2, 7, 8], 2, model="m")
    if one[1] == two[1]:
        fail("`[7, 8]` has the same key after `[1, 2]` and after `[9, 2]`", "a block's keys and values depend on everything before it, so its key must, too")
    longer = sub.block_keys([1, 2, 7, 8, 5, 6], 2, model="m")
    expect_equal(longer[:2], one, "what follows a block does not change its key")


def check_tenants_share_nothing(sub):
    """The same tokens for other models, adapters and tenants"""
    first = [
        sub.block_keys([1, 2], 2, model="m", lora=lora, tenant=tenant)[0]
        for lora, tenant in (("", ""), ("sql", ""), ("", "acme"), ("", "bolt"))
    ]
    expect_equal(len(set(first)), 4, "adapter and tenant are part of the root: another tenant must not hit these blocks")
    other = sub.block_keys([1, 2], 2, model="n")[0]
    expect_equal(other == first[0], False, "another model's keys and values are other numbers")


def check_salt_parts_stay_apart(sub):
    """Parts of the salt that look alike when glued together"""
    keys = {sub.block_keys([1], 1, model=m, lora=l, tenant=t)[0] for m, l, t in (("ab", "c", ""), ("a", "bc", ""), ("a", "b", "c"), ("abc", "", ""))}
    expect_equal(len(keys), 4, "the separator between the parts keeps ('ab', 'c') and ('a', 'bc') apart")


def check_lookup_stops_at_first_miss(sub):
    """A cache with a hole"""
    expect_equal(sub.cached_blocks(["a", "b", "c", "d"], {"a", "c", "d"}), 1, "count up to the first missing block: c needs b's keys and values")
    expect_equal(sub.cached_blocks(["a", "b"], {"b"}), 0, "count up to the first missing block, which is the very first")
    expect_equal(sub.cached_blocks(["a", "b"], {"a", "b", "z"}), 2, "all of them are there")
    expect_equal(sub.cached_blocks([], {"a"}), 0, "no blocks, no hits")


def check_exact_keys(sub):
    """Keys that every process agrees on"""
    expect_equal(
        sub.block_keys([1, 2, 3, 4, 5], 2, model="m"),
        ["c9a8b0f2a2ddbedbac1d8c244adf28232d40ac599c9a2b1a46f3c8f05069163e", "2a7d4b4b7a811f497d0e09c280e828f25b1254e7359e775fbe8448f6b17c7702"],
        "sha256 of the parent's 32-byte digest and 4 little-endian bytes per token",
    )
    expect_equal(
        sub.block_keys([128000, 271, 2**32 - 1, 0], 4, model="llama-3-70b", lora="sql-v2", tenant="acme"),
        ["10bb3c1f5fe670458cbc69ac5a718cce54f81bbf18efa7c351a1cd1691243ebb"],
        "sha256, with model, adapter and tenant in the root; tokens go up to 2**32 - 1",
    )


def check_edges(sub):
    """No tokens, blocks of one, no block size"""
    expect_equal(sub.block_keys([], 16, model="m"), [], "no tokens, no keys")
    expect_equal(len(sub.block_keys([5, 5, 5], 1, model="m")), 3, "blocks of one token are always full")
    for size in (0, -2):
        expect_raises(ValueError, lambda: sub.block_keys([1, 2, 3], size, model="m"), "a block holds at least one token")


def check_random(sub, ref, rng):
    """Sixty random token lists against the reference"""
    for _ in range(60):
        tokens = [rng.randrange(2**32) for _ in range(rng.randrange(70))]
        size = rng.choice([1, 2, 3, 16])
        salt = dict(model=rng.choice(["m", "modèle"]), lora=rng.choice(["", "x"]), tenant=rng.choice(["", "t1", "t2"]))
        keys = ref.block_keys(tokens, size, **salt)
        expect_equal(sub.block_keys(tokens, size, **salt), keys, "the chain of the prompt, one sha256 per full block")
        cache = {key for key in keys if rng.random() < 0.8}
        expect_equal(sub.cached_blocks(keys, cache), ref.cached_blocks(keys, cache), "count up to the first missing block")
