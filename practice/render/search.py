"""The search index, in the form MiniSearch 7 reads: built here, loaded by the page on first use."""

import json
import re
from collections import Counter

# MiniSearch's own tokenizer splits at blanks and punctuation of Unicode; what is neither letter, digit nor mark is near enough.
BETWEEN = re.compile(r"[\W_]+")
FIELDS = ("title", "text")


def to_documents(pages: list[tuple[str, str, str, list[dict]]]) -> list[dict]:
    """pages: (address, title, kind, [{title, anchor, text}]) to one document per section."""
    documents = []
    for address, page_title, kind, sections in pages:
        for section in sections:
            url = address + (f"#{section['anchor']}" if section["anchor"] else "")
            documents.append({"url": url, "title": section["title"], "page": page_title, "kind": kind, "text": section["text"]})
    return documents


def to_index(documents: list[dict]) -> str:
    """JSON for MiniSearch.loadJSON with fields title and text; stores url, title, page, kind and the first words."""
    postings: dict[str, dict[int, dict[int, int]]] = {}
    lengths: dict[str, list[int]] = {}
    for number, document in enumerate(documents):
        split = [BETWEEN.split(document[name]) for name in FIELDS]
        counts = [Counter(word.lower() for word in words if word) for words in split]
        # As MiniSearch counts: distinct pieces as they stand, an empty one at an end included.
        lengths[str(number)] = [len(set(words)) for words in split]
        for field, count in enumerate(counts):
            for word, times in count.items():
                postings.setdefault(word, {}).setdefault(field, {})[number] = times
    total = max(1, len(documents))
    averages = [sum(length[field] for length in lengths.values()) / total for field in range(len(FIELDS))]
    index = {
        "documentCount": len(documents),
        "nextId": len(documents),
        "documentIds": {str(number): number for number in range(len(documents))},
        "fieldIds": {name: number for number, name in enumerate(FIELDS)},
        "fieldLength": lengths,
        "averageFieldLength": averages,
        "storedFields": {str(number): stored(document) for number, document in enumerate(documents)},
        "dirtCount": 0,
        "index": sorted(postings.items()),
        "serializationVersion": 2,
    }
    return json.dumps(index, separators=(",", ":"), ensure_ascii=False)


def stored(document: dict) -> dict:
    text = document["text"]
    return {key: document[key] for key in ("url", "title", "page", "kind")} | {"start": text if len(text) < 180 else text[:170].rsplit(" ", 1)[0] + " ..."}
