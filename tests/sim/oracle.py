"""The oracle: a token-by-token simulator, written to be read and not to be fast.

It shares no code with practice.sim beyond Setup. Every request is an object, every token is appended to a list, every
sum is taken anew in every step.
"""

from dataclasses import dataclass, field
from random import Random


@dataclass
class Sequence:
    """One request and how far it has come."""

    arrival: float
    input_len: int
    output_len: int
    prompt_done: int = 0
    scheduled: float | None = None
    token_times: list = field(default_factory=list)

    @property
    def first_token(self):
        return self.token_times[0]

    @property
    def finish(self):
        return self.token_times[-1]


def poisson(rate, count, input_len, output_len, seed=0):
    """`count` sequences of equal lengths with Poisson arrivals."""
    rng, now, sequences = Random(seed), 0.0, []
    for _ in range(count):
        now += rng.expovariate(rate)
        sequences.append(Sequence(now, input_len, output_len))
    return sequences


def seconds_of(setup, tokens, context):
    """The roofline time of one step."""
    computing = 2 * setup.params * tokens / (setup.peak_flops * setup.mfu)
    reading = (setup.weight_bytes + setup.kv_bytes_per_token * context) / setup.bandwidth
    return max(computing, reading) + setup.step_overhead


def serve(setup, sequences):
    """Runs the sequences to their end and returns the number of steps taken."""
    queue, running, now, steps = list(sequences), [], 0.0, 0
    while queue or running:
        if not running and queue[0].arrival > now:
            now = queue[0].arrival
        plan = plan_running(setup, running)
        plan += admit(setup, queue, running, now, setup.max_num_batched_tokens - sum(count for _, count in plan))
        context = sum(s.prompt_done + len(s.token_times) for s in running)
        now += seconds_of(setup, sum(count for _, count in plan), context)
        steps += 1
        for sequence, count in plan:
            if sequence.prompt_done < sequence.input_len:
                sequence.prompt_done += count
            if sequence.prompt_done == sequence.input_len:
                sequence.token_times.append(now)
        running = [s for s in running if len(s.token_times) < s.output_len]
    return steps


def plan_running(setup, running):
    """(sequence, tokens) of this step for those that run already, in order of admission."""
    plan, left = [], setup.max_num_batched_tokens
    for sequence in running:
        rest = sequence.input_len - sequence.prompt_done
        count = min(rest, left) if rest else 1
        if count == 0:
            break
        plan.append((sequence, count))
        left -= count
    return plan


def admit(setup, queue, running, now, left):
    """Moves sequences from the head of the queue to the running ones; their (sequence, tokens)."""
    plan = []
    while queue and queue[0].arrival <= now and left > 0 and len(running) < setup.max_num_seqs:
        reserved = sum(s.input_len + s.output_len for s in (*running, queue[0]))
        if reserved > setup.kv_capacity_tokens:
            break
        sequence = queue.pop(0)
        sequence.scheduled = now
        running.append(sequence)
        plan.append((sequence, min(sequence.input_len, left)))
        left -= plan[-1][1]
    return plan
