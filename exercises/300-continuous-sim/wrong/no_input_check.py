def finish_steps(requests, slots):
    order = sorted(range(len(requests)), key=lambda i: requests[i][0])
    ends = []
    finish = [0] * len(requests)
    for i in order:
        arrival, tokens = requests[i]
        busy = sorted(e for e in ends if e >= arrival)
        # with k sequences ahead of us, we start when all but slots - 1 of them have ended
        start = arrival if len(busy) < slots else busy[-slots] + 1 if slots else arrival
        finish[i] = start + tokens - 1
        ends.append(finish[i])
    return finish
