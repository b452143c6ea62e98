"""Exercise 141: fleet percentiles from histograms."""

import math  # math.inf is the last bound of every histogram


def quantile(q: float, buckets: list[tuple[float, int]]) -> float | None:
    """The estimated q-quantile in seconds; None when nothing was observed.

    q: 0 < q <= 1; anything else raises ValueError.
    buckets: (upper bound in seconds, cumulative count), ascending; the last bound is math.inf.
    """
    raise NotImplementedError


def fleet_quantile(q: float, before: dict, after: dict) -> float | None:
    """The q-quantile of all that the fleet observed between two scrapes; None when nothing was.

    before, after: replica's name -> its histogram (as for `quantile`) at the first and at the second scrape.
    Raises ValueError when q is outside 0 < q <= 1 or the bounds of the histograms differ.
    """
    raise NotImplementedError
