"""The router that knows where prefixes are."""

from dataclasses import dataclass
from math import inf
from operator import attrgetter
from random import Random

from practice.sim.wording import check_number

_requests = attrgetter("view.requests")


@dataclass(frozen=True)
class PrefixAware:
    """Of the replicas that are not too busy, the one that holds the longest prefix of the prompt; of those, the least loaded.

    A replica counts as holding a block from the moment a request with it was sent there until the block is evicted, as
    routers know it that read the engines' cache events.
    """

    load_limit: float = 1.25
    """Too busy is above this many times the mean of (requests + 1); inf follows the prefix whatever it costs."""
    watches = True
    needs_directory = True

    def __post_init__(self):
        if self.load_limit != inf:
            check_number("load_limit", self.load_limit, least=1)

    def start(self, rng: Random, directory):
        """choose for one run; directory: practice.sim.service.tiers.Directory, None where no replica has a prefix cache."""
        limit = self.load_limit

        def choose(request, candidates):
            allowed = candidates
            if limit != inf:
                loads = [i.view.requests for i in candidates]
                most = limit * (sum(loads) / len(loads) + 1)
                allowed = [i for i, load in zip(candidates, loads) if load + 1 <= most]
            keys = request.hashes[:request.input_len // request.hash_block] if directory is not None else ()
            if keys:
                among = 0
                for instance in allowed:
                    among |= instance.bit
                count, holders = directory.longest(keys, among)
                if count:
                    allowed = [i for i in allowed if i.bit & holders]
            return min(allowed, key=_requests) if len(allowed) > 1 else allowed[0]

        return choose
