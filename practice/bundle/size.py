"""What a reader downloads, as a table: raw, gzip and brotli bytes of each part."""

from dataclasses import dataclass

EXERCISES = "exercises"


@dataclass(frozen=True)
class Row:
    part: str
    """`stdlib`, `numpy`, ...; all exercises are one row."""
    files: int
    raw: int
    gz: int
    br: int


def sizes(files: dict[str, bytes], beside: dict[str, bytes]) -> list[Row]:
    """A row for each part, the largest first, then what a first verdict takes.

    files: of a bundle; beside: their compressed siblings.
    """
    parts: dict[str, list[str]] = {}
    for path in files:
        name = path.rsplit("/", 1)[-1].rsplit(".", 2)[0]
        parts.setdefault(EXERCISES if "/exercises/" in path else name, []).append(path)
    rows = [_row(part, paths, files, beside) for part, paths in parts.items()]
    rows.sort(key=lambda row: -row.raw)
    core = [path for part, paths in parts.items() if part not in (EXERCISES, "numpy") for path in paths]
    return [*rows, _row("without numpy and exercises", core, files, beside)]


def _row(part: str, paths: list[str], files: dict[str, bytes], beside: dict[str, bytes]) -> Row:
    def total(ending: str) -> int:
        return sum(len(beside.get(path + ending, files[path])) for path in paths)

    return Row(part, len(paths), sum(len(files[path]) for path in paths), total(".gz"), total(".br"))
