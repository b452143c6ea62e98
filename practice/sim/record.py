"""What the simulator says about one request."""

from math import ceil
from typing import NamedTuple

from practice.sim.timeline import Timeline


class Record(NamedTuple):
    """One finished request: when it arrived, was admitted, spoke first and finished; times in seconds."""

    arrival: float
    """When it arrived."""
    input_len: int
    """Prompt tokens."""
    output_len: int
    """Generated tokens."""
    scheduled: float
    """Start of the step that admitted it."""
    first_token: float
    """End of the step that completed its prompt."""
    finish: float
    """End of the step that gave its last token."""
    first_step: int
    """Number of the first step that may decode it, in `timeline`."""
    timeline: Timeline
    """The steps of the whole run, shared by all records."""
    preemptions: int = 0
    """How often it lost its KV cache and started again (kv_policy = "on_demand")."""
    recomputed_tokens: int = 0
    """Tokens whose KV was computed a second time after a preemption."""
    cached_tokens: int = 0
    """Prompt tokens that the prefix cache held at its first admission."""
    pieces: tuple = ()
    """After preemptions: (tokens so far, time of the next token, first step after it) for each new start."""

    @property
    def ttft(self) -> float:
        """Time to first token: first_token - arrival."""
        return self.first_token - self.arrival

    @property
    def tpot(self) -> float:
        """Time per output token after the first: (finish - first_token) / (output_len - 1); 0 for one token."""
        return (self.finish - self.first_token) / (self.output_len - 1) if self.output_len > 1 else 0.0

    @property
    def e2e(self) -> float:
        """End-to-end latency: finish - arrival."""
        return self.finish - self.arrival

    @property
    def queueing(self) -> float:
        """Queueing delay: scheduled - arrival."""
        return self.scheduled - self.arrival

    @property
    def token_times(self) -> list[float]:
        """When each output token was given, output_len numbers; made anew at each access."""
        per_round = self.timeline.tokens_per_round
        times = []
        starts = ((0, self.first_token, self.first_step), *self.pieces)
        for number, (given, time, step) in enumerate(starts):
            stop = starts[number + 1][0] if number + 1 < len(starts) else self.output_len
            times.append(time)
            later = stop - given - 1  # tokens that come from decode steps
            if per_round == 1.0:
                times.extend(self.timeline.times(step, step + later))
            elif later > 0:
                ends = self.timeline.times(step, step + rounds_for(later, per_round))
                times.extend(ends[rounds_for(token, per_round) - 1] for token in range(1, later + 1))
        return times


def rounds_for(tokens: int, tokens_per_round: float) -> int:
    """Decode steps that give at least `tokens` tokens at an expected number of tokens per step.

    Example: rounds_for(10, 2.31) is 5.
    """
    return ceil(tokens / tokens_per_round - 1e-9)
