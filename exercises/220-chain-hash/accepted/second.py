"""Keys for prefix-cache blocks: one packed byte string, of which block after block is folded into the digest."""

from hashlib import sha256
from itertools import accumulate, takewhile
from struct import pack


def block_keys(tokens: list[int], block_size: int, *, model: str, lora: str = "", tenant: str = "") -> list[str]:
    """One key per full block, as 64 hex digits; each covers everything before it."""
    if block_size < 1:
        raise ValueError(f"block_size is {block_size}, but it must be 1 or more")
    root = sha256("\x1f".join((model, lora, tenant)).encode()).digest()
    full_blocks = len(tokens) // block_size
    packed = pack(f"<{full_blocks * block_size}I", *tokens[: full_blocks * block_size])
    size = 4 * block_size
    contents = (packed[start : start + size] for start in range(0, len(packed), size))
    digests = accumulate(contents, lambda digest, content: sha256(digest + content).digest(), initial=root)
    return [digest.hex() for digest in digests][1:]  # without the root


def cached_blocks(keys: list[str], cache: set[str]) -> int:
    """How many leading blocks of a request the cache holds."""
    return sum(1 for _ in takewhile(cache.__contains__, keys))
