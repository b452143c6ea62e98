def expected_tokens(acceptance, k):
    if acceptance == 1:
        return k + 1.0
    return (1 - acceptance ** (k + 1)) / (1 - acceptance)


def speedup(acceptance, k, draft_cost):
    return expected_tokens(acceptance, k) / (1 + (k > 0) * draft_cost)


def best_k(acceptance, draft_cost):
    if (draft_cost == 0 and acceptance > 0) or (acceptance == 1 and draft_cost < 1):
        raise ValueError(f"acceptance {acceptance} and draft cost {draft_cost}: longer drafts always gain a little, there is no best length")
    best, k = 0, 0
    while acceptance ** k > draft_cost:
        k += 1
        if expected_tokens(acceptance, k) / (1 + k * draft_cost) > expected_tokens(acceptance, best) / (1 + best * draft_cost):
            best = k
    return best
