def run_all(requests, run):
    answers, poison = {}, []

    def work(part, depth):
        if not part:
            return
        try:
            answers.update(zip(part, run(part)))
        except RuntimeError:
            if len(part) == 1 or depth == 2:
                poison.extend(part)
                return
            middle = len(part) // 2
            work(part[:middle], depth + 1)
            work(part[middle:], depth + 1)

    # splitting twice narrows it down enough
    work(requests, 0)
    return {"answers": {r: answers[r] for r in requests if r in answers}, "poison": poison}
