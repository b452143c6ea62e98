"""A new exercise folder: a small whole exercise to rewrite, with a TODO wherever the author's own words belong."""

from pathlib import Path

from practice.catalog.field import SLUG
from practice.catalog.topic import TOPICS, topic_of
from practice.kernel.errors import PracticeError

BLANK = Path(__file__).with_name("blank")


def new_exercise(root: Path, number: int, slug: str, title: str = "") -> Path:
    """Writes exercises/NUMBER-SLUG under `root` and returns it; nothing that exists is touched.

    Raises PracticeError when the number is taken or belongs to no topic, or the slug is none.
    """
    topic = topic_of(number)
    if not topic:
        known = ", ".join(f"{slug} {numbers.start}-{numbers.stop - 1}" for slug, numbers in TOPICS.items())
        raise PracticeError(f"{number} belongs to no topic; the topics are {known}", "take a free number of the topic it belongs to")
    if not SLUG.fullmatch(slug):
        raise PracticeError(f'"{slug}" cannot be a slug; it must be lower-case words joined by hyphens', "write it like `kv-block-pool`")
    _refuse_taken(root / "exercises", number, slug, topic)
    folder = root / "exercises" / f"{number}-{slug}"
    for source in sorted(path for path in BLANK.rglob("*") if path.is_file() and path.suffix != ".pyc"):
        target = folder / source.relative_to(BLANK)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_filled(source, number, slug, title, topic), "utf-8")
    return folder


def _refuse_taken(exercises: Path, number: int, slug: str, topic: str) -> None:
    taken = {int(path.name.partition("-")[0]) for path in exercises.glob("[0-9]*-*")}
    if number in taken:
        free = [str(n) for n in TOPICS[topic] if n not in taken][:5]
        raise PracticeError(f"{number} is taken, and a number is never used twice", f"free in {topic}: {', '.join(free)}")
    same = next(exercises.glob(f"[0-9]*-{slug}"), None)
    if same is not None and same.name.partition("-")[2] == slug:
        raise PracticeError(f'the slug "{slug}" is taken by {same.name}', "take another one")


def _filled(source: Path, number: int, slug: str, title: str, topic: str) -> str:
    text = source.read_text("utf-8")
    if source.name == "exercise.toml":
        text = text.replace("number = 0", f"number = {number}").replace('"a-slug"', f'"{slug}"')
        text = text.replace('"estimation"', f'"{topic}"')
        if title:
            # A JSON string is a TOML basic string, quotes and backslashes escaped alike.
            import json

            text = text.replace('"TODO a short title"', json.dumps(title, ensure_ascii=False))
    return text
