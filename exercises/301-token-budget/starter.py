"""Exercise 301: one scheduler step under a token budget."""


def schedule_step(
    running: list[dict], waiting: list[dict], *, token_budget: int, max_seqs: int, free_blocks: int, block_size: int
) -> dict:
    """The decision of one engine step: decodes first, then prefill chunks, then admissions.

    running: requests in order of admission, each {"id", "tokens", "computed", "blocks"}; not changed.
    waiting: the queue, head first, of the same form with nothing computed and no blocks; not changed.
    token_budget: the most tokens this step may compute over all requests.
    max_seqs: the most requests that may run at once.
    free_blocks: KV blocks nobody holds; block_size: tokens per block.
    Returns {"scheduled": {id: tokens}, "preempted": [id, ...], "admitted": [id, ...], "free_blocks": int}.
    """
    raise NotImplementedError
