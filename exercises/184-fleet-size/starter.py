"""Exercise 184: from requests per second to a number of GPUs."""


def plan(
    qps,
    input_tokens,
    output_tokens,
    tpot_seconds,
    weight_bytes,
    kv_bytes_per_token,
    *,
    gpus_per_instance=8,
    gpu_bytes=80e9,
    gpu_bandwidth=3350e9,
    utilization=0.9,
    reserved_bytes=4e9,
    load_target=0.7,
    max_sequences=None,
):
    """Size the decode fleet.

    qps: requests per second the whole fleet must serve.
    input_tokens, output_tokens: tokens of one request's prompt and answer.
    tpot_seconds: longest allowed time of one decode step.
    weight_bytes: one copy of the weights, spread over the GPUs of an instance.
    kv_bytes_per_token: keys and values of one token, all layers, over the whole instance.
    gpus_per_instance: GPUs that serve the model together.
    gpu_bytes, gpu_bandwidth: memory (bytes) and its bandwidth (bytes/s) of one GPU.
    utilization: share of gpu_bytes that the engine may use.
    reserved_bytes: activations and the like, on each GPU.
    load_target: share of its full rate at which an instance is run.
    max_sequences: the scheduler's cap on running sequences, or None for no cap.

    Returns a dict with batch, limit, step_seconds, requests_per_second, instances, gpus.
    Raises ValueError with "memory" or "TPOT" in its message where no batch is possible.
    """
    raise NotImplementedError
