"""The capacity lab: from the page's controls to a knee, a fleet, points of the curves and the Python that gives the same."""

from functools import lru_cache
from typing import Any

from practice.sim import Slo, catalogue, fleet, knee, simulate, summarize
from practice.sim.derivation import KV_BYTES, WEIGHT_BYTES, Derivation, derive
from practice.sim.setup import Setup

START = {
    "model": "llama-3-70b", "gpu": "h100", "tp": 8, "weights": "fp8", "kv": "fp8", "realistic": False,
    "mfu": 0.4, "step_overhead": 0.0015, "max_num_batched_tokens": 8192, "max_num_seqs": 512,
    "input_len": 2000, "output_len": 500, "ttft": 2.0, "tpot": 0.05, "requests": 1500,
    "peak": 200, "headroom": 0.3, "spares": 0, "price": 2.5,
}  # fmt: skip
"""The instance, the load and the fleet of the chapter on a 70B chat service, so that its figures come out."""
SETTINGS = ("mfu", "step_overhead", "max_num_batched_tokens", "max_num_seqs")
"""Controls that are fields of Setup."""
PARALLEL = (1, 2, 4, 8, 16)
BRACKET = (1.0, 60.0)
"""Where that chapter searches its knees; used while the ceiling lies well within, because another bracket tries other rates."""
HALVINGS = 12


def lab(question: dict[str, Any], _post: Any = None) -> dict[str, Any]:
    """One of the lab's questions. part: choices, plan or point; a plan that cannot be has "error" in words."""
    if question["part"] == "choices":
        return choices()
    slo = Slo(question["ttft"], question["tpot"])
    lengths = question["input_len"], question["output_len"]
    try:  # the simulator says in words what cannot be: weights, or a single request, larger than the memory
        derivation = _derive(question)
        if question["part"] == "point":
            return point(derivation.setup, slo, question["rate"], *lengths, question["requests"])
        return plan(question, derivation, slo, *lengths)
    except ValueError as error:
        return {"error": str(error)}


def choices() -> dict[str, Any]:
    """What the page starts with and what its lists hold."""
    return {
        "start": START,
        "models": [{"key": one.key, "gb": one.params * 2 / 1e9} for one in map(catalogue.model, catalogue.model_names())],
        "gpus": [{"key": one.key, "name": one.name, "price": one.price, "gb": one.memory / 1e9} for one in map(catalogue.gpu, catalogue.gpu_names())],
        "weights": list(WEIGHT_BYTES),
        "kv": list(KV_BYTES),
        "tp": list(PARALLEL),
    }


def plan(question: dict[str, Any], derivation: Derivation, slo: Slo, input_len: int, output_len: int) -> dict[str, Any]:
    """Knee, fleet, rates worth a point, how the setup came about, and the code."""
    setup = derivation.setup
    high = float(f"{ceiling(setup, input_len, output_len):.4g}")
    found, bracket = search(setup, slo, input_len, output_len, high, question["requests"])
    price = question.get("price") or derivation.gpu_price
    answer: dict[str, Any] = {
        "knee": found,
        "low": bracket[0],
        "high": high,
        "rates": rates(high, found),
        "steps": [step._asdict() for step in derivation.steps],
        "price": price,
        "code": code(question, *bracket, found, price),
    }
    if found:
        sized = fleet(
            question["peak"], found, gpus_per_instance=question["tp"], headroom=question["headroom"], spares=question["spares"],
            gpu_price=price, output_len=output_len,
        )  # fmt: skip
        answer["fleet"] = {name: getattr(sized, name) for name in sized.__dataclass_fields__}
    return answer


def search(setup: Setup, slo: Slo, input_len: int, output_len: int, high: float, requests: int) -> tuple[float, tuple[float, float]]:
    """The knee, 0.0 where no rate passes, and the bracket it was found in. high: the ceiling, in requests/s."""
    own = float(f"{high / 100:.4g}"), high
    for low, top in [BRACKET, own] if BRACKET[1] / 8 < high < BRACKET[1] else [own]:
        found = knee(setup, slo, input_len, output_len, low=low, high=top, halvings=HALVINGS, num_requests=requests)
        if 0 < found <= high:  # above it a loose SLO outlasts the whole run, which says nothing about the rate
            return found, (low, top)
    return 0.0, own


SHARES = (0.02, 0.12, 0.25, 0.38, 0.5, 0.58, 0.66, 0.74, 0.82, 0.9)
"""Where the curves get their points, as parts of the highest rate worth trying."""
AROUND = (0.95, 1.0, 1.03)
"""And as parts of the knee: goodput falls by a fifth within 3% above it."""


