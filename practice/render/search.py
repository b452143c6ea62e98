"""The search index, in the form MiniSearch 7 reads: built here, loaded by the page on first use."""

import json
import re
from collections import Counter, defaultdict

# MiniSearch's own tokenizer splits at blanks and punctuation of Unicode; what is neither letter, digit nor mark is near enough.
BETWEEN = re.compile(r"[\W_]+")
FIELDS = ("title", "text")


def to_documents(pages: list[tuple[str, str, str, list[dict]]]) -> list[dict]:
    """pages: (address, title, kind, sections as count_words gives them) to one document per section."""
    documents = []
    for address, page_title, kind, sections in pages:
        for section in sections:
            url = address + (f"#{section['anchor']}" if section["anchor"] else "")
            documents.append({**section, "url": url, "page": page_title, "kind": kind})
    return documents


def count_words(section: dict) -> dict:
    """The section with its words counted, for a record to keep: "counts" and "lengths", one of each per field."""
    split = [BETWEEN.split(section[name]) for name in FIELDS]
    counts = [Counter(word.lower() for word in words if word) for words in split]
    # As MiniSearch counts: distinct pieces as they stand, an empty one at an end included.
    return {**section, "counts": counts, "lengths": [len(set(words)) for words in split]}


def to_index(documents: list[dict]) -> str:
    """JSON for MiniSearch.loadJSON with fields title and text; stores url, title, page, kind and the first words."""
    # Pieces of JSON in lists: with a dict per word and field this took half of a build in which one page had changed.
    postings: list[dict[str, list[str]]] = [defaultdict(list) for _ in FIELDS]
    lengths = {str(number): document["lengths"] for number, document in enumerate(documents)}
    for number, document in enumerate(documents):
        once = f'"{number}":1'
        for seen, count in zip(postings, document["counts"], strict=True):
            for word, times in count.items():
                seen[word].append(once if times == 1 else f'"{number}":{times}')
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
        "serializationVersion": 2,
    }
    words = ",".join(word_entry(word, postings) for word in sorted(set().union(*postings)))
    return json.dumps(index, separators=(",", ":"), ensure_ascii=False)[:-1] + f',"index":[{words}]}}'


def word_entry(word: str, postings: list[dict[str, list[str]]]) -> str:
    """One word's JSON: ["word",{"0":{"12":1}}], by field and document. Words hold letters and digits only: nothing to escape."""
    fields = ",".join(f'"{field}":{{{",".join(seen[word])}}}' for field, seen in enumerate(postings) if word in seen)
    return f'["{word}",{{{fields}}}]'


def stored(document: dict) -> dict:
    text = document["text"]
    return {key: document[key] for key in ("url", "title", "page", "kind")} | {
        "start": text if len(text) < 180 else text[:170].rsplit(" ", 1)[0] + " ..."
    }
