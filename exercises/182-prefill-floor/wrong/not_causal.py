"""Counts the whole square of pairs."""

def prefill_flops(model, prompts):
    params = model.get("active_params", model["params"])
    total = 0
    for new, cached in prompts:
        linear = 2 * params * new
        attended = new * (cached + new)
        total += linear + 4 * attended * model["heads"] * model["head_dim"] * model["layers"]
    return total


def prefill_floor(model, prompts, peak_flops, mfu=0.5, gpus=1):
    return prefill_flops(model, prompts) / (peak_flops * mfu * gpus)
