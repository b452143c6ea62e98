"""Inter-token latency over all tokens, without making a list of them."""

from collections.abc import Iterable, Sequence
from math import ceil

from practice.sim.record import Record
from practice.sim.wording import check_number


def itl_percentiles(records: Iterable[Record], percents: Sequence[float] = (50, 99, 100)) -> list[float]:
    """Nearest-rank percentiles of the gaps between successive tokens of a request, over all gaps; seconds.

    One step gives a gap of the same length to every request that decodes in it, so each step counts once, weighted
    by how many of the records decode in it. 100 is the longest gap. Raises ValueError where there are no gaps.
    """
    for p in percents:
        check_number("percents", p, above=0, most=100)
    weighted = sorted(_weighted_gaps(list(records)))
    total = sum(weight for _, weight in weighted)
    if not total:
        raise ValueError("records hold no gaps between tokens: at least one request must have two output tokens")
    ranks = sorted((ceil(round(p * total / 100, 9)), position) for position, p in enumerate(percents))
    result, passed, gaps = [0.0] * len(ranks), 0, iter(weighted)
    for rank, position in ranks:
        while passed < rank:
            gap, weight = next(gaps)
            passed += weight
        result[position] = gap
    return result


def _weighted_gaps(records):
    """(gap, how many records have it), in no order."""
    if not records:
        return []
    if records[0].timeline.tokens_per_round != 1.0:
        return [(b - a, 1) for record in records for times in (record.token_times,) for a, b in zip(times, times[1:])]
    changes, gaps = {}, []
    timeline = records[0].timeline
    for record in records:
        if record.output_len == 1:
            continue
        if record.pieces:  # few: token by token
            times = record.token_times
            gaps += [(b - a, 1) for a, b in zip(times, times[1:])]
            continue
        # The first gap starts at the first token, which need not be the end of a decode step.
        begin, end = record.first_step + 1, record.first_step + record.output_len - 1
        gaps.append((timeline.times(begin - 1, begin)[0] - record.first_token, 1))
        changes[begin] = changes.get(begin, 0) + 1
        changes[end] = changes.get(end, 0) - 1
    if not changes:
        return gaps
    ends, weight = timeline.times(0, max(changes)), 0
    for step in range(min(changes), max(changes)):
        weight += changes.get(step, 0)
        if weight:
            gaps.append((ends[step] - ends[step - 1], weight))
    return gaps
