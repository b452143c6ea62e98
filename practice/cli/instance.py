"""The instance, load and SLO that `sim`, `knee`, `fleet` and `calibrate` ask about: flags, or a TOML file with the same names.

    [setup]                     # a model of the catalogue, any field of Setup, or both
    model = "llama-3-70b"
    gpu = "h100"
    tp = 8
    weights = "fp8"
    kv = "fp8"
    mfu = 0.4

    [load]
    input = 2000
    output = 500
    requests = 1500
    rate = [5, 10, 15]          # or trace = "FILE"

    [slo]
    ttft = 2.0
    tpot = 0.05
"""

import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import click

from practice.kernel.errors import NotFound, PracticeError
from practice.sim.setup import Setup

_MODEL_KEYS = {"model": str, "gpu": str, "tp": int, "weights": str, "kv": str, "realistic": bool}
_LOAD_KEYS = {"input": int, "output": int, "requests": int, "seed": int, "rate": (int, float, list), "trace": str}
_SLO_KEYS = {"ttft": (int, float), "tpot": (int, float)}
_DEFAULTS = {"input": 1024, "output": 256, "requests": 2000, "seed": 0, "ttft": 1.0, "tpot": 0.04}
_FIELDS = {field.name: field for field in fields(Setup)}


@dataclass(frozen=True)
class Case:
    """What a command was asked about."""

    setup: Setup
    """The instance."""
    derivation: str
    """How the setup came about, one line for each field; "" where it was given field by field."""
    tp: int
    """GPUs of the instance."""
    gpu_price: float
    """Per GPU-hour; 0 where none is known."""
    load: dict
    """input, output, requests, seed, and rate or trace."""
    slo: tuple[float, float]
    """TTFT and TPOT, seconds."""


def case_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that read_case takes, handed over by these names."""
    options = (
        click.option("--config", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help="A TOML file with [setup], [load] and [slo]; flags win over it."),
        click.option("--model", metavar="NAME", help="A model of the catalogue, such as llama-3-70b."),
        click.option("--gpu", metavar="NAME", help="A GPU of the catalogue; h100 unless said."),
        click.option("--tp", type=int, metavar="N", help="GPUs that share the model (tensor parallelism)."),
        click.option("--weights", metavar="TYPE", help="Type of the weights: bf16, fp8, int8, int4, fp4."),
        click.option("--kv", metavar="TYPE", help="Type of the KV cache: bf16, fp8."),
        click.option("--realistic", is_flag=True, default=None, help="Also count attention, all-reduces and experts."),
        click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Any field of Setup, such as mfu=0.4; may be given several times."),
        click.option("--input", "input", type=int, metavar="N", help="Prompt tokens; 1024 unless said."),
        click.option("--output", "output", type=int, metavar="N", help="Generated tokens; 256 unless said."),
        click.option("--requests", type=int, metavar="N", help="Requests per run; 2000 unless said."),
        click.option("--seed", type=int, metavar="N", help="Seed of the arrivals; 0 unless said."),
        click.option("--slo-ttft", "ttft", type=float, metavar="SECONDS", help="SLO: time to first token; 1.0 unless said."),
        click.option("--slo-tpot", "tpot", type=float, metavar="SECONDS", help="SLO: time per output token; 0.04 unless said."),
        click.option("--explain", is_flag=True, help="Say on stderr how the setup was derived."),
    )
    for option in reversed(options):
        command = option(command)
    return command


def read_case(flags: dict[str, Any]) -> Case:
    """The Case of the flags and of the TOML file that they may name."""
    given = _read_config(flags.get("config"))
    setup, load, slo = given["setup"], given["load"], given["slo"]
    for name in _MODEL_KEYS:
        if flags.get(name) is not None:
            setup[name] = flags[name]
    for word in flags.get("settings") or ():
        name, _, value = word.partition("=")
        setup[name.strip()] = _setting(name.strip(), value.strip())
    load |= {name: flags[name] for name in _LOAD_KEYS if flags.get(name) is not None}
    slo |= {name: flags[name] for name in _SLO_KEYS if flags.get(name) is not None}
    load = {name: _DEFAULTS[name] for name in ("input", "output", "requests", "seed")} | load
    slo = {name: _DEFAULTS[name] for name in _SLO_KEYS} | slo
    with wrong_use():
        made, words, price = _make(setup)
    if flags.get("explain") and words:
        click.echo(words, err=True)
    return Case(made, words, setup.get("tp", 1), price, load, (slo["ttft"], slo["tpot"]))


@contextmanager
def wrong_use() -> Iterator[None]:
    """Turns the simulator's ValueErrors, which name the value, into wrong usage."""
    try:
        yield
    except ValueError as error:
        raise PracticeError(str(error)) from None


def _make(setup):
    named = {name: value for name, value in setup.items() if name in _MODEL_KEYS}
    settings = {name: value for name, value in setup.items() if name in _FIELDS}
    if "model" in named:
        from practice.sim.derivation import derive

        derivation = derive(**named, **settings)
        return derivation.setup, str(derivation), derivation.gpu_price
    needed = ("params", "weight_bytes", "kv_bytes_per_token", "kv_capacity_tokens")
    missing = [name for name in needed if name not in settings]
    if missing:
        raise PracticeError(f"no model is named, and {', '.join(missing)} {'is' if len(missing) == 1 else 'are'} not given",
                            "write `--model llama-3-8b`, or give each with `--set params=7.6e9`")
    return Setup(**settings), "", 0.0


def _setting(name, value):
    """One --set, as the type of its field."""
    if name not in _FIELDS:
        raise _unknown(name, _FIELDS, "--set")
    kind = _FIELDS[name].type
    kind = kind if isinstance(kind, type) else {"int": int, "float": float, "bool": bool, "str": str}[kind]
    try:
        if kind is bool:
            return {"true": True, "false": False, "1": True, "0": False}[value.lower()]
        return int(float(value)) if kind is int and float(value).is_integer() else kind(value)
    except (ValueError, KeyError):
        raise PracticeError(f"--set {name}={value}: {value!r} is not {'true or false' if kind is bool else 'a number'}") from None


def _read_config(path):
    tables = {"setup": {}, "load": {}, "slo": {}}
    if path is None:
        return tables
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise NotFound(f"{path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PracticeError(f"{path} is not TOML: {error}") from None
    kinds = {"setup": _MODEL_KEYS | {name: object for name in _FIELDS}, "load": _LOAD_KEYS, "slo": _SLO_KEYS}
    for name, table in data.items():
        if name not in tables or not isinstance(table, dict):
            raise _unknown(name, tables, str(path))
        for key, value in table.items():
            if key not in kinds[name]:
                raise _unknown(key, kinds[name], f"{path}, [{name}]")
            kind = kinds[name][key]
            if not isinstance(value, kind) or (isinstance(value, bool) and kind not in (bool, object)):
                raise PracticeError(f"{path}: [{name}] {key} is {value!r}, which is of the wrong kind")
        tables[name] = dict(table)
    return tables


def _unknown(name, known, where):
    from difflib import get_close_matches

    near = get_close_matches(name, known, 3, 0.5)
    return PracticeError(f"{where}: {name!r} is not known", f"did you mean {' or '.join(near)}" if near else f"known: {', '.join(known)}")
