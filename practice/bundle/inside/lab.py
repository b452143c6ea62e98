"""The capacity lab: from the page's controls to a knee, a fleet, points of the curves and the Python that gives the same."""

from functools import lru_cache
from typing import Any

from practice.sim import Slo, catalogue, fleet, knee, simulate, summarize
from practice.sim.derivation import KV_BYTES, WEIGHT_BYTES, Derivation, derive
from practice.sim.setup import Setup

REQUESTS = 1000
"""Requests of one simulation: enough for a P99, few enough to follow a slider."""
PARALLEL = (1, 2, 4, 8, 16)
HALVINGS = 12


def lab(question: dict[str, Any], _post: Any = None) -> dict[str, Any]:
    """One of the lab's questions. part: choices, plan or point; a plan that cannot be has "error" in words."""
    if question["part"] == "choices":
        return choices()
    try:
        derivation = _derive(question)
    except ValueError as error:
        return {"error": str(error)}
    slo = Slo(question["ttft"], question["tpot"])
    lengths = question["input_len"], question["output_len"]
    if question["part"] == "point":
        return point(derivation.setup, slo, question["rate"], *lengths)
    return plan(question, derivation, slo, *lengths)


def choices() -> dict[str, Any]:
    """What the page's lists hold."""
    return {
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
    low = float(f"{high / 100:.4g}")
    found = knee(setup, slo, input_len, output_len, low=low, high=high, halvings=HALVINGS, num_requests=REQUESTS)
    price = question.get("price") or derivation.gpu_price
    answer: dict[str, Any] = {
        "knee": found,
        "high": high,
        "rates": [round(high * share, 4) for share in SHARES],
        "steps": [step._asdict() for step in derivation.steps],
        "price": price,
        "code": code(question, low, high, price),
    }
    if found:
        sized = fleet(
            question["peak"], found, gpus_per_instance=question["tp"], headroom=question["headroom"], spares=question["spares"],
            gpu_price=price, output_len=output_len,
        )  # fmt: skip
        answer["fleet"] = {name: getattr(sized, name) for name in sized.__dataclass_fields__}
    return answer


SHARES = (0.02, 0.1, 0.2, 0.3, 0.4, 0.5, 0.58, 0.66, 0.74, 0.82, 0.9, 1.0)
"""Where the curves get their points, as parts of the highest rate worth trying."""


def point(setup: Setup, slo: Slo, rate: float, input_len: int, output_len: int) -> dict[str, float]:
    """One rate of the curves, in seconds and requests/s."""
    metrics = summarize(simulate(setup, rate, REQUESTS, input_len, output_len), *slo)
    return {"rate": rate, **{name: metrics[name] for name in ("ttft_p50", "ttft_p99", "tpot_p50", "tpot_p99", "goodput", "slo_ok", "output_tps")}}


def ceiling(setup: Setup, input_len: int, output_len: int) -> float:
    """A rate that no instance with this setup reaches, in requests/s: all computing, or all memory traffic, with no SLO at all.

    Compute: 2 FLOP per parameter and token. Memory: the largest batch that fits, each step reading weights and its KV once.
    """
    computing = setup.peak_flops * setup.mfu / (2 * setup.params * (input_len + output_len))
    batch = max(1, min(setup.max_num_seqs, setup.kv_capacity_tokens // (input_len + output_len)))
    step = (setup.weight_bytes + batch * (input_len + output_len / 2) * setup.kv_bytes_per_token) / (setup.bandwidth * setup.mbu)
    return 1.3 * min(computing, batch / (output_len * (step + setup.step_overhead)))


def code(question: dict[str, Any], low: float, high: float, price: float) -> str:
    """The Python that gives the plan: runs as it stands in a checkout, in an answer and in the playground."""
    q = question
    realistic = ", realistic=True" if q.get("realistic") else ""
    return f"""from sim import Slo, derive, fleet, knee, simulate, summarize

derivation = derive({q["model"]!r}, {q["gpu"]!r}, tp={q["tp"]}, weights={q["weights"]!r}, kv={q["kv"]!r}{realistic})
slo = Slo(ttft={q["ttft"]!r}, tpot={q["tpot"]!r})
lengths = {q["input_len"]}, {q["output_len"]}
rate = knee(derivation.setup, slo, *lengths, low={low!r}, high={high!r}, halvings={HALVINGS}, num_requests={REQUESTS})
print(f"one instance takes {{rate:.2f}} requests/s")
sized = fleet(
    {q["peak"]!r}, rate, gpus_per_instance={q["tp"]}, headroom={q["headroom"]!r}, spares={q["spares"]},
    gpu_price={price!r}, output_len={q["output_len"]},
)
print(f"{{sized.instances}} instances, {{sized.gpus}} GPUs, ${{sized.cost_per_hour:,.2f}} an hour")
print(summarize(simulate(derivation.setup, rate, {REQUESTS}, *lengths), *slo))
"""


def _derive(question: dict[str, Any]) -> Derivation:
    names = ("model", "gpu", "tp", "weights", "kv")
    return _kept(*(question[name] for name in names), bool(question.get("realistic")))


@lru_cache(64)
def _kept(model: str, gpu: str, tp: int, weights: str, kv: str, realistic: bool) -> Derivation:
    """Kept because a sweep asks for the same setup a dozen times, and reading the catalogue takes 10 ms here."""
    return derive(model, gpu, tp, weights, kv, realistic=realistic)
