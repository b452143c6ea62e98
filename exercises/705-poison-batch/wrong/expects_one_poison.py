def run_all(requests, run):
    if not requests:
        return {"answers": {}, "poison": []}
    try:
        return {"answers": dict(zip(requests, run(requests))), "poison": []}
    except RuntimeError:
        pass
    answers = {}
    suspects = list(requests)
    while len(suspects) > 1:
        left, right = suspects[: len(suspects) // 2], suspects[len(suspects) // 2 :]
        try:
            answers.update(zip(left, run(left)))
            suspects = right
        except RuntimeError:
            # it is in the left half, so the right half is fine
            try:
                answers.update(zip(right, run(right)))
            except RuntimeError:
                pass
            suspects = left
    return {"answers": {r: answers[r] for r in requests if r in answers}, "poison": suspects}
