"""Exercise 144: alert on the burn rate of an SLO."""


def burn_rate(samples: list[tuple[int, int, int]], now: int, window: int, objective: float) -> float:
    """How many times faster than allowed the error budget is spent; 0.0 without requests."""
    inside = [(total, bad) for end, total, bad in samples if now - window < end <= now]
    # Sum first, divide once: a quiet minute must not weigh as much as a busy one.
    total = sum(total for total, _ in inside)
    bad = sum(bad for _, bad in inside)
    if total == 0:
        return 0.0  # nobody came, so nothing was burnt
    return bad / total / (1 - objective)


def firing(samples: list[tuple[int, int, int]], now: int, objective: float, rules: list[tuple[str, int, int, float]]) -> list[str]:
    """Names of the rules that fire, in the order of the rules."""
    names = []
    for name, long_window, short_window, factor in rules:
        # The long window says that it matters, the short one that it is still going on.
        matters = burn_rate(samples, now, long_window, objective) >= factor
        goes_on = burn_rate(samples, now, short_window, objective) >= factor
        if matters and goes_on:
            names.append(name)
    return names


def budget_left(samples: list[tuple[int, int, int]], now: int, period: int, objective: float) -> float:
    """Share of the error budget of the last `period` seconds that is left; negative when overspent."""
    # bad / (allowed share * total) is the burn rate over the whole period: at rate 1 it spends all of the budget.
    return 1 - burn_rate(samples, now, period, objective)
