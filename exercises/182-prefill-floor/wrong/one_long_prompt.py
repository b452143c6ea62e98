"""Concatenates the prompts of a batch."""

def prefill_flops(model, prompts):
    params = model.get("active_params", model["params"])
    new = sum(n for n, _ in prompts)
    cached = sum(c for n, c in prompts)
    attended = new * cached + new * (new + 1) // 2
    return 2 * params * new + 4 * attended * model["heads"] * model["head_dim"] * model["layers"]


def prefill_floor(model, prompts, peak_flops, mfu=0.5, gpus=1):
    return prefill_flops(model, prompts) / (peak_flops * mfu * gpus)
