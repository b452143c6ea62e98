from collections import OrderedDict


class Router:

    def __init__(self, replicas, capacity, load_cost):
        self.capacity = capacity
        self.load_cost = load_cost
        self.index = [OrderedDict() for _ in range(replicas)]
        self.outstanding = [0] * replicas

    def route(self, keys):
        def preference(replica):
            load = self.outstanding[replica]
            score = self.cached(replica, keys)
            return (-score, load, replica)

        chosen = min(range(len(self.index)), key=preference)
        self.outstanding[chosen] += 1
        index = self.index[chosen]
        for key in reversed(keys):
            index[key] = None
            index.move_to_end(key)
        while len(index) > self.capacity:
            index.popitem(last=False)
        return chosen

    def cached(self, replica, keys):
        for count, key in enumerate(keys):
            if key not in self.index[replica]:
                return count
        return len(keys)

    def finish(self, replica):
        if not 0 <= replica < len(self.outstanding):
            raise ValueError(f"there is no replica {replica}: they are numbered 0 to {len(self.outstanding) - 1}")
        if self.outstanding[replica] == 0:
            raise ValueError(f"replica {replica} has nothing outstanding")
        self.outstanding[replica] -= 1
