def schedule_step(running, waiting, *, token_budget, max_seqs, free_blocks, block_size):
    alive = list(running)
    scheduled: dict[str, int] = {}
    preempted: list[str] = []
    admitted: list[str] = []
    budget, free = token_budget, free_blocks

    def new_blocks(request, n):
        return max(0, -(-(request["computed"] + n) // block_size) - request["blocks"])

    for request in [r for r in running if r["tokens"] - r["computed"] == 1]:
        if budget == 0:
            break
        if request["id"] in preempted:
            continue
        while new_blocks(request, 1) > free:
            victim = alive.pop(0)
            free += victim["blocks"]
            preempted.append(victim["id"])
            if victim is request:
                break
        else:
            free -= new_blocks(request, 1)
            scheduled[request["id"]] = 1
            budget -= 1

    for request in alive:
        left = request["tokens"] - request["computed"]
        if left == 1:
            continue
        room = (request["blocks"] + free) * block_size - request["computed"]
        chunk = min(left, budget, room)
        if chunk > 0:
            free -= new_blocks(request, chunk)
            scheduled[request["id"]] = chunk
            budget -= chunk

    if not preempted:
        for request in waiting:
            chunk = min(request["tokens"], budget)
            if chunk == 0 or len(alive) == max_seqs or new_blocks(request, chunk) > free:
                break
            free -= new_blocks(request, chunk)
            scheduled[request["id"]] = chunk
            budget -= chunk
            alive.append(request)
            admitted.append(request["id"])

    return {"scheduled": scheduled, "preempted": preempted, "admitted": admitted, "free_blocks": free}
