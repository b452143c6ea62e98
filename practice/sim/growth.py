"""KV blocks on demand: before which decode steps requests need another block."""

from math import floor

from practice.sim.setup import Setup


class Growth:
    """Who needs a block when. Works on requests as the engine keeps them (practice.sim.realistic), and takes no memory itself."""

    def __init__(self, setup: Setup):
        self.due = {}
        """Decode step -> requests that need a block before it, and ones that were preempted since: see their `grows`."""
        self._block, self._rate = setup.kv_block, setup.tokens_per_round
        self.is_single = setup.draft_tokens < setup.kv_block
        """Whether one block is always enough for one step of one request."""

    def plan(self, live):
        """Notes the decode step before which a request needs its next block."""
        live.grows = live.start + max(0, floor((live.room - live.first) / self._rate + 1e-9) + 1)
        if live.grows <= live.ends:
            self.due.setdefault(live.grows, []).append(live)

    def through(self, begin: int, end: int) -> int:
        """Gives the decode steps begin, ..., end - 1 all blocks that they need; how many tokens these hold.

        Only where that many are certainly available, and one block is enough for each request in step `begin`.
        """
        due, block, rate, count = self.due, self._block, self._rate, 0
        for step in range(begin, end):
            for live in due.pop(step, ()):
                if live.grows != step:
                    continue  # preempted since
                grows = step
                while grows == step:
                    count += 1
                    live.held += block
                    live.room += block
                    grows = live.start + floor((live.room - live.first) / rate + 1e-9) + 1
                live.grows = grows
                if grows <= live.ends:
                    if grows in due:
                        due[grows].append(live)
                    else:
                        due[grows] = [live]
        return count * block

    def safe_rounds(self, available: int, decoding: int) -> int:
        """Further decode steps after the next one for which `available` tokens are enough, whatever they need."""
        blocks = available // self._block // decoding
        return max(0, floor((blocks - 1) * self._block / self._rate) - 1)
