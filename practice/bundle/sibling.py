"""Compressed copies beside the files: a host that serves them sends half the bytes, and others do not mind."""

import gzip
import hashlib
from collections.abc import Callable

from practice.bundle.folder import cache_folder, write_whole

ENDINGS = (".js", ".mjs", ".json", ".wasm", ".css", ".html", ".svg", ".xml")
LEAST = 1000
"""Bytes below which a second file costs more than it saves."""


def siblings(files: dict[str, bytes], say: Callable[[str], None] = lambda line: None) -> dict[str, bytes]:
    """Path + ".br" and path + ".gz" for each file worth it, at the highest level: kept in the cache, as it takes a minute for 25 MB."""
    found = {}
    for path, data in files.items():
        if path.endswith(ENDINGS) and len(data) >= LEAST:
            found[f"{path}.br"] = _kept("br", data, brotli_of, path, say)
            found[f"{path}.gz"] = _kept("gz", data, gzip_of, path, say)
    return found


def brotli_of(data: bytes) -> bytes:
    import brotli

    return brotli.compress(data, quality=11, lgwin=24)


def gzip_of(data: bytes) -> bytes:
    return gzip.compress(data, 9, mtime=0)


def _kept(kind: str, data: bytes, compress: Callable[[bytes], bytes], path: str, say: Callable[[str], None]) -> bytes:
    kept = cache_folder() / "siblings" / f"{hashlib.sha256(data).hexdigest()[:32]}.{kind}"
    if not kept.is_file():
        if len(data) > 1e6:
            say(f"compressing {path}, {len(data) / 1e6:.1f} MB")
        write_whole(kept, compress(data))
    return kept.read_bytes()
