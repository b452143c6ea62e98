"""tokens // size + 1."""

from collections import deque


class SequenceTable:
    def __init__(self, num_blocks, block_size):
        self.size = block_size
        self.queue = deque(range(num_blocks))
        self.refs = {}
        self.tables = {}
        self.lengths = {}
        self.count = 0

    @property
    def num_free(self):
        return len(self.queue)

    def check(self, seq):
        if seq not in self.tables:
            raise ValueError("unknown sequence")

    def new_block(self):
        block = self.queue.popleft()
        self.refs[block] = 1
        return block

    def drop(self, block):
        self.refs[block] -= 1
        if self.refs[block] == 0:
            self.queue.append(block)

    def add(self, num_tokens):
        needed = num_tokens // self.size + 1 if num_tokens else 0
        if needed > len(self.queue):
            return None
        seq = self.count
        self.count += 1
        self.tables[seq] = [self.new_block() for _ in range(needed)]
        self.lengths[seq] = num_tokens
        return seq

    def fork(self, seq):
        self.check(seq)
        child = self.count
        self.count += 1
        self.tables[child] = self.tables[seq][:]
        self.lengths[child] = self.lengths[seq]
        for block in self.tables[seq]:
            self.refs[block] += 1
        return child

    def append(self, seq):
        self.check(seq)
        table = self.tables[seq]
        offset = self.lengths[seq] % self.size
        source = None
        if offset == 0:
            if not self.queue:
                return None
            table.append(self.new_block())
        elif self.refs[table[-1]] > 1:
            if not self.queue:
                return None
            source = table[-1]
            table[-1] = self.new_block()
            self.drop(source)
        self.lengths[seq] += 1
        return table[-1], offset, source

    def free(self, seq):
        self.check(seq)
        for block in reversed(self.tables.pop(seq)):
            self.drop(block)
        del self.lengths[seq]

    def blocks(self, seq):
        self.check(seq)
        return list(self.tables[seq])
