"""Exercise 182: the floor of a prefill."""


def prefill_flops(model, prompts):
    """FLOP of prefilling a batch of prompts: linear layers and causal attention."""
    active = model.get("active_params", model["params"])
    # Score and weighted sum: two products of head_dim multiply-adds each. 2,621,440 FLOP per pair for Llama 3 70B.
    per_pair = 4 * model["layers"] * model["heads"] * model["head_dim"]
    return sum(2 * active * new + per_pair * pairs(new, cached) for new, cached in prompts)


def pairs(new, cached):
    """Query-key pairs of one prompt: a rectangle with the cached tokens and a triangle among the new ones."""
    return new * cached + new * (new + 1) // 2


def prefill_floor(model, prompts, peak_flops, mfu=0.5, gpus=1):
    """Least seconds of that prefill."""
    return prefill_flops(model, prompts) / (gpus * peak_flops * mfu)
