"""The input that crashes the batch: a stack of batches that are known to crash, halved until they are single."""


def run_all(requests: list[str], run) -> dict:
    """Answer all requests but the poisons, in few runs."""
    answers = {}
    poisons = set()

    def passes(batch):
        try:
            answers.update(zip(batch, run(list(batch))))
        except RuntimeError:
            return False
        return True

    crashing = [] if not requests or passes(requests) else [requests]
    while crashing:
        batch = crashing.pop()
        if len(batch) == 1:
            poisons.update(batch)
            continue
        left, right = batch[: len(batch) // 2], batch[len(batch) // 2 :]
        if passes(left):
            crashing.append(right)  # the crash of the whole must come from here
            continue
        crashing.append(left)
        if not passes(right):
            crashing.append(right)

    return {
        "answers": {request: answers[request] for request in requests if request in answers},
        "poison": [request for request in requests if request in poisons],
    }
