"""The topics of the catalogue and the numbers each one owns."""

TOPICS: dict[str, range] = {
    "observability": range(140, 150),
    "queueing": range(150, 160),
    "cost": range(160, 170),
    "estimation": range(180, 200),
    "kv-cache": range(200, 220),
    "prefix-cache": range(220, 240),
    "scheduling": range(300, 320),
    "sampling": range(400, 420),
    "speculative": range(420, 440),
    "attention": range(500, 520),
    "quantization": range(520, 540),
    "parallelism": range(600, 620),
    "moe": range(620, 640),
    "disaggregation": range(640, 660),
    "reliability": range(700, 720),
    "rate-limiting": range(720, 740),
    "lora": range(740, 760),
    "rl-rollout": range(760, 780),
    "multimodal": range(780, 800),
    "design": range(900, 950),
}
"""Slug to numbers. Numbers are permanent: an exercise keeps its number for ever."""

LEVELS = ("easy", "medium", "hard")


def topic_of(number: int) -> str:
    """The topic that owns this number, or "" when none does."""
    return next((slug for slug, numbers in TOPICS.items() if number in numbers), "")
