from collections import deque


class Autoscaler:

    def __init__(self, *, minimum, maximum, target, cold_start, cooldown):
        self.minimum, self.maximum, self.target = minimum, maximum, target
        self.cold_start, self.cooldown = cold_start, cooldown
        self.ready = minimum
        self.due = deque()
        self.wishes = deque()

    def decide(self, now, outstanding, utilisation):
        while self.due and self.due[0] <= now:
            self.due.popleft()
            self.ready += 1

        wish = max(1, -(-outstanding // self.target))
        highest = self.remember(now, wish)
        size = self.ready + len(self.due)
        start, stop = max(0, wish - size), max(0, size - highest)

        self.due.extend([now + self.cold_start] * start)
        for _ in range(stop):
            if self.due:
                self.due.pop()
            else:
                self.ready -= 1
        return {"start": start, "stop": stop, "ready": self.ready, "pending": len(self.due)}

    def remember(self, now, wish):
        while self.wishes and self.wishes[-1][1] <= wish:
            self.wishes.pop()
        self.wishes.append((now, wish))
        while self.wishes[0][0] < now - self.cooldown:
            self.wishes.popleft()
        return self.wishes[0][1]
