"""Planning: the knee of one instance, the fleet for a peak, and the curve over the rate."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

from practice.sim.setup import Setup
from practice.sim.simulation import _poisson, make_replica, simulate
from practice.sim.summary import percentile, summarize
from practice.sim.wording import check_number, check_whole


class Slo(NamedTuple):
    """A service level objective on one request, in seconds; a plain pair (ttft, tpot) serves as well."""

    ttft: float
    """Longest time to first token."""
    tpot: float
    """Longest time per output token after the first."""


def knee(setup: Setup, slo: Sequence[float], input_len: int, output_len: int, *, low: float = 1.0, high: float = 40.0,
         halvings: int = 12, num_requests: int = 2000, seed: int = 0, share: float = 0.99, progress=None) -> float:
    """The highest rate, in requests/s, at which at least `share` of the requests meet the SLO, by bisection.

    low, high, halvings: the bracket; part of the definition, since another bracket tries other rates. The answer is
    the highest rate tried that passed, `low` where only that one passes, and 0.0 where not even that does.
    progress: called with the number of probes done, after each.
    Example: Qwen2.5-7B on one H100, Slo(1.0, 0.040), 1024 in, 256 out: 22.556640625.
    """
    check_number("low", low, above=0)
    check_number("high", high, above=low)
    check_whole("halvings", halvings, least=1)
    check_number("share", share, above=0, most=1)
    for name, bound in zip(Slo._fields, slo, strict=True):
        if bound != float("inf"):
            check_number(f"{name} of the SLO", bound, least=0)
    best, passed = low, False
    for probe in range(halvings):
        middle = (low + high) / 2
        if not low < middle < high:  # as fine as floats are
            break
        if meets(setup, slo, middle, input_len, output_len, num_requests, seed, share):
            low = best = middle
            passed = True
        else:
            high = middle
        if progress:
            progress(probe + 1)
    if not passed and not meets(setup, slo, best, input_len, output_len, num_requests, seed, share):
        return 0.0
    return best


def meets(setup: Setup, slo: Sequence[float], rate: float, input_len: int, output_len: int, num_requests: int = 2000,
          seed: int = 0, share: float = 0.99) -> bool:
    """Whether at least `share` of the requests meet the SLO at this rate; stops once too many have failed."""
    arrivals, inputs, outputs = _poisson(rate, num_requests, input_len, output_len, seed)
    replica = make_replica(setup)
    replica.submit_lists(arrivals, inputs, outputs)
    ttft_slo, tpot_slo = slo
    failed = seen = 0
    # An infeasible probe has failed long before its end: look at what has finished a few times on the way. The
    # results do not depend on where the clock is stopped.
    for stop in (*(arrivals[len(arrivals) * part // 8] for part in range(1, 8)), float("inf")):
        replica.advance(stop)
        for request in replica.finished[seen:]:
            first = replica.first_times[request]
            gaps = outputs[request] - 1
            tpot = (replica.finish_times[request] - first) / gaps if gaps else 0.0
            failed += not (first - arrivals[request] <= ttft_slo and tpot <= tpot_slo)
        seen = len(replica.finished)
        if (len(arrivals) - failed) / len(arrivals) < share:
            return False
    return True


@dataclass(frozen=True)
class Fleet:
    """How many instances serve a peak, and what they cost."""

    instances: int
    """Instances, spares included."""
    gpus: int
    """GPUs of all instances."""
    utilization: float
    """Peak rate over what the instances, spares not counted, could take."""
    cost_per_hour: float
    """For all GPUs, in the currency of gpu_price."""
    cost_per_million_output_tokens: float
    """At the peak rate, for generated tokens; 0 where output_len is not given."""


def fleet(peak_rate: float, instance_rate: float, *, gpus_per_instance: int = 1, headroom: float = 0.0, spares: int = 0,
          gpu_price: float = 0.0, output_len: int = 0) -> Fleet:
    """Instances and GPUs for a peak of `peak_rate` requests/s where one instance takes `instance_rate` (its knee).

    headroom: share added to the peak, 0.3 for 30%; spares: instances beyond that, 1 for N+1; gpu_price: per GPU-hour;
    output_len: generated tokens per request, for the cost per million.
    Example: fleet(200, 16.758, gpus_per_instance=8, headroom=0.3, gpu_price=2.5, output_len=500): 16 instances,
    128 GPUs, 320 per hour, 0.89 per million output tokens.
    """
    check_number("peak_rate", peak_rate, above=0)
    check_number("instance_rate", instance_rate, above=0)
    check_whole("gpus_per_instance", gpus_per_instance, least=1)
    check_number("headroom", headroom, least=0)
    check_whole("spares", spares, least=0)
    check_number("gpu_price", gpu_price, least=0)
    # Rounded first: 150 * 0.82 is 123.00000000000001 in floats, and its ceiling 124.
    check_number("instances for that peak", peak_rate * (1 + headroom) / instance_rate, most=1e9)
    needed = max(1, ceil(round(peak_rate * (1 + headroom) / instance_rate, 9)))
    gpus = (needed + spares) * gpus_per_instance
    cost = gpus * gpu_price
    per_hour = peak_rate * output_len * 3600 / 1e6
    return Fleet(needed + spares, gpus, peak_rate / (needed * instance_rate), cost, cost / per_hour if per_hour else 0.0)


class Point(NamedTuple):
    """One rate of a sweep."""

    rate: float
    """Requests/s."""
    metrics: dict
    """What summarize gives."""
    label: str
    """stable, backlogged or overloaded."""


def sweep(setup: Setup, slo: Sequence[float], rates: Iterable[float], input_len: int, output_len: int, *,
          num_requests: int = 2000, seed: int = 0, progress=None) -> list[Point]:
    """The metrics at each rate, each with a label that says whether the queue settles (see saturation)."""
    points = []
    for rate in rates:
        records = simulate(setup, rate, num_requests, input_len, output_len, seed)
        points.append(Point(rate, summarize(records, *slo), saturation(records, slo[0])))
        if progress:
            progress(len(points))
    return points


def saturation(records, ttft_slo: float) -> str:
    """stable, backlogged or overloaded, from the queueing delays (scheduled - arrival).

    overloaded: they grow by more than 20 ms for every second of arrivals (a queue fed at 102% of what is served does),
    by least squares over the whole run. backlogged: they do not, but their P99 is above half of ttft_slo. stable: else.
    """
    arrivals = [record.arrival for record in records]
    delays = [record.scheduled - record.arrival for record in records]
    if _slope(arrivals, delays) > 0.02:
        return "overloaded"
    return "backlogged" if percentile(delays, 99) > ttft_slo / 2 else "stable"


def _slope(xs, ys):
    """Slope of the least-squares line; 0 where all xs are equal. (The statistics module would cost 20 ms to import.)"""
    x_mean, y_mean = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - x_mean) ** 2 for x in xs)
    return sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys)) / spread if spread else 0.0
