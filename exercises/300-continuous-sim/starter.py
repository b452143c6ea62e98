"""Exercise 300: continuous batching, step by step."""


def finish_steps(requests: list[tuple[int, int]], slots: int) -> list[int]:
    """The step in which each request emits its last token, in the order of the input.

    requests: (arrival step, decode steps needed) pairs, both 1 or more, in any order.
    slots: how many sequences run at once, 1 or more.
    Raises ValueError when slots, an arrival or a token count is below 1.
    Example: finish_steps([(1, 2), (1, 3), (4, 1)], slots=2) is [2, 3, 4].
    """
    raise NotImplementedError
