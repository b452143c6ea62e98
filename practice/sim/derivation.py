"""From a model and a GPU of the catalogue to a Setup, with every step said in words."""

from dataclasses import dataclass
from typing import NamedTuple

from practice.sim import catalogue
from practice.sim.setup import Setup
from practice.sim.wording import check_choice, check_number, check_whole

WEIGHT_BYTES = {"bf16": 2.0, "fp8": 1.0, "int8": 1.0, "int4": 0.5195, "fp4": 0.53125}
"""Bytes per weight; int4 with AWQ's scale and zero per 128 weights, fp4 with MXFP4's scale per 32."""
KV_BYTES = {"bf16": 2.0, "fp8": 1.0}
"""Bytes per number of the KV cache."""
_COMPUTES_IN = {"bf16": "bf16", "fp8": "fp8", "int8": "int8", "int4": "bf16", "fp4": "fp4"}
ALL_REDUCE_LATENCY = 10e-6
"""Seconds of one small all-reduce within a node; the order that NCCL shows on NVLink (nccl-tests)."""


class Step(NamedTuple):
    """How one field of the Setup came about."""

    field: str
    """Its name."""
    value: float
    """Its value."""
    how: str
    """The formula with its numbers, and the source."""


@dataclass(frozen=True)
class Derivation:
    """A Setup and the way to it."""

    setup: Setup
    """The result."""
    steps: tuple[Step, ...]
    """One for each derived field."""
    gpu_price: float
    """Per GPU-hour, US dollars; 0 where none is known."""

    def __str__(self):
        return "\n".join(f"{step.field:<22} {step.value:<12.6g} {step.how}" for step in self.steps)


def derive(model: str, gpu: str = "h100", tp: int = 1, weights: str = "bf16", kv: str = "bf16", *, memory_use: float = 0.9,
           realistic: bool = False, **settings) -> Derivation:
    """The Setup of `model` on `tp` GPUs `gpu`, weights and KV cache in these types.

    memory_use: share of the GPU memory for weights and KV cache. realistic: also set the attention FLOPs, the
    all-reduces and the experts. settings: fields of Setup that win over the derived ones.
    Raises ValueError where the names are unknown or the model does not fit.
    """
    shape, card = catalogue.model(model), catalogue.gpu(gpu)
    check_whole("tp", tp, least=1)
    check_choice("weights", weights, tuple(WEIGHT_BYTES))
    check_choice("kv", kv, tuple(KV_BYTES))
    check_number("memory_use", memory_use, above=0, most=1)
    steps = [*_sizes(shape, card, tp, weights, kv, memory_use), *_speeds(card, tp, weights)]
    if realistic:
        steps += _realism(shape, card, tp, weights)
    fields = {step.field: step.value for step in steps}
    return Derivation(Setup(**{**fields, **settings}), tuple(s for s in steps if s.field not in settings), card.price)


def _sizes(shape, card, tp, weights, kv, memory_use):
    weight_bytes = shape.params * WEIGHT_BYTES[weights]
    numbers = shape.kv_numbers_per_token(tp)
    kv_bytes = numbers * KV_BYTES[kv]
    usable = tp * card.memory * memory_use
    if usable - weight_bytes < kv_bytes:
        fitting = next((n for n in (1, 2, 4, 8, 16, 32, 64) if n * card.memory * memory_use > weight_bytes * 1.05), 128)
        raise ValueError(f"{shape.key} with {weights} weights takes {weight_bytes / 1e9:.1f} GB, but {tp} x {card.name} leave "
                         f"{usable / 1e9:.1f} GB at memory_use {memory_use:g}; tp={fitting} or a smaller type fits")
    if shape.latent:
        formula = f"{shape.layers} layers * {shape.latent} (MLA) * {tp} GPUs * {KV_BYTES[kv]:g} bytes"
    else:
        formula = f"2 * {shape.layers} layers * {max(shape.kv_heads, tp)} KV heads * {shape.head_dim} * {KV_BYTES[kv]:g} bytes"
    return [
        Step("params", shape.active, f"parameters per token; {shape.source}"),
        Step("weight_bytes", weight_bytes, f"{shape.params:g} parameters * {WEIGHT_BYTES[weights]:g} bytes ({weights})"),
        Step("kv_bytes_per_token", kv_bytes, formula),
        Step("kv_capacity_tokens", int((usable - weight_bytes) / kv_bytes),
             f"({tp} * {card.memory:g} * {memory_use:g} - weights) / KV bytes; {card.sources['memory']}"),
    ]


def _speeds(card, tp, weights):
    kind = _COMPUTES_IN[weights]
    if kind not in card.flops:
        kind = "bf16"
    return [
        Step("peak_flops", tp * card.flops[kind], f"{tp} * {card.flops[kind]:g} ({kind}, dense); {card.sources['flops']}"),
        Step("bandwidth", tp * card.bandwidth, f"{tp} * {card.bandwidth:g}; {card.sources['bandwidth']}"),
    ]


def _realism(shape, card, tp, weights):
    pair = 2 * shape.layers * shape.heads * (shape.head_dim + shape.value_dim)
    steps = [Step("attention_flops", pair, f"2 * {shape.layers} layers * {shape.heads} heads * ({shape.head_dim} + {shape.value_dim})")]
    if tp > 1:
        share = 2 * (tp - 1) / tp
        steps += [
            Step("comm_latency", 2 * shape.layers * ALL_REDUCE_LATENCY, f"2 * {shape.layers} all-reduces * {ALL_REDUCE_LATENCY:g} s"),
            Step("comm_bytes_per_token", 2 * shape.layers * share * shape.hidden * 2,
                 f"2 * {shape.layers} * 2 ({tp} - 1) / {tp} * {shape.hidden} * 2 bytes"),
            Step("link_bandwidth", card.link, card.sources["link"]),
        ]
    if shape.experts:
        steps += [
            Step("experts", shape.experts, shape.source),
            Step("experts_per_token", shape.experts_per_token, shape.source),
            Step("expert_bytes", shape.expert_params * WEIGHT_BYTES[weights], f"{shape.expert_params:g} parameters in routed experts"),
        ]
    return steps
