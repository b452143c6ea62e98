"""Fitting the simulator to measurements: how much of its peak a GPU reaches, and what every step costs besides."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import exp, log
from statistics import median
from typing import NamedTuple

from practice.sim.measurement import Measurement
from practice.sim.setup import Setup
from practice.sim.simulation import simulate

_LIMITS = {"mbu": (0.05, 1.0), "mfu": (0.02, 1.0), "step_overhead": (1e-5, 0.2), "overhead_per_seq": (1e-7, 1e-2),
           "comm": (0.05, 20.0)}
"""Where a fitted constant may lie; comm scales comm_latency and 1 / link_bandwidth."""


class Residual(NamedTuple):
    """One figure, measured and simulated, in seconds."""

    name: str
    """The measurement, and the request where it has several."""
    metric: str
    """ttft or tpot."""
    measured: float
    """What the engine did."""
    before: float
    """What the simulator said with the setup that was given."""
    after: float
    """What it says with the fitted one."""
    held_out: bool
    """Whether the fit did not see this figure."""


@dataclass(frozen=True)
class Calibration:
    """A fitted Setup, and how well it fits."""

    setup: Setup
    """The fitted setup; with the tp of the first measurement where `calibrate` was given a function of tp."""
    constants: dict
    """What was fitted: mbu, mfu, step_overhead and, with tensor parallelism, comm."""
    residuals: tuple[Residual, ...]
    """Every figure; half of them held out."""

    def error(self, metric: str = "", *, held_out: bool = True, before: bool = False) -> float:
        """Median of |simulated / measured - 1| over the figures of a metric, or of all; the held-out ones by default."""
        errors = [abs((r.before if before else r.after) / r.measured - 1) for r in self.residuals
                  if r.held_out == held_out and metric in ("", r.metric)]
        return median(errors) if errors else float("nan")

    def __str__(self):
        lines = [f"{name:<15} {value:.4g}" for name, value in self.constants.items()]
        lines.append(f"{'median error':<15} {'before':>8} {'after':>8}")
        for held_out in (False, True):
            for metric in ("ttft", "tpot"):
                before, after = self.error(metric, held_out=held_out, before=True), self.error(metric, held_out=held_out)
                lines.append(f"{metric + (' held out' if held_out else ' fitted'):<15} {before:>8.1%} {after:>8.1%}")
        return "\n".join(lines)


def calibrate(measurements: Sequence[Measurement], setup: Setup | Callable[[int], Setup], *, fit: Sequence[str] | None = None,
              iterations: int = 20, progress=None) -> Calibration:
    """Fits constants of `setup` so that simulating each measurement's load gives its TTFT and TPOT.

    setup: the instance before the fit, or a function from tp to it where the measurements have several.
    fit: which constants; mbu, mfu and step_overhead by default, and comm where tp differs between measurements (with
    one tp a latency per step cannot be told from step_overhead).
    Least squares on log(simulated / measured) by Levenberg and Marquardt. Every second figure is held out: every
    second measurement, or every second request of a single one. progress: called with the iterations done.
    Raises ValueError for fewer than two figures to fit.
    """
    make = setup if callable(setup) else lambda tp: setup
    several_tp = len({m.tp for m in measurements}) > 1
    names = tuple(fit or ("mbu", "mfu", "step_overhead") + (("comm",) if several_tp else ()))
    for name in names:
        if name not in _LIMITS:
            raise ValueError(f"fit has {name!r}, but it must be of {', '.join(_LIMITS)}")
    figures, scales = _figures(measurements)
    if sum(not held for *_, held in figures) < 2:
        raise ValueError(f"measurements hold {len(figures)} figures, but a fit needs at least 2 beside those held out")

    def simulated(constants):
        return _simulate_all(measurements, make, constants)

    def errors(point):
        values = simulated(dict(zip(names, map(exp, point))))
        return [log(value / measured) if scale is None else (value - measured) / scale
                for value, (_, _, measured, held), scale in zip(values, figures, scales) if not held]

    first = make(measurements[0].tp)
    start = min(_starts(names, first), key=lambda point: sum(e * e for e in errors(point)))
    best = _least_squares(errors, start, [tuple(map(log, _LIMITS[name])) for name in names], iterations, progress)
    constants = dict(zip(names, map(exp, best)))
    before, after = simulated({}), simulated(constants)
    residuals = tuple(Residual(name, metric, measured, old, new, held)
                      for (name, metric, measured, held), old, new in zip(figures, before, after))
    return Calibration(_applied(first, constants), constants, residuals)


def _starts(names, setup):
    """Where the search may begin, as logarithms: the given values, and combinations of likely ones.

    From a start that is far off the fit can end in a hollow of its own: arrivals make the errors a rough landscape.
    """
    likely = {"mbu": (0.55, 0.85), "mfu": (0.35, 0.65), "step_overhead": (1e-3, 5e-3), "overhead_per_seq": (2e-5,), "comm": (1.0,)}
    given = []
    for name in names:
        low, high = _LIMITS[name]
        value = getattr(setup, name, None) or likely[name][0]
        given.append(log(min(high, max(low, value))))
    yield given
    yield from ([log(value) for value in values] for values in product(*(likely[name] for name in names)))


def _figures(measurements):
    """(name, metric, measured seconds, held out) in the order of _simulate_all, and the scale of each one's error.

    A figure on its own counts by its ratio, scale None. Single requests count by their difference over the mean of
    all: the ratio of a TTFT that happened to be short says nothing.
    """
    figures, scales = [], []
    for number, m in enumerate(measurements):
        for metric, measured in (("ttft", m.ttft), ("tpot", m.tpot)):
            if isinstance(measured, (int, float)):
                figures.append((m.name, metric, measured, number % 2 == 1))
                scales.append(None)
                continue
            mean = sum(measured) / max(1, len(measured))
            for request, value in enumerate(measured):
                if value > 0:
                    held = (number if len(measurements) > 1 else request) % 2 == 1
                    figures.append((f"{m.name}#{request}", metric, value, held))
                    scales.append(mean)
    return figures, scales


def _simulate_all(measurements, make, constants):
    values = []
    for m in measurements:
        records = simulate(_applied(make(m.tp), constants), workload=m.workload)
        for metric, measured in (("ttft", m.ttft), ("tpot", m.tpot)):
            simulated = [getattr(record, metric) for record in records]
            if isinstance(measured, (int, float)):
                values.append(max(1e-9, sum(simulated) / len(simulated)))
            else:
                values += [max(1e-9, value) for value, real in zip(simulated, measured) if real > 0]
    return values


def _applied(setup, constants):
    changes = {name: value for name, value in constants.items() if name != "comm"}
    if "comm" in constants:
        changes |= {"comm_latency": setup.comm_latency * constants["comm"], "link_bandwidth": setup.link_bandwidth / constants["comm"]}
    return replace(setup, **changes)


def _least_squares(errors, point, limits, iterations, progress):
    """The point within the limits that makes the sum of squares small; Levenberg and Marquardt, numeric derivatives."""
    damping, now = 1e-2, errors(point)
    cost = sum(e * e for e in now)
    reach = 0.1
    for iteration in range(iterations):
        columns = []
        for place, (low, high) in enumerate(limits):
            nudge = reach if point[place] + reach <= high else -reach
            moved = errors([*point[:place], point[place] + nudge, *point[place + 1:]])
            columns.append([(b - a) / nudge for a, b in zip(now, moved)])
        improved = False
        for _ in range(6):
            step = _solve_normal(columns, now, damping)
            trial = [min(high, max(low, x - d)) for x, d, (low, high) in zip(point, step, limits)]
            found = errors(trial)
            trial_cost = sum(e * e for e in found)
            if trial_cost < cost:
                improved = trial_cost < cost * (1 - 1e-4)
                point, now, cost, damping = trial, found, trial_cost, damping / 5
                break
            damping *= 5
        if progress:
            progress(iteration + 1)
        if not improved:
            if reach < 0.005:
                break
            reach /= 3  # the landscape is rough: wide differences first, then finer ones
            damping = 1e-2
    return point


def _solve_normal(columns, values, damping):
    """(J'J + damping * diag) step = J'values, by Gaussian elimination."""
    size = len(columns)
    rows = [[sum(a * b for a, b in zip(columns[i], columns[j])) for j in range(size)]
            + [sum(a * b for a, b in zip(columns[i], values))] for i in range(size)]
    for i in range(size):
        rows[i][i] += damping * rows[i][i] + 1e-12
    for i in range(size):
        pivot = max(range(i, size), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(i + 1, size):
            factor = rows[r][i] / rows[i][i]
            rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i])]
    step = [0.0] * size
    for i in reversed(range(size)):
        step[i] = (rows[i][size] - sum(rows[i][j] * step[j] for j in range(i + 1, size))) / rows[i][i]
    return step
