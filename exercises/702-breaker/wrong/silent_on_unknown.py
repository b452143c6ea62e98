FAILED = {"ok": False, "client_error": False, "error": True, "timeout": True}


class Breaker:

    def __init__(self, threshold, open_seconds, max_open_seconds):
        self.threshold = threshold
        self.first = open_seconds
        self.most = max_open_seconds
        self.failures = 0
        self.open_for = open_seconds
        self.open_until = None
        self.probing = False

    def state(self, now):
        if self.open_until is None:
            return "closed"
        return "open" if now < self.open_until else "half-open"

    def allow(self, now):
        state = self.state(now)
        if state != "half-open":
            return state == "closed"
        if self.probing:
            return False
        self.probing = True
        return True

    def report(self, now, outcome):
        failed = outcome in ("error", "timeout")
        state = self.state(now)
        if state == "closed":
            self.failures = self.failures + 1 if failed else 0
            if self.failures == self.threshold:
                self.open(now)
        elif state == "half-open" and self.probing:
            self.probing = False
            if failed:
                self.open(now)
            else:
                self.open_until, self.failures, self.open_for = None, 0, self.first

    def open(self, now):
        self.open_until = now + self.open_for
        self.open_for = min(2 * self.open_for, self.most)
