"""Autoscaler with cold starts.

Three rules keep a loop with a long delay stable: count what was ordered, grow at once, shrink only to what was not needed for a while. The asymmetry is the point: a
replica too many costs money for some minutes, one too few costs a cold start while users wait.
"""

from collections import deque


class Autoscaler:
    """Decides how many replicas to start and to stop."""

    def __init__(self, *, minimum, maximum, target, cold_start, cooldown):
        self.minimum, self.maximum, self.target = minimum, maximum, target
        self.cold_start, self.cooldown = cold_start, cooldown
        self.ready = minimum
        self.due = deque()  # when each pending replica becomes ready, oldest order first
        self.wishes = deque()  # (time, wish), wishes falling: the first is the highest of the window

    def decide(self, now, outstanding, utilisation):
        while self.due and self.due[0] <= now:
            self.due.popleft()
            self.ready += 1

        wish = min(self.maximum, max(self.minimum, -(-outstanding // self.target)))
        highest = self.remember(now, wish)
        size = self.ready + len(self.due)
        start, stop = max(0, wish - size), max(0, size - highest)

        self.due.extend([now + self.cold_start] * start)
        for _ in range(stop):
            if self.due:
                self.due.pop()  # serves nobody yet
            else:
                self.ready -= 1
        return {"start": start, "stop": stop, "ready": self.ready, "pending": len(self.due)}

    def remember(self, now, wish):
        """The highest wish of the last `cooldown` seconds, this one included."""
        while self.wishes and self.wishes[-1][1] <= wish:
            self.wishes.pop()  # can never be the highest again
        self.wishes.append((now, wish))
        while self.wishes[0][0] < now - self.cooldown:
            self.wishes.popleft()
        return self.wishes[0][1]
