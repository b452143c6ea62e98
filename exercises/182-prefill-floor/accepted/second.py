"""The floor of a prefill: what a prompt costs is what all its tokens cost, less what the cached ones had cost."""


def prefill_flops(model, prompts):
    """FLOP of prefilling a batch of prompts, as an exact int."""
    return sum(flops_from_scratch(model, new + cached) - flops_from_scratch(model, cached) for new, cached in prompts)


def flops_from_scratch(model, tokens):
    """FLOP of computing the first `tokens` tokens of one prompt with an empty cache."""
    linear = 2 * model.get("active_params", model["params"]) * tokens
    pairs = tokens * (tokens + 1) // 2
    return linear + 4 * model["head_dim"] * model["heads"] * model["layers"] * pairs


def prefill_floor(model, prompts, peak_flops, mfu=0.5, gpus=1):
    """Least seconds of that prefill."""
    return prefill_flops(model, prompts) / (peak_flops * mfu * gpus)
