"""When requests come: open-loop processes, the closed loop of a fixed number of users, and workloads made of them."""

from collections.abc import Callable
from heapq import heapify, heappop, heappush
from math import inf, pi, sin
from random import Random

from practice.sim.lengths import Length, fixed
from practice.sim.simulation import check_workload
from practice.sim.wording import check_number, check_whole
from practice.sim.workload import Request, poisson_arrivals


def gamma_arrivals(rate: float, count: int, cv: float, seed: int = 0) -> list[float]:
    """Arrival times with Gamma gaps of mean 1/rate and coefficient of variation `cv`; seconds.

    cv 1 is a Poisson process, above 1 is burstier (Azure's code trace: 13), below 1 more even, 0 a metronome.
    """
    check_number("rate", rate, above=0)
    check_whole("count", count, least=1)
    check_number("cv", cv, least=0, most=1000)
    rng, now, times = Random(seed), 0.0, []
    for _ in range(count):
        # Gamma with shape k has cv 1 / sqrt(k); scale chosen for the mean.
        now += rng.gammavariate(1 / cv**2, cv**2 / rate) if cv else 1 / rate
        times.append(now)
    return times


def varying_arrivals(rate_at: Callable[[float], float], peak: float, until: float, seed: int = 0) -> list[float]:
    """A Poisson process whose rate at time t is rate_at(t), at most `peak`, from 0 to `until` seconds, by thinning."""
    check_number("peak", peak, above=0)
    check_number("until", until, above=0)
    rng, now, times = Random(seed), 0.0, []
    while True:
        now += rng.expovariate(peak)
        if now >= until:
            return times
        rate = rate_at(now)
        if not 0 <= rate <= peak * (1 + 1e-9):
            raise ValueError(f"rate_at({now:g}) is {rate:g}, {'above the peak of' if rate > peak else 'but it must be from 0 to'} {peak:g}")
        if rng.random() * peak < rate:
            times.append(now)


def diurnal_arrivals(mean: float, peak: float, until: float, seed: int = 0, *, period: float = 86400.0) -> list[float]:
    """A Poisson process that follows a day: a sine around `mean` requests/s that reaches `peak` at half the period."""
    check_number("mean", mean, above=0)
    check_number("peak", peak, least=mean, most=2 * mean)
    check_number("period", period, above=0)
    return varying_arrivals(lambda t: mean + (peak - mean) * sin(2 * pi * (t / period - 0.25)), peak, until, seed)


def workload(arrivals: list[float], input_len: Length | int, output_len: Length | int, seed: int = 0) -> list[Request]:
    """Requests at these times with lengths drawn by functions of practice.sim.lengths, or fixed ones."""
    inputs = input_len if callable(input_len) else fixed(input_len)
    outputs = output_len if callable(output_len) else fixed(output_len)
    rng = Random(seed)
    return [Request(arrival, inputs(rng), outputs(rng)) for arrival in arrivals]


def poisson_workload(rate: float, count: int, input_len: Length | int, output_len: Length | int, seed: int = 0) -> list[Request]:
    """Poisson arrivals, as `simulate` makes them, with drawn lengths."""
    return workload(poisson_arrivals(rate, count, seed), input_len, output_len, seed)


class ClosedLoop:
    """N users who each send the next request a think time after the answer to the last one has ended.

    A load test of this kind slows down with the system, and so hides overload (coordinated omission).
    Use: simulate(setup, workload=ClosedLoop(users=32, num_requests=1000, input_len=1024, output_len=256)).
    """

    def __init__(self, users: int, num_requests: int, input_len: Length | int, output_len: Length | int, *,
                 think: float | Callable[[Random], float] = 0.0, seed: int = 0):
        check_whole("users", users, least=1)
        check_whole("num_requests", num_requests, least=1)
        if not callable(think):
            check_number("think", think, least=0)
        self.users, self.num_requests, self.seed = users, num_requests, seed
        self.input_len = input_len if callable(input_len) else fixed(input_len)
        self.output_len = output_len if callable(output_len) else fixed(output_len)
        self.think = think if callable(think) else lambda rng: think

    def drive(self, replica) -> list:
        """Runs the loop on a replica; the records of its num_requests requests. All users start at time 0."""
        rng, sent, seen = Random(self.seed), 0, 0
        ready = [0.0] * min(self.users, self.num_requests)
        heapify(ready)
        while True:
            replica.advance(min(ready[0] if ready else inf, replica.next_event()))
            for request in replica.finished[seen:]:
                if sent + len(ready) < self.num_requests:
                    heappush(ready, replica.finish_times[request] + self._pause(rng))
            seen = len(replica.finished)
            due = []
            while ready and ready[0] <= replica.next_event():
                due.append(Request(heappop(ready), self.input_len(rng), self.output_len(rng)))
                check_workload(due[-1:])
                sent += 1
                replica.submit(due[-1:])
            if not ready and not due and replica.next_event() == inf:
                return replica.records()

    def _pause(self, rng):
        seconds = self.think(rng)
        check_number("think", seconds, least=0)
        return seconds
