import heapq


def finish_steps(requests, slots):
    if slots < 1 or any(a < 1 or t < 1 for a, t in requests):
        raise ValueError("slots, arrivals and tokens must be positive")
    original = list(requests)
    places = sorted(range(len(original)), key=lambda i: original[i][0])
    requests.sort(key=lambda r: r[0])
    finish = [0] * len(requests)
    busy = []
    for place, (arrival, tokens) in zip(places, requests):
        start = arrival
        if len(busy) >= slots:
            start = max(start, heapq.heappop(busy) + 1)
        finish[place] = start + tokens - 1
        heapq.heappush(busy, finish[place])
    return finish
