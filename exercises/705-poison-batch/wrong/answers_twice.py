def run_all(requests, run):
    answers, poison = {}, []

    def passes(part):
        try:
            answers.update(zip(part, run(part)))
        except RuntimeError:
            return False
        return True

    def split(part):
        if len(part) == 1:
            poison.append(part[0])
            return
        left, right = part[: len(part) // 2], part[len(part) // 2 :]
        if passes(left):
            split(right)
            return
        split(left)
        if not passes(right):
            split(right)
        else:
            passes(right[:1])

    if requests and not passes(list(requests)):
        split(list(requests))
    return {"answers": {r: answers[r] for r in requests if r in answers}, "poison": poison}
