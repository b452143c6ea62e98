def finish_steps(requests, slots):
    if slots < 1 or any(a < 1 or t < 1 for a, t in requests):
        raise ValueError("slots, arrivals and tokens must be positive")
    free_at = [1] * slots
    finish = []
    for arrival, tokens in requests:
        slot = min(range(slots), key=lambda s: free_at[s])
        start = max(arrival, free_at[slot])
        finish.append(start + tokens - 1)
        free_at[slot] = start + tokens
    return finish
