def run_all(requests, run):
    answers, poison = {}, []
    unknown, bad = [list(requests)] if requests else [], []
    while unknown or bad:
        if bad:
            part = bad.pop()
            if len(part) == 1:
                poison.append(part[0])
                continue
            left, right = part[: len(part) // 2], part[len(part) // 2 :]
            try:
                answers.update(zip(right, run(right)))
                bad.append(left)
            except RuntimeError:
                bad.append(right)
                unknown.append(left)
            continue
        part = unknown.pop()
        try:
            answers.update(zip(part, run(part)))
        except RuntimeError:
            bad.append(part)
    return {"answers": answers, "poison": poison}
