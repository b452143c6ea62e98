"""Session affinity: the same conversation to the same replica, as far as its load allows."""

from bisect import bisect, insort
from dataclasses import dataclass
from hashlib import blake2b
from math import ceil, inf
from random import Random

from practice.sim.wording import check_number, check_whole


@dataclass(frozen=True)
class SessionAffinity:
    """Consistent hashing with bounded loads, of Call.session; requests without one are spread by their arrival time.

    A replica that has `bound` times its fair share passes its requests to the next one on the ring.
    Source: Mirrokni, Thorup, Zadimoghaddam 2018, Consistent hashing with bounded loads.
    """

    bound: float = 1.25
    """Times the mean; inf never passes on."""
    points: int = 64
    """Places of one replica on the ring."""
    watches = True

    def __post_init__(self):
        if self.bound != inf:
            check_number("bound", self.bound, above=1)
        check_whole("points", self.points, least=1)

    def start(self, rng: Random):
        """choose for one run."""
        ring, known = [], {}  # (place, replica number), sorted; number -> replica

        def choose(request, candidates):
            for instance in candidates:
                if instance.number not in known:
                    known[instance.number] = instance
                    for point in range(self.points):
                        insort(ring, (_place(f"{instance.number}/{point}"), instance.number))
            allowed = {instance.number for instance in candidates}
            most = inf
            if self.bound != inf:
                most = ceil(self.bound * (sum(i.view.requests for i in candidates) + 1) / len(candidates))
            session = getattr(request, "session", None)
            start = bisect(ring, (_place(repr(request.arrival if session is None else session)), -1))
            passed = set()
            for offset in range(len(ring)):
                number = ring[(start + offset) % len(ring)][1]
                if number in allowed and number not in passed:
                    if known[number].view.requests + 1 <= most:
                        return known[number]
                    passed.add(number)
                    if len(passed) == len(allowed):
                        break
            return min(candidates, key=lambda i: i.view.requests)  # loads that are stale can exceed every bound

        return choose


def _place(text):
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest())
