"""Preemption by recomputation over a pool of KV blocks.

Two counts tell everything about a sequence. `generated` belongs to the reader and never goes back, but for a token taken back within its own step;
`computed` belongs to the memory and falls to zero with the blocks.
"""

from collections import deque
from dataclasses import dataclass


@dataclass
class Sequence:
    """One request."""

    name: str
    prompt: int
    output: int
    priority: int
    status: str = "waiting"
    computed: int = 0
    generated: int = 0
    blocks: int = 0


class Engine:
    """Running and waiting sequences over a pool of KV blocks."""

    def __init__(self, num_blocks, block_size):
        self.num_blocks = num_blocks
        self.free = num_blocks
        self.block_size = block_size
        self.known = {}
        self.waiting = deque()
        self.running = []  # in order of admission

    def add(self, name, prompt, output, priority=0):
        if name in self.known:
            raise ValueError(f"{name!r} is already here")
        if prompt < 1 or output < 1:
            raise ValueError(f"{name!r}: prompt {prompt} and output {output} must be 1 or more")
        # The last generated token is never computed, so it needs no room.
        if self.blocks_for(prompt + output - 1) > self.num_blocks:
            raise ValueError(f"{name!r} needs {self.blocks_for(prompt + output - 1)} blocks, the pool has {self.num_blocks}")
        self.known[name] = sequence = Sequence(name, prompt, output, priority)
        self.waiting.append(sequence)

    def step(self):
        emitted, preempted = [], []
        for sequence in list(self.running):
            if sequence.status == "running" and self.make_room(sequence, emitted, preempted):
                self.compute(sequence, 1)
                emitted.append(sequence)
        # After a preemption this admits nobody: the head is the last victim, which needs all it gave back, and one block of that is taken.
        while self.waiting and self.blocks_for(self.tokens(self.waiting[0])) <= self.free:
            sequence = self.waiting.popleft()
            sequence.status = "running"
            self.running.append(sequence)
            self.compute(sequence, self.tokens(sequence))
            emitted.append(sequence)
        finished = [s for s in self.running if s.generated == s.output]
        for sequence in finished:
            self.release(sequence, "finished")
        return {key: [s.name for s in value] for key, value in
                (("emitted", emitted), ("preempted", preempted), ("finished", finished))}

    def make_room(self, sequence, emitted, preempted):
        """Preempt until the sequence can compute one more token; False when it had to go itself."""
        while self.blocks_for(sequence.computed + 1) > sequence.blocks and self.free == 0:
            # max() keeps the first of equals, so walk from the latest admitted backwards.
            victim = max(reversed(self.running), key=lambda s: s.priority)
            if victim in emitted:
                emitted.remove(victim)
                victim.generated -= 1
            self.release(victim, "waiting")
            self.waiting.appendleft(victim)  # it ran before everybody who waits
            preempted.append(victim)
            if victim is sequence:
                return False
        return True

    def compute(self, sequence, n):
        """n more tokens get their KV, and the next token is emitted."""
        sequence.computed += n
        sequence.generated += 1
        self.free -= self.blocks_for(sequence.computed) - sequence.blocks
        sequence.blocks = self.blocks_for(sequence.computed)

    def release(self, sequence, status):
        """All blocks go back, and with them everything computed."""
        self.running.remove(sequence)
        self.free += sequence.blocks
        sequence.status, sequence.blocks, sequence.computed = status, 0, 0

    def tokens(self, sequence):
        return sequence.prompt + sequence.generated

    def blocks_for(self, tokens):
        return -(-tokens // self.block_size)

    def state(self, name):
        s = self.known[name]
        return {"status": s.status, "computed": s.computed, "generated": s.generated, "blocks": s.blocks}
