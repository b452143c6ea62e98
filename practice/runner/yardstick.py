"""How fast this machine is: limits are set on a machine of yardstick 1.0 and stretched by the yardstick of this one.

Measured in a few hundredths of a second of CPU time, kept per interpreter in a small file of the user's cache.
"""

import json
import os
import sys
import time
from pathlib import Path

REFERENCE_SECONDS = 0.0034
"""CPU seconds of one `_loop` on the machine the limits were set on (two shared cores, CPython 3.11)."""
ROUNDS = 5
SLOWEST, FASTEST = 10.0, 1.0
"""A measured yardstick is kept within these: a faster machine does not shorten a limit that a learner has read."""
FRESH_SECONDS = 30 * 24 * 3600.0


def measure() -> float:
    """CPU time of a fixed piece of pure Python, best of a few, as a multiple of the reference's."""
    return max(FASTEST, min(SLOWEST, min(_loop() for _ in range(ROUNDS)) / REFERENCE_SECONDS))


def read_or_measure(path: Path | None = None) -> float:
    """The kept yardstick of this interpreter, or a fresh one, which is then kept."""
    path = path or cache_path()
    try:
        kept = json.loads(path.read_text())
        if time.time() - kept["at"] < FRESH_SECONDS and FASTEST <= kept["yardstick"] <= SLOWEST:
            return float(kept["yardstick"])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    yardstick = measure()
    keep(yardstick, path)
    return yardstick


def keep(yardstick: float, path: Path | None = None) -> None:
    """Store it for the next run; where that is not possible the next run measures again."""
    path = path or cache_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}")
        part.write_text(json.dumps({"yardstick": yardstick, "at": time.time()}))
        part.replace(path)
    except OSError:
        pass


def cache_path() -> Path:
    folder = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(folder, "inference-practice", f"yardstick-{sys.implementation.cache_tag}.json")


def _loop() -> float:
    """Integers, floats, a dict and a list, as a submission would use them."""
    before = time.process_time()
    seen: dict[int, float] = {}
    total = 0.0
    for i in range(20_000):
        key = i * 7 % 1009
        total += seen.get(key, 0.5) * 0.25
        seen[key] = total % 3.0
    sorted(seen.values())
    return time.process_time() - before
