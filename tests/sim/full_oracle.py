"""The oracle of all settings but speculation and the prefix cache: token by token, block by block.

Like oracle.py it shares no code with practice.sim beyond Setup, and takes every sum anew in every step.
"""

from dataclasses import dataclass, field
from math import ceil


@dataclass
class Sequence:
    """One request and how far it has come."""

    number: int
    arrival: float
    input_len: int
    output_len: int
    priority: int
    prefilled: int = 0
    target: int = 0
    blocks: int = 0
    decodes: bool = False
    scheduled: float | None = None
    preemptions: int = 0
    recomputed: int = 0
    token_times: list = field(default_factory=list)

    def context(self):
        return self.input_len + len(self.token_times) if self.decodes else self.prefilled


class Server:
    """The state of one instance."""

    def __init__(self, setup, requests):
        self.setup = setup
        self.coming = [Sequence(n, r.arrival, r.input_len, r.output_len, r.priority, target=r.input_len) for n, r in enumerate(requests)]
        self.all = list(self.coming)
        self.waiting, self.running = [], []
        self.now, self.filling = 0.0, True
        self.size = setup.kv_block if setup.kv_policy == "on_demand" else 1
        self.total = setup.kv_capacity_tokens // self.size

    def run(self):
        while self.coming or self.waiting or self.running:
            if not self.waiting and not self.running:
                self.now = max(self.now, self.coming[0].arrival)
            while self.coming and self.coming[0].arrival <= self.now:
                self.waiting.append(self.coming.pop(0))
            self.step()
        return self.all

    def head(self):
        """Who is next, if there is a place and memory."""
        rank = {"fcfs": lambda s: s.number, "priority": lambda s: (s.priority, s.number), "shortest": lambda s: (s.output_len, s.number)}
        if not self.waiting or len(self.running) >= min(self.setup.max_num_seqs, self.setup.max_num_batched_tokens):
            return None
        first = min(self.waiting, key=rank[self.setup.order])
        on_demand = self.setup.kv_policy == "on_demand"
        need = ceil((first.target if on_demand else first.input_len + first.output_len) / self.size)
        spare = ceil(self.setup.watermark * self.total * self.size) if on_demand and self.running else 0
        free = self.total - sum(s.blocks for s in self.running)
        return (first, need) if need * self.size + spare <= free * self.size else None

    def prefill_is_due(self):
        partial = any(not s.decodes for s in self.running)
        due = partial or self.head() is not None
        if self.setup.schedule != "decode_first":
            return due
        self.filling = (self.filling or not self.running) and due
        return self.filling

    def grow(self):
        """Each decoding sequence has room for its context; the last admitted gives way."""
        if self.setup.kv_policy != "on_demand":
            return False
        preempted = False
        for sequence in [s for s in self.running if s.decodes]:
            while sequence in self.running and ceil(sequence.context() / self.size) > sequence.blocks:
                if sum(s.blocks for s in self.running) < self.total:
                    sequence.blocks += 1
                else:
                    victim = self.running.pop()
                    victim.preemptions += 1
                    victim.recomputed += victim.context() - 1 if victim.decodes else victim.prefilled
                    victim.target = victim.input_len + len(victim.token_times)
                    victim.prefilled, victim.blocks, victim.decodes = 0, 0, False
                    self.waiting.append(victim)
                    preempted = True
        return preempted

    def step(self):
        due, mixes = self.prefill_is_due(), self.setup.schedule == "chunked"
        preempted = self.grow() if mixes or not due else False
        decoding = [s for s in self.running if s.decodes] if mixes or not due else []
        pairs = sum(s.context() for s in decoding)
        left = self.setup.max_num_batched_tokens - len(decoding)
        chunks = []
        while due and left:
            partial = [s for s in self.running if not s.decodes and s not in [c for c, _ in chunks]]
            if partial:
                sequence = partial[0]
            elif preempted or self.head() is None:
                break
            else:
                sequence, sequence.blocks = self.head()
                self.waiting.remove(sequence)
                self.running.append(sequence)
                if sequence.scheduled is None:
                    sequence.scheduled = self.now
            count = min(sequence.target - sequence.prefilled, left)
            chunks.append((sequence, count))
            left -= count
        for sequence, count in chunks:
            pairs += sum(sequence.prefilled + i + 1 for i in range(count))
        read = self.running if mixes or not due else [s for s, _ in chunks]
        tokens = len(decoding) + sum(count for _, count in chunks)
        self.now += self.seconds(tokens, sum(s.context() for s in read), pairs)
        for sequence in decoding:
            sequence.token_times.append(self.now)
        for sequence, count in chunks:
            sequence.prefilled += count
            if sequence.prefilled == sequence.target:
                sequence.decodes = True
                sequence.token_times.append(self.now)
        self.running = [s for s in self.running if len(s.token_times) < s.output_len]

    def seconds(self, tokens, context, pairs):
        s = self.setup
        computing = (2 * s.params * tokens + s.attention_flops * pairs) / (s.peak_flops * s.mfu)
        weights = s.weight_bytes - (s.expert_bytes * (1 - s.experts_per_token / s.experts) ** tokens if s.experts else 0)
        reading = (weights + s.kv_bytes_per_token * context) / (s.bandwidth * s.mbu)
        # Those that end in this step still run in it.
        sending = s.comm_latency + s.comm_bytes_per_token * tokens / s.link_bandwidth
        return max(computing, reading) + s.step_overhead + s.overhead_per_seq * len(self.running) + sending
