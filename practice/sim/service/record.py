"""What is known of a request that went through a fleet."""

from typing import NamedTuple

from practice.sim.record import Record
from practice.sim.timeline import Timeline

REASONS = ("queue full", "shed", "deadline", "tenant limit", "predicted TTFT", "lost", "retry budget", "no replica")
"""Why a request may be turned away."""


class ServiceRecord(NamedTuple):
    """One finished request: the fields of Record, and what the fleet adds."""

    arrival: float
    """When it arrived at the fleet."""
    input_len: int
    """Prompt tokens."""
    output_len: int
    """Generated tokens."""
    scheduled: float
    """Start of the step that admitted it, in the attempt that gave its first token."""
    first_token: float
    """When the first token that was kept was given."""
    finish: float
    """When the last token was given."""
    first_step: int
    """Of the last attempt, in `timeline`."""
    timeline: Timeline
    """The steps of the replica that finished it."""
    preemptions: int = 0
    """In the last attempt."""
    recomputed_tokens: int = 0
    """After preemptions, in the last attempt."""
    cached_tokens: int = 0
    """Prompt tokens that the replica's own prefix cache held; with PD disaggregation, the prefill replica's."""
    pieces: tuple = ()
    """As in Record."""
    replica: int = 0
    """The replica that finished it."""
    retries: int = 0
    """How often it was sent again after its replica died."""
    loaded_tokens: int = 0
    """Prompt tokens that came from host memory or the shared pool."""
    earlier: tuple = ()
    """Times of the tokens that other replicas gave and the client kept (resumed after a death, or by a prefill replica)."""
    last: Record | None = None
    """Where `earlier` is not empty: the record of the last attempt alone."""

    ttft, tpot, e2e, queueing = Record.ttft, Record.tpot, Record.e2e, Record.queueing

    @property
    def token_times(self) -> list[float]:
        """When each output token was given, output_len numbers; made anew at each access."""
        if self.last:
            return [*self.earlier, *self.last.token_times]
        return list(self.earlier) if self.earlier else Record.token_times.fget(self)


class Rejection(NamedTuple):
    """One request that got no answer."""

    number: int
    """Its place in the workload."""
    arrival: float
    """When it arrived."""
    input_len: int
    """Prompt tokens."""
    output_len: int
    """Tokens it asked for."""
    time: float
    """When it was turned away."""
    reason: str
    """One of REASONS."""
    retries: int = 0
    """How often it had been sent again."""
