"""simulate: a workload through one instance."""

from collections.abc import Callable, Sequence

from practice.sim.engine import FastReplica
from practice.sim.record import Record
from practice.sim.setup import Setup
from practice.sim.wording import check_choice, check_count, check_number, check_whole
from practice.sim.workload import LATEST, Request, poisson_arrivals

ENGINES = ("closed", "exact")


def simulate(setup: Setup, rate: float | None = None, num_requests: int | None = None, input_len: int | None = None,
             output_len: int | None = None, seed: int = 0, *, workload: Sequence[Request] | None = None,
             engine: str = "closed", progress: Callable[[int], None] | None = None) -> list[Record]:
    """The records of every request of a workload, in order of arrival.

    Either rate (requests/s, Poisson), num_requests, input_len and output_len (tokens) with a seed, or `workload`: any
    sequence of Requests, or a practice.sim.arrivals.ClosedLoop.
    engine: closed takes runs of decode steps in closed form (to 1e-9); exact adds up every step.
    progress: called now and then with the number of requests that have finished.
    Raises ValueError where a number makes no sense or a request can never fit.
    Example: simulate(Setup(7.6e9, 15.2e9, 57344, 959123), 10, 2000, 1024, 256)[0].ttft is about 0.033 s.
    Semantics: in a step, running requests come first in the order of their admission, one token each where the prompt
    is complete, else as much of the prompt as the budget leaves; then waiting requests are admitted from the head of
    the queue while budget, max_num_seqs and the KV cache (for the final length) allow it. Token time = end of step.
    """
    check_choice("engine", engine, ENGINES)
    if workload is None:
        arrivals, inputs, outputs = _poisson(rate, num_requests, input_len, output_len, seed)
        if setup.is_default:
            replica = FastReplica(setup, exact=engine == "exact")
            replica.submit_lists(arrivals, inputs, outputs)
            return _to_the_end(replica, progress)
        workload = list(map(Request, arrivals, inputs, outputs))
    elif rate is not None:
        raise ValueError(f"rate is {rate!r} and workload is given too, but one of the two says when requests arrive")
    if hasattr(workload, "drive"):
        return workload.drive(make_replica(setup, engine))
    check_workload(workload)
    replica = make_replica(setup, engine, loads=any(request.loaded for request in workload))
    replica.submit(workload)
    return _to_the_end(replica, progress)


def _to_the_end(replica, progress):
    """Advances until all have finished; with stops on the way, which change nothing, where someone wants to know."""
    if progress:
        count = len(replica.arrivals)
        for part in range(1, 50):
            replica.advance(replica.arrivals[count * part // 50])
            progress(len(replica.finished))
    replica.advance()
    return replica.records()


def make_replica(setup: Setup, engine: str = "closed", loads: bool = False):
    """A replica for this setup: submit, advance(until), next_event(), records().

    loads: whether requests will come with part of their KV (Request.loaded), which the fast engine does not know.
    """
    if setup.is_default and not loads:
        return FastReplica(setup, exact=engine == "exact")
    from practice.sim.realistic import RealisticReplica

    return RealisticReplica(setup, exact=engine == "exact")


def _poisson(rate, num_requests, input_len, output_len, seed):
    check_whole("input_len", input_len, least=1)
    check_whole("output_len", output_len, least=1)
    arrivals = poisson_arrivals(rate, num_requests, seed)
    return arrivals, [int(input_len)] * len(arrivals), [int(output_len)] * len(arrivals)


def check_workload(workload: Sequence[Request]):
    """Raises ValueError for a request with impossible numbers, or one that arrives before the one ahead of it."""
    before = 0.0
    for number, request in enumerate(workload):
        if not _is_sound(request):
            _check_numbers(number, request)
        if request.arrival < before:
            raise ValueError(f"request {number} arrives at {request.arrival:g}, before request {number - 1} at {before:g}: sort the "
                             "workload by arrival")
        before = request.arrival


def _is_sound(request):
    """Whether the numbers are plain ones within bounds, as nearly all are; of the others `_check_numbers` says what is wrong, if anything."""
    return (
        type(request.arrival) is float and 0.0 <= request.arrival <= LATEST
        and type(request.input_len) is type(request.output_len) is type(request.priority) is type(request.loaded) is type(request.hash_block) is int
        and request.input_len >= 1 and request.output_len >= 1 and request.loaded >= 0 and request.hash_block >= 1
        and -LATEST <= request.priority <= LATEST and type(request.hashes) is tuple
    )


def _check_numbers(number, request):
    check_number(f"arrival of request {number}", request.arrival, least=0, most=LATEST)
    check_count(f"input_len of request {number}", request.input_len, least=1)
    check_count(f"output_len of request {number}", request.output_len, least=1)
    if request.priority == 0 and request.hashes == () and request.loaded == 0 and request.hash_block == 512:
        return
    check_number(f"priority of request {number}", request.priority)
    check_count(f"loaded of request {number}", request.loaded, least=0)
    check_count(f"hash_block of request {number}", request.hash_block, least=1)
    if not isinstance(request.hashes, tuple):
        raise ValueError(f"hashes of request {number} is a {type(request.hashes).__name__}, but it must be a tuple")
