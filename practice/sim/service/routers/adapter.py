"""The router that knows where LoRA adapters are."""

from dataclasses import dataclass
from random import Random

from practice.sim.wording import check_number


@dataclass(frozen=True)
class AdapterAware:
    """Of the replicas that have the request's adapter and are not too busy, the least loaded; else the least loaded of all."""

    load_limit: float = 1.5
    """Too busy is above this many times the mean of (requests + 1)."""
    watches = True

    def __post_init__(self):
        check_number("load_limit", self.load_limit, least=1)

    def start(self, rng: Random):
        """choose for one run."""

        def choose(request, candidates):
            adapter = getattr(request, "adapter", None)
            if adapter is not None:
                most = self.load_limit * (sum(i.view.requests for i in candidates) / len(candidates) + 1)
                having = [i for i in candidates if i.adapters is not None and i.adapters.has(adapter) and i.view.requests + 1 <= most]
                if having:
                    return min(having, key=_requests)
            return min(candidates, key=_requests)

        return choose


def _requests(instance):
    return instance.view.requests
