def finish_steps(requests, slots):
    if slots < 1 or any(a < 1 or t < 1 for a, t in requests):
        raise ValueError("slots, arrivals and tokens must be positive")
    waiting = sorted(range(len(requests)), key=lambda i: requests[i][0])
    left = {}
    finish = [0] * len(requests)
    done = []
    step = 0
    while waiting or left:
        step += 1
        while waiting and len(left) < slots and requests[waiting[0]][0] <= step:
            i = waiting.pop(0)
            left[i] = requests[i][1]
        # free the slots of the sequences that ended in the last step
        for i in done:
            del left[i]
        done = []
        for i in left:
            left[i] -= 1
            if left[i] == 0:
                finish[i] = step
                done.append(i)
    return finish
