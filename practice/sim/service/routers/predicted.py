"""The router that predicts TTFT, and turns away what would come too late."""

from dataclasses import dataclass
from math import inf
from random import Random

from practice.sim.wording import check_number


@dataclass(frozen=True)
class PredictedTtft:
    """The replica with the shortest predicted TTFT; a request whose best prediction is above `reject_above` is turned away.

    Prediction: the replica's prompt tokens still to compute, and the request's own, at its prefill speed, but at least the
    time to read its weights once. A request that would take two seconds is worth more refused at once than late.
    Source of early rejection: Qin et al. 2024, Mooncake, section 7.
    """

    reject_above: float = inf
    """Seconds; inf never rejects."""
    watches = True
    tracks_prefill = True

    def __post_init__(self):
        if self.reject_above != inf:
            check_number("reject_above", self.reject_above, above=0)

    @property
    def rejects(self) -> bool:
        """Whether it may turn requests away."""
        return self.reject_above != inf

    def start(self, rng: Random):
        """choose for one run."""

        def choose(request, candidates):
            best, least = None, inf
            for instance in candidates:
                setup = instance.engine.setup
                seconds = max((instance.view.prefill + request.input_len) * 2 * setup.params / (setup.peak_flops * setup.mfu),
                              setup.weight_bytes / (setup.bandwidth * setup.mbu)) + setup.step_overhead
                if seconds < least:
                    best, least = instance, seconds
            return best if least <= self.reject_above else None

        return choose
