def burn_rate(samples: list[tuple[int, int, int]], now: int, window: int, objective: float) -> float:
    inside = [(total, bad) for end, total, bad in samples if now - window < end <= now]
    total = sum(total for total, _ in inside)
    bad = sum(bad for _, bad in inside)
    if total == 0:
        return 0.0
    return bad / total / (1 - objective)


def firing(samples: list[tuple[int, int, int]], now: int, objective: float, rules: list[tuple[str, int, int, float]]) -> list[str]:
    names = []
    for name, long_window, short_window, factor in rules:
        matters = burn_rate(samples, now, long_window, objective) >= factor
        if matters:
            names.append(name)
    return names


def budget_left(samples: list[tuple[int, int, int]], now: int, period: int, objective: float) -> float:
    return 1 - burn_rate(samples, now, period, objective)
