from collections import OrderedDict


class PrefixPool:

    def __init__(self, num_blocks, block_size):
        self.block_size = block_size
        self.free = OrderedDict.fromkeys(range(num_blocks))
        self.users = [0] * num_blocks
        self.content = [None] * num_blocks
        self.found = {}
        self.running = {}

    def admit(self, name, tokens):
        if name in self.running:
            raise ValueError(f"{name!r} is running already")
        prefixes = [tuple(tokens[end - self.block_size : end]) for end in range(self.block_size, len(tokens) + 1, self.block_size)]
        hits = []
        for prefix in prefixes[: (len(tokens) - 1) // self.block_size]:
            if prefix not in self.found:
                break
            hits.append(self.found[prefix])

        missing = -(-len(tokens) // self.block_size) - len(hits)
        if missing > len(self.free) - sum(block in self.free for block in hits):
            return None

        for block in hits:
            self.free.pop(block, None)
        fresh = [self.free.popitem(last=False)[0] for _ in range(missing)]
        for block in fresh:
            self.forget(block)
        self.running[name] = hits + fresh
        for block in self.running[name]:
            self.users[block] += 1
        for prefix, block in zip(prefixes[len(hits) :], fresh):
            if prefix not in self.found:
                self.found[prefix], self.content[block] = block, prefix
        return len(hits) * self.block_size

    def forget(self, block):
        if self.content[block] is not None:
            del self.found[self.content[block]]
            self.content[block] = None

    def blocks(self, name):
        return list(self.running[name])

    def release(self, name):
        for block in reversed(self.running.pop(name)):
            self.users[block] -= 1
            if self.users[block] == 0:
                self.free[block] = None

    def free_count(self):
        return len(self.free)
