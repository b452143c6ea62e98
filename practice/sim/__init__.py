"""The capacity simulator: how many requests a second an LLM serving instance takes under an SLO.

Start with `Setup`, `simulate` and `summarize`; README.md in this folder gives the order in which to read the modules.
"""

if __name__ != "practice.sim":
    raise ImportError(
        f"practice/sim was imported as {__name__!r}, which would load every class a second time\n\n"
        "hint: write `import sim` with the project folder on the path, or `import practice.sim`"
    )

from practice.sim.capacity import Fleet, Slo, fleet, knee, sweep
from practice.sim.record import Record
from practice.sim.setup import Setup
from practice.sim.simulation import simulate
from practice.sim.step import step_time
from practice.sim.summary import percentile, summarize
from practice.sim.workload import Request

# Loaded on first use: the judge and the browser start faster without them.
_LATER = {
    "Group": "practice.sim.service.design",
    "Outcome": "practice.sim.service.outcome",
    "Service": "practice.sim.service.design",
    "plan": "practice.sim.service.planning",
    "simulate_fleet": "practice.sim.service.loop",
    "calibrate": "practice.sim.calibration",
    "derive": "practice.sim.derivation",
    "itl_percentiles": "practice.sim.itl",
    "line_plot": "practice.sim.plot",
    "occupancy": "practice.sim.occupancy",
    "over_seeds": "practice.sim.confidence",
    "read_measurements": "practice.sim.measurement",
    "read_trace": "practice.sim.trace",
}

__all__ = ["Fleet", "Record", "Request", "Setup", "Slo", "fleet", "knee", "percentile", "simulate", "step_time", "summarize", "sweep"]


def __getattr__(name):
    """A public name whose module is loaded on first use."""
    if name not in _LATER:
        raise AttributeError(f"module 'practice.sim' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LATER[name]), name)
