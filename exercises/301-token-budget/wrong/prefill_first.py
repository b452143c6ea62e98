from math import ceil


def schedule_step(running, waiting, *, token_budget, max_seqs, free_blocks, block_size):
    alive = list(running)
    scheduled, preempted, admitted = {}, [], []
    budget, free = token_budget, free_blocks

    def need(r, n):
        return max(0, ceil((r["computed"] + n) / block_size) - r["blocks"])

    # one pass in order of admission, everybody gets what he still needs
    for r in list(running):
        if r["id"] in preempted or budget == 0:
            continue
        n = min(r["tokens"] - r["computed"], budget)
        if r["tokens"] - r["computed"] > 1:
            n = min(n, (r["blocks"] + free) * block_size - r["computed"])
            if n <= 0:
                continue
        while need(r, n) > free:
            victim = alive.pop()
            free += victim["blocks"]
            preempted.append(victim["id"])
            if victim is r:
                break
        else:
            free -= need(r, n)
            scheduled[r["id"]] = n
            budget -= n

    if not preempted:
        for r in waiting:
            n = min(r["tokens"], budget)
            if n == 0 or len(alive) >= max_seqs or need(r, n) > free:
                break
            free -= need(r, n)
            scheduled[r["id"]] = n
            budget -= n
            alive.append(r)
            admitted.append(r["id"])
    return {"scheduled": scheduled, "preempted": preempted, "admitted": admitted, "free_blocks": free}
