def finish_steps(requests, slots):
    if slots < 1 or any(a < 1 or t < 1 for a, t in requests):
        raise ValueError("slots, arrivals and tokens must be positive")
    order = sorted(range(len(requests)), key=lambda i: requests[i][0])
    finish = [0] * len(requests)
    step = 1
    while order:
        # start a batch as soon as the first request is here
        step = max(step, requests[order[0]][0])
        batch = [i for i in order if requests[i][0] <= step][:slots]
        order = [i for i in order if i not in batch]
        for i in batch:
            finish[i] = step + requests[i][1] - 1
        step = max(finish[i] for i in batch) + 1
    return finish
