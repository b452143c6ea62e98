from collections import deque
from dataclasses import dataclass


@dataclass
class Sequence:

    name: str
    prompt: int
    output: int
    priority: int
    status: str = "waiting"
    computed: int = 0
    generated: int = 0
    blocks: int = 0


class Engine:

    def __init__(self, num_blocks, block_size):
        self.num_blocks = num_blocks
        self.free = num_blocks
        self.block_size = block_size
        self.known = {}
        self.waiting = deque()
        self.running = []

    def add(self, name, prompt, output, priority=0):
        if name in self.known:
            raise ValueError(f"{name!r} is already here")
        if prompt < 1 or output < 1:
            raise ValueError(f"{name!r}: prompt {prompt} and output {output} must be 1 or more")
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
        while self.blocks_for(sequence.computed + 1) > sequence.blocks and self.free == 0:
            victim = self.running[-1]
            if victim in emitted:
                emitted.remove(victim)
                victim.generated -= 1
            self.release(victim, "waiting")
            self.waiting.appendleft(victim)
            preempted.append(victim)
            if victim is sequence:
                return False
        return True

    def compute(self, sequence, n):
        sequence.computed += n
        sequence.generated += 1
        self.free -= self.blocks_for(sequence.computed) - sequence.blocks
        sequence.blocks = self.blocks_for(sequence.computed)

    def release(self, sequence, status):
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
