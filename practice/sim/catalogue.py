"""GPUs and models with the source and date of their numbers; the numbers are in gpus.toml and models.toml."""

import tomllib
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.resources import files


@dataclass(frozen=True)
class Gpu:
    """One GPU."""

    key: str
    """Its name in the catalogue."""
    name: str
    """Its name in words."""
    memory: float
    """Bytes of memory."""
    bandwidth: float
    """Bytes/s of memory."""
    link: float
    """Bytes/s to other GPUs of the node, one direction."""
    flops: dict
    """Dense FLOP/s by type: bf16, fp8, int8, fp4."""
    price: float
    """Per hour, US dollars; 0 where none is known."""
    sources: dict
    """Field -> title and date of its source."""


@dataclass(frozen=True)
class Model:
    """One model."""

    key: str
    """Its name in the catalogue."""
    params: float
    """All parameters."""
    active: float
    """Parameters that one token computes with."""
    layers: int
    """Layers."""
    hidden: int
    """Width of the residual stream."""
    heads: int
    """Query heads."""
    kv_heads: int
    """Key and value heads; 0 with MLA."""
    head_dim: int
    """Size of a query and key head."""
    value_dim: int
    """Size of a value head."""
    latent: int
    """Numbers kept per token and layer with MLA; 0 else."""
    experts: int
    """Routed experts of a layer; 0 for a dense model."""
    experts_per_token: int
    """Routed experts that a token uses."""
    expert_params: float
    """Parameters in routed experts, all layers."""
    source: str
    """Title and date of the source of all these numbers."""

    def kv_numbers_per_token(self, tp: int = 1) -> int:
        """Numbers kept per token over all layers and `tp` GPUs together, copies counted.

        With more GPUs than KV heads each head is kept several times; the latent of MLA is kept on every GPU.
        """
        if self.latent:
            return self.layers * self.latent * tp
        return 2 * self.layers * max(self.kv_heads, tp) * self.head_dim


def gpu(name: str) -> Gpu:
    """The GPU of this name. Raises ValueError with the nearest names."""
    row, sources = _row("gpus.toml", "gpu", name)
    cited = {field: _cite(sources, row["sources"].get(field, row["sources"]["default"])) for field in
             ("memory", "bandwidth", "link", "flops", *(("price",) if "price" in row else ()))}
    return Gpu(name, row["name"], row["memory"], row["bandwidth"], row["link"], row["flops"], row.get("price", 0.0), cited)


def model(name: str) -> Model:
    """The model of this name. Raises ValueError with the nearest names."""
    row, sources = _row("models.toml", "model", name)
    return Model(
        name, row["params"], row.get("active", row["params"]), row["layers"], row["hidden"], row["heads"], row.get("kv_heads", 0),
        row["head_dim"], row.get("value_dim", row["head_dim"]), row.get("latent", 0), row.get("experts", 0),
        row.get("experts_per_token", 0), row.get("expert_params", 0.0), _cite(sources, row["source"]))


def gpu_names() -> list[str]:
    """All GPUs of the catalogue."""
    return list(_read("gpus.toml")["gpu"])


def model_names() -> list[str]:
    """All models of the catalogue."""
    return list(_read("models.toml")["model"])


def _read(file):
    return tomllib.loads((files("practice.sim") / file).read_text(encoding="utf-8"))


def _row(file, kind, name):
    data = _read(file)
    if name not in data[kind]:
        near = get_close_matches(str(name).lower(), data[kind], 3, 0.4)
        known = f"did you mean {', '.join(near)}?" if near else f"known: {', '.join(data[kind])}"
        raise ValueError(f"{kind} is {name!r}, which the catalogue does not have; {known}")
    return data[kind][name], data["source"]


def _cite(sources, key):
    return f"{sources[key]['title']} ({sources[key]['date']})"
