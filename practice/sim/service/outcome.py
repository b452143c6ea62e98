"""What came out of a fleet, and the metrics that are formulas of it."""

from dataclasses import dataclass, field
from functools import partial as bind
from itertools import repeat
from typing import NamedTuple

from practice.sim.service.record import Rejection, ServiceRecord
from practice.sim.service.sample import Sample
from practice.sim.summary import summarize


class Life(NamedTuple):
    """One replica from the first second that is paid for to the last."""

    number: int
    """As in ServiceRecord.replica."""
    group: int
    """Its group, by place in Service.groups."""
    zone: int
    """Its rack or zone."""
    held_from: float
    """When it was asked for."""
    ready_at: float
    """When its cold start ended, or would have."""
    died_at: float | None
    """When it died; None where it did not."""
    held_until: float
    """When it was given back, or the end of the simulation."""
    served: int
    """Requests that it finished."""
    cost: float
    """For its GPUs over the time it was held."""


@dataclass(frozen=True)
class Outcome:
    """Everything that is known after a simulation."""

    records: list[ServiceRecord]
    """Of the requests that finished, in the order of the workload."""
    rejections: list[Rejection]
    """Of the others, by time."""
    replicas: list[Life]
    """All replicas there ever were."""
    end: float
    """Seconds from 0 to the last finish, arrival or rejection."""
    samples: list[Sample] = field(default_factory=list)
    """At regular times, where asked for."""

    @property
    def cost(self) -> float:
        """Of all GPUs for all seconds that they were held, cold starts included."""
        return sum(life.cost for life in self.replicas)

    @property
    def hit_rate(self) -> float:
        """Prompt tokens that caches held, those loaded from slower tiers included, over all prompt tokens."""
        total = sum(record.input_len for record in self.records)
        return sum(record.cached_tokens + record.loaded_tokens for record in self.records) / total if total else 0.0

    def reasons(self) -> dict[str, int]:
        """How many requests were turned away, by reason."""
        counts: dict[str, int] = {}
        for rejection in self.rejections:
            counts[rejection.reason] = counts.get(rejection.reason, 0) + 1
        return counts

    def summary(self, ttft_slo: float, tpot_slo: float, *, warm_up: float = 0.0, until: float = float("inf")) -> dict:
        """What `summarize` says of the requests that finished, and of the fleet.

        slo_ok counts rejected requests as missed. Further keys: rejected, retried, hit_rate, cost, cost_per_hour,
        cost_per_million_output_tokens.
        """
        if not self.records:
            raise ValueError(f"no request finished: {len(self.rejections)} were turned away ({self.reasons()})")
        metrics = summarize(self.records, ttft_slo, tpot_slo, warm_up=warm_up, until=until)
        rejected = sum(warm_up <= rejection.arrival < until for rejection in self.rejections)
        metrics["slo_ok"] *= metrics["requests"] / (metrics["requests"] + rejected)
        output = sum(record.output_len for record in self.records)
        return metrics | {
            "rejected": rejected, "retried": sum(record.retries > 0 for record in self.records), "hit_rate": self.hit_rate, "cost": self.cost,
            "cost_per_hour": self.cost / self.end * 3600, "cost_per_million_output_tokens": self.cost / output * 1e6}


def collect(run) -> Outcome:
    """The Outcome of a simulation that has ended."""
    found = [None] * len(run.requests)
    served = {}
    for instance in run.instances:
        served[instance.number] = _collect_from(run, instance, found)
    for number, story in run.stories.items():
        if story.ended:
            instance, index = story.ended
            found[number] = _record(run.requests[number], instance, index)
            served[instance.number] += 1
        record = found[number]
        if record is not None:
            found[number] = _told(record, run.requests[number], story)
    for rejection in run.rejections:
        found[rejection.number] = None
    records = [record for record in found if record is not None]
    end = max([0.0, *(record.finish for record in records), *(request.arrival for request in run.requests[-1:]),
               *(rejection.time for rejection in run.rejections)])
    lives = [_life(run, instance, served[instance.number], end) for instance in run.instances]
    return Outcome(records, sorted(run.rejections, key=lambda r: (r.time, r.number)), lives, end, run.sampler.samples)


def _collect_from(run, instance, found):
    """Puts the records of what finished on a replica where they belong; how many."""
    if instance.group.role == "prefill":
        return 0
    engine, requests, numbers = instance.engine, run.requests, instance.numbers
    rows = zip([requests[number].arrival for number in numbers], engine.inputs, engine.outputs, engine.scheduled, engine.first_times,
               engine.finish_times, engine.first_steps, repeat(engine.timeline), *engine.extra_columns(), repeat(instance.number), repeat(0),
               repeat(0), repeat(()), repeat(None))
    count, died, stories = 0, instance.died_at, run.stories
    for index, (number, record) in enumerate(zip(numbers, map(bind(tuple.__new__, ServiceRecord), rows))):
        finish = record[5]
        if finish is not None and (died is None or finish <= died):
            if number in stories and stories[number].earlier:
                record = record._replace(last=engine.record(index))
            found[number] = record
            count += 1
    return count


def _record(request, instance, index):
    return ServiceRecord(request.arrival, *instance.engine.record(index)[1:], replica=instance.number)


def _told(record, request, story):
    """The record with what earlier attempts add."""
    if not story.earlier:
        return record._replace(retries=story.retries, loaded_tokens=story.fetched(record.cached_tokens))
    return record._replace(retries=story.retries, loaded_tokens=story.loaded, input_len=request.input_len,
                           output_len=request.output_len, scheduled=story.scheduled, first_token=story.earlier[0], cached_tokens=story.cached, earlier=story.earlier)


def _life(run, instance, served, end):
    until = end if instance.held_until is None else instance.held_until
    group = instance.group
    cost = max(0.0, until - instance.held_from) * group.gpus * group.gpu_price / 3600
    place = next(place for place, other in enumerate(run.service.groups) if other is group)
    return Life(instance.number, place, instance.zone, instance.held_from, instance.ready_at, instance.died_at, until, served, cost)
