"""Exercise 203: how many sequences fit on a card."""


def weight_bytes(params, bits, group=None, scale_bits=16):
    """Bytes of the weights, with their scales.

    params: number of weights. bits: of one weight. group: weights that share a scale, or None for no scales.
    scale_bits: bits of scale and zero point of one group.
    """
    raise NotImplementedError


def max_sequences(gpu_gib, utilization, overhead_gib, weights_gib, context, kv_bytes_per_token, block=16):
    """Sequences of `context` tokens that fit beside the weights.

    gpu_gib, overhead_gib, weights_gib: GiB. utilization: share of the card the engine may use.
    context: tokens of one sequence. kv_bytes_per_token: bytes. block: tokens of a KV block.
    """
    raise NotImplementedError
