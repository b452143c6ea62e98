"""What `plan` is asked, from a TOML file.

    [load]
    input = 2000
    output = 500
    rate = 60                   # requests/s; with trace = "FILE", the rate that it is scaled to
    requests = 6000

    [slo]
    ttft = 2.0
    tpot = 0.05

    [plan]
    spares = 1                  # N+1
    share = 0.99
    most = 64                   # replicas

    [[candidate]]               # any number; a list makes one candidate for each of its values
    model = "llama-3-70b"
    gpu = ["h100", "h200"]
    tp = [4, 8]
    weights = "fp8"
    kv = "fp8"
    router = ["fewest-requests", "two-choices"]
    # gpu_price = 2.5           # $ per GPU-hour of all of these; the catalogue's where left out
    mfu = 0.4                   # any field of Setup
    # autoscale = { signal = "requests", target = 40, minimum = 2 }
"""

import tomllib
from dataclasses import dataclass, fields
from itertools import product
from pathlib import Path
from typing import Any

from practice.cli.instance import wrong_use
from practice.kernel.errors import NotFound, PracticeError
from practice.sim.setup import Setup

_TABLES: dict[str, dict[str, Any]] = {
    "load": {"input": int, "output": int, "requests": int, "seed": int, "rate": (int, float), "trace": str, "limit": int},
    "slo": {"ttft": (int, float), "tpot": (int, float)},
    "plan": {"spares": int, "share": (int, float), "most": int},
}
_MODEL = {"model": str, "gpu": str, "tp": int, "weights": str, "kv": str, "realistic": bool, "memory_use": (int, float)}
_OTHER = {"router": str, "gpu_price": (int, float), "name": str, "autoscale": dict}
_SETUP = {field.name for field in fields(Setup)}


@dataclass(frozen=True)
class Question:
    """What a plan file asks."""

    workload: list
    """Requests."""
    slo: tuple[float, float]
    """TTFT and TPOT, seconds."""
    candidates: list
    """practice.sim.service.planning.Candidate."""
    options: dict
    """spares, share, most: keyword arguments of plan."""


def read_question(path: Path) -> Question:
    """The Question of a file. Raises PracticeError that names the table and key."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise NotFound(f"{path} cannot be read: {error.strerror}", "`judge.py plan --example > plan.toml` writes one to begin with") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PracticeError(f"{path} is not TOML: {error}") from None
    rows = data.pop("candidate", [])
    if not isinstance(rows, list) or not rows:
        raise PracticeError(f"{path} has no [[candidate]], but at least one is needed", "`judge.py plan --example` prints a whole file")
    for name, table in data.items():
        if name not in _TABLES:
            raise _unknown(f"[{name}]", [f"[{known}]" for known in (*_TABLES, "[candidate]")], path)
        _check_kinds(f"{path}, [{name}]", table, _TABLES[name])
    slo = data.get("slo", {})
    with wrong_use():
        workload = _workload(data.get("load", {}), path)
        candidates = [candidate for row in rows for candidate in _candidates(row, path)]
    return Question(workload, (slo.get("ttft", 1.0), slo.get("tpot", 0.04)), candidates, data.get("plan", {}))


def _check_kinds(where, table, kinds):
    if not isinstance(table, dict):
        raise PracticeError(f"{where} is {table!r}, but it must be a table")
    for key, value in table.items():
        if key not in kinds:
            raise _unknown(key, kinds, where)
        if not isinstance(value, kinds[key]) or (isinstance(value, bool) and kinds[key] is not bool):
            raise PracticeError(f"{where}: {key} is {value!r}, which is of the wrong kind")


def _workload(load, path):
    from practice.sim.arrivals import poisson_workload
    from practice.sim.trace import read_trace

    if "trace" in load:
        trace = path.parent / load["trace"]
        return read_trace(trace if trace.exists() else load["trace"], rate=load.get("rate"), limit=load.get("limit"))
    if "rate" not in load:
        raise PracticeError(f"{path}, [load] says neither rate nor trace, but one of them says when requests arrive", "write `rate = 60`")
    return poisson_workload(load["rate"], load.get("requests", 5000), load.get("input", 1024), load.get("output", 256), load.get("seed", 0))


def _candidates(row, path):
    """One row's candidates: the product of its lists."""
    where = f"{path}, [[candidate]]"
    keys = list(row)
    made = []
    for values in product(*(value if isinstance(value, list) else [value] for value in row.values())):
        one = dict(zip(keys, values))
        for key, value in one.items():
            if key not in _SETUP:
                _check_kinds(where, {key: value}, _MODEL | _OTHER | {name: object for name in _SETUP})
        varied = [str(one[key]) if key != "tp" else f"tp{one[key]}" for key in keys if isinstance(row[key], list)]
        made.append(_candidate(one, varied, where))
    return made


def _candidate(row, varied, where):
    from practice.sim.derivation import derive
    from practice.sim.service.autoscaling import Autoscale
    from practice.sim.service.planning import Candidate
    from practice.sim.service.routers.named import router_named

    router = router_named(row.get("router", "fewest-requests"))
    autoscale = None
    if "autoscale" in row:
        _check_kinds(f"{where}, autoscale", row["autoscale"], {field.name: (int, float, str) for field in fields(Autoscale)})
        autoscale = Autoscale(**row["autoscale"])
    name = " ".join([row["name"], *varied] if "name" in row else varied or [row.get("model", "fleet"), row.get("gpu", "h100")])
    settings = {key: value for key, value in row.items() if key in _SETUP}
    named = {key: value for key, value in row.items() if key in _MODEL}
    gpus, price, unfit = row.get("tp", 1), row.get("gpu_price"), ""
    if "model" in row:
        try:
            derivation = derive(**named, **settings)
            setup, price = derivation.setup, derivation.gpu_price if price is None else price
        except ValueError as error:
            if " takes " not in str(error):  # a wrong name or number, not a model that is too large
                raise
            setup, price, unfit = None, price or 0.0, str(error)
    else:
        setup = _bare(settings, where)
    if price is None or (setup is not None and not price):
        raise PracticeError(f"{where}: no price is known for {row.get('gpu', 'this GPU')}, but plan compares costs", "write `gpu_price = 2.5`")
    return Candidate(name, setup, gpus, float(price), router, autoscale, unfit)


def _bare(settings, where):
    needed = ("params", "weight_bytes", "kv_bytes_per_token", "kv_capacity_tokens")
    missing = [name for name in needed if name not in settings]
    if missing:
        raise PracticeError(f"{where} names no model, and {', '.join(missing)} {'is' if len(missing) == 1 else 'are'} not given",
                            'write `model = "llama-3-8b"`')
    return Setup(**settings)


def _unknown(name, known, where):
    from difflib import get_close_matches

    near = get_close_matches(name, list(known), 3, 0.5)
    return PracticeError(f"{where}: {name!r} is not known", f"did you mean {' or '.join(near)}" if near else f"known: {', '.join(known)}")


def example() -> str:
    """The example file of this module's docstring."""
    from textwrap import dedent

    return dedent(__doc__.split("\n\n", 1)[1]).strip() + "\n"