def rates(high: float, found: float) -> list[float]:
    """The rates of the curves' points, in requests/s, ascending: spread up to `high`, and the knee with a neighbour on either side."""
    near = [found * part for part in AROUND if 0 < found * part < high]
    spread = [share * high for share in SHARES if all(abs(share * high - rate) > 0.03 * high for rate in near)]
    return sorted([*(float(f"{rate:.4g}") for rate in spread), *near, high])


def point(setup: Setup, slo: Slo, rate: float, input_len: int, output_len: int, requests: int) -> dict[str, float]:
    """One rate of the curves, in seconds and requests/s."""
    metrics = summarize(simulate(setup, rate, requests, input_len, output_len), *slo)
    return {"rate": rate, **{name: metrics[name] for name in ("ttft_p50", "ttft_p99", "tpot_p50", "tpot_p99", "goodput", "slo_ok", "output_tps")}}


def ceiling(setup: Setup, input_len: int, output_len: int) -> float:
    """A rate that no instance with this setup reaches, in requests/s: all computing, or all memory traffic, with no SLO at all.

    Compute: 2 FLOP per parameter and token. Memory: the largest batch that fits, each step reading weights and its KV once.
    """
    computing = setup.peak_flops * setup.mfu / (2 * setup.params * (input_len + output_len))
    batch = max(1, min(setup.max_num_seqs, setup.kv_capacity_tokens // (input_len + output_len)))
    step = (setup.weight_bytes + batch * (input_len + output_len / 2) * setup.kv_bytes_per_token) / (setup.bandwidth * setup.mbu)
    return 1.3 * min(computing, batch / (output_len * (step + setup.step_overhead)))


def code(question: dict[str, Any], low: float, high: float, found: float, price: float) -> str:
    """The Python that gives the plan: runs as it stands in a checkout, in an answer and in the playground.

    found: the knee; where it is 0.0 there is no fleet to size, and where price is 0 no cost: the code says so instead.
    """
    q = question
    settings = [f"{name}={q[name]!r}" for name in SETTINGS if q[name] != Setup.__dataclass_fields__[name].default]
    more = [f"    {', '.join(part)},\n" for part in (settings, ["realistic=True"] if q.get("realistic") else []) if part]
    return f"""from sim import Slo, derive, {"fleet, " if found else ""}knee, simulate, summarize

derivation = derive(
    "{q["model"]}", "{q["gpu"]}", tp={q["tp"]}, weights="{q["weights"]}", kv="{q["kv"]}",
{"".join(more)})
slo = Slo(ttft={q["ttft"]!r}, tpot={q["tpot"]!r})
lengths = {q["input_len"]}, {q["output_len"]}
rate = knee(
    derivation.setup, slo, *lengths,
    low={low!r}, high={high!r}, halvings={HALVINGS}, num_requests={q["requests"]},
)
{_fleet_code(q, price) if found else _no_knee_code(q, low)}print(summarize(records, *slo))
"""


def _fleet_code(q: dict[str, Any], price: float) -> str:
    gpu_price = f"gpu_price={price!r}, " if price else ""
    cost = 'print(f"${sized.cost_per_hour:,.2f} an hour")' if price else f'print("no cost: no price of {q["gpu"]} is known; pass gpu_price= to fleet")'
    return f"""print(f"one instance takes {{rate:.2f}} requests/s")
sized = fleet(
    {q["peak"]!r}, rate, gpus_per_instance={q["tp"]},
    headroom={q["headroom"]!r}, spares={q["spares"]},
    {gpu_price}output_len={q["output_len"]},
)
print(f"instances: {{sized.instances}}, GPUs: {{sized.gpus}}")
{cost}
records = simulate(derivation.setup, rate, {q["requests"]}, *lengths)
"""


def _no_knee_code(q: dict[str, Any], low: float) -> str:
    return f"""if not rate:
    print("no fleet: even at {low:g} requests/s, the lowest rate tried,")
    print("fewer than 99% of the requests meet the SLO")
records = simulate(derivation.setup, {low!r}, {q["requests"]}, *lengths)
"""


def _derive(question: dict[str, Any]) -> Derivation:
    chosen = tuple(question[name] for name in ("model", "gpu", "tp", "weights", "kv"))
    return _kept(chosen, bool(question.get("realistic")), tuple(question[name] for name in SETTINGS))


@lru_cache(64)
def _kept(chosen: tuple[Any, ...], realistic: bool, settings: tuple[float, ...]) -> Derivation:
    """Kept because a sweep asks for the same setup a dozen times, and reading the catalogue takes 10 ms here."""
    return derive(*chosen, realistic=realistic, **dict(zip(SETTINGS, settings, strict=True)))
