import heapq


class Node:

    def __init__(self, parent, tokens, used, locks=0):
        self.parent = parent
        self.tokens = tokens
        self.children = {}
        self.used = used
        self.locks = locks


class RadixCache:

    def __init__(self):
        self.root = Node(None, [], 0)
        self.clock = 0
        self.total = 0

    def path(self, tokens):
        node, at, nodes = self.root, 0, []
        while at < len(tokens) and tokens[at] in node.children:
            child = node.children[tokens[at]]
            same = 0
            while same < len(child.tokens) and at + same < len(tokens) and child.tokens[same] == tokens[at + same]:
                same += 1
            if same < len(child.tokens):
                child = self.split(child, same)
            nodes.append(child)
            node, at = child, at + same
        return nodes

    def split(self, node, length):
        upper = Node(node.parent, node.tokens[:length], node.used, node.locks)
        node.parent.children[upper.tokens[0]] = upper
        node.tokens = node.tokens[length:]
        node.parent = upper
        upper.children[node.tokens[0]] = node
        return upper

    def use(self, tokens):
        self.clock += 1
        nodes = self.path(tokens)
        for node in nodes:
            node.used = self.clock
        return nodes, sum(len(node.tokens) for node in nodes)

    def match(self, tokens):
        return self.use(tokens)[1]

    def insert(self, tokens):
        nodes, length = self.use(tokens)
        rest = tokens[length:]
        if rest:
            parent = nodes[-1] if nodes else self.root
            parent.children[rest[0]] = Node(parent, list(rest), self.clock)
            self.total += len(rest)
        return len(rest)

    def lock(self, tokens):
        nodes, length = self.use(tokens)
        if length < len(tokens):
            raise ValueError(f"only {length} of {len(tokens)} tokens are cached")
        for node in nodes:
            node.locks += 1

    def unlock(self, tokens):
        nodes = self.path(tokens)
        if not nodes or sum(len(node.tokens) for node in nodes) < len(tokens) or any(node.locks == 0 for node in nodes):
            raise ValueError("these tokens are not locked to their end")
        for node in nodes:
            node.locks -= 1

    def evict(self, count):
        leaves = [(node.used, id(node), node) for node in self.nodes() if not node.children and not node.locks]
        heapq.heapify(leaves)
        removed = 0
        while leaves and removed < count:
            _, _, node = heapq.heappop(leaves)
            parent = node.parent
            del parent.children[node.tokens[0]]
            removed += len(node.tokens)
            if parent is not self.root and not parent.children and not parent.locks:
                heapq.heappush(leaves, (parent.used, id(parent), parent))
        self.total -= removed
        return removed

    def nodes(self):
        stack = list(self.root.children.values())
        while stack:
            node = stack.pop()
            yield node
            stack.extend(node.children.values())

    def size(self):
        return self.total
