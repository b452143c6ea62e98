"""Recorded workloads: Azure's LLM inference traces (CSV) and Mooncake's traces (JSONL).

Small samples ship in the folder samples/ with their licences; the full files are read from a path.
"""

import csv
import json
from datetime import datetime
from importlib.resources import files
from pathlib import Path

from practice.sim.wording import check_number, check_whole, read_text
from practice.sim.workload import Request

_AZURE = ("TIMESTAMP", "ContextTokens", "GeneratedTokens")
_MOONCAKE = ("timestamp", "input_length", "output_length")

SAMPLES = {
    "azure-conversation": "azure_conversation.csv",
    "azure-code": "azure_code.csv",
    "mooncake-conversation": "mooncake_conversation.jsonl",
}


def read_trace(path: str | Path, *, rate: float | None = None, limit: int | None = None) -> list[Request]:
    """The requests of a trace, from its first arrival on, in order of arrival.

    path: a file in Azure's CSV or Mooncake's JSONL format, told apart by their first line, or the name of a sample:
    azure-conversation, azure-code, mooncake-conversation.
    rate: scales all gaps so that the mean rate is this many requests/s. limit: only the first so many requests.
    Raises ValueError with the line for what cannot be read.
    """
    if limit is not None:
        check_whole("limit", limit, least=1)
    if str(path) in SAMPLES:
        text = (files("practice.sim") / "samples" / SAMPLES[str(path)]).read_text(encoding="utf-8")
    else:
        text = read_text(path)
    lines = text.splitlines()
    first = lines[0].strip() if lines else ""
    if first.startswith("{"):
        requests = _read(path, enumerate(lines, 1), _mooncake_request, limit)
    elif first.split(",")[:3] == list(_AZURE):
        start = []
        requests = _read(path, enumerate(lines[1:], 2), lambda line: _azure_request(line, start), limit)
    else:
        raise ValueError(f"{path} starts with {first[:60]!r}, but a trace starts with {','.join(_AZURE)} (Azure) or is a JSON object "
                         f"per line with {', '.join(_MOONCAKE)} (Mooncake)")
    if not requests:
        raise ValueError(f"{path} holds no requests")
    requests.sort(key=lambda request: request.arrival)
    return scaled(requests, rate)


def _read(path, numbered, parse, limit):
    requests = []
    for number, line in numbered:
        if not line.strip():
            continue
        try:
            requests.append(parse(line))
        except (ValueError, KeyError, IndexError, TypeError) as error:
            raise ValueError(f"{path}, line {number} cannot be read as a request: {line[:80]!r} ({error})") from None
        if len(requests) == limit:
            break
    return requests


def _azure_request(line, start):
    stamp, context, generated = next(csv.reader([line]))[:3]
    # Seven digits of a second are one more than fromisoformat takes; the day fits a float to well below 1 us.
    whole, _, part = stamp.rstrip("Z").split("+")[0].partition(".")
    moment = datetime.fromisoformat(whole)
    if not start:
        start.append(moment)
    seconds = (moment - start[0]).total_seconds() + float(f"0.{part or 0}")
    return Request(seconds, max(1, int(context)), max(1, int(generated)))


def _mooncake_request(line):
    row = json.loads(line)
    return Request(row["timestamp"] / 1000, max(1, int(row["input_length"])), max(1, int(row["output_length"])), 0,
                   tuple(row.get("hash_ids", ())), 512)


def scaled(requests: list[Request], rate: float | None = None) -> list[Request]:
    """The same requests, moved to start at 0, with all gaps scaled to a mean rate (requests/s) where one is given."""
    start = requests[0].arrival
    factor = 1.0
    if rate is not None:
        check_number("rate", rate, above=0)
        span = requests[-1].arrival - start
        if span <= 0:
            raise ValueError("rate is given, but all requests arrive at once, so there are no gaps to scale")
        factor = (len(requests) - 1) / span / rate
    return [Request((r.arrival - start) * factor, r.input_len, r.output_len, r.priority, r.hashes, r.hash_block) for r in requests]


def reuse(requests: list[Request]) -> float:
    """Share of prompt tokens that an infinite prefix cache would hold when each request arrives."""
    seen, hit, total = set(), 0, 0
    for request in requests:
        keys = request.hashes[:request.input_len // request.hash_block]
        count = 0
        while count < len(keys) and keys[count] in seen:
            count += 1
        seen.update(keys)
        hit += min(count * request.hash_block, request.input_len - 1)
        total += request.input_len
    return hit / total
