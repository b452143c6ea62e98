"""Exercise 705: the input that crashes the batch."""

from collections.abc import Callable


def run_all(requests: list[str], run: Callable[[list[str]], list[str]]) -> dict:
    """Answer all requests but the poisons, in few runs.

    requests: ids, all different. run(batch): the answers in the batch's order; raises RuntimeError if a poison is in the batch.
    Returns {"answers": {id: answer}, "poison": [id, ...]}, both in the order of `requests`.
    """
    raise NotImplementedError
