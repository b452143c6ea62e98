def expected_tokens(acceptance, k):
    if acceptance == 1:
        return k + 1.0
    return (1 - acceptance ** (k + 1)) / (1 - acceptance)


def speedup(acceptance, k, draft_cost):
    return expected_tokens(acceptance, k) / (1 + k * draft_cost)


def best_k(acceptance, draft_cost):
    k = 0
    while k < 10_000 and speedup(acceptance, k + 1, draft_cost) > speedup(acceptance, k, draft_cost):
        k += 1
    return k
