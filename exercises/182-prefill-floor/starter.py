"""Exercise 182: the floor of a prefill."""


def prefill_flops(model, prompts):
    """FLOP of prefilling a batch of prompts, as an exact int.

    model: dict with params, optionally active_params, layers, heads, head_dim.
    prompts: list of (new tokens, cached tokens).
    """
    raise NotImplementedError


def prefill_floor(model, prompts, peak_flops, mfu=0.5, gpus=1):
    """Least seconds of that prefill.

    peak_flops: dense FLOP/s of one GPU. mfu: share of it that is reached.
    """
    raise NotImplementedError
