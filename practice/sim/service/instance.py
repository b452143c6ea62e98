"""One replica of a fleet: an engine that is advanced only when someone needs to know, and what a router sees of it."""

from math import inf, nextafter

from practice.sim.simulation import make_replica

STARTING, READY, STANDBY, DRAINING, DEAD, GONE = "starting", "ready", "standby", "draining", "dead", "gone"


class Load:
    """What a router knows of a replica's load."""

    __slots__ = ("prefill", "requests", "tokens")

    def __init__(self, requests: int = 0, tokens: int = 0, prefill: int = 0):
        self.requests = requests  # sent and not finished
        self.tokens = tokens  # input + output tokens of these
        self.prefill = prefill  # prompt tokens of these whose first token has not come

    def copy(self) -> "Load":
        """The same numbers, from now on unchanged."""
        return Load(self.requests, self.tokens, self.prefill)


class Instance:
    """One replica and its life: starting, ready (or ready and on standby), draining, dead (nobody has noticed yet), gone."""

    __slots__ = (
        "adapters", "bit", "coming", "died_at", "engine", "generation", "group", "held_from", "held_until", "inbox", "is_spare",
        "link_free", "load", "number", "numbers", "prefill_seen", "prefills", "ready_at", "reserved", "seen", "state", "tracks_prefill",
        "view", "wake", "was_ready", "zone")

    def __init__(self, number, group, zone, engine, now, ready_at):
        self.number, self.group, self.zone, self.engine = number, group, zone, engine
        self.bit = 1 << number
        self.load = self.view = Load()
        self.numbers = []  # request numbers, by the engine's own numbers
        self.inbox = []  # placed, and not yet submitted to the engine
        self.coming = {}  # request number -> request, for what is sent and not placed yet
        self.seen = 0  # how many of engine.finished have been handled
        self.wake = inf  # when to look at it next
        self.state = READY if ready_at <= now else STARTING
        self.held_from, self.ready_at, self.held_until, self.died_at = now, ready_at, None, None
        self.adapters = None
        self.link_free = 0.0  # when its link to a decode replica is free
        self.reserved = 0  # KV tokens promised on it, with reserve_decode
        self.prefill_seen, self.tracks_prefill = 0, False
        self.prefills = {}  # request number -> prompt tokens to compute, until its first token
        self.generation = 0  # version of the software, for roll-outs
        self.was_ready = False  # when it died: the router goes on choosing it
        self.is_spare = False  # to be kept on standby

    @property
    def serves(self) -> bool:
        """Whether it takes steps."""
        return self.state in (READY, DRAINING)

    @property
    def waiting(self) -> int:
        """Requests sent to it and not admitted by its engine."""
        return self.load.requests - self.engine.running

    def place(self, number: int, request):
        """Hands it a request that arrives now."""
        self.numbers.append(number)
        self.inbox.append(request)

    def catch_up(self, now: float) -> list[int]:
        """Takes its steps up to `now`; the engine's numbers of what has finished since, in order."""
        engine = self.engine
        if self.inbox:
            engine.submit(self.inbox)
            self.inbox = []
        engine.advance(now)
        finished, times, seen = engine.finished, engine.finish_times, self.seen
        start = seen
        while seen < len(finished) and times[finished[seen]] <= now:
            seen += 1
        if self.tracks_prefill:
            self._see_prefill(now)
        if seen == start:
            return ()
        self.seen = seen
        return finished[start:seen]

    def next_wake(self) -> float:
        """When something that others may notice can happen next; inf when nothing is on its way."""
        engine = self.engine
        if self.seen < len(engine.finished):
            wake = engine.finish_times[engine.finished[self.seen]]
        else:
            wake = engine.next_event()
        if self.tracks_prefill and self.prefill_seen < len(engine.first_times):
            first = engine.first_times[self.prefill_seen]
            if first is not None and first < wake:
                wake = first
        return wake

    def _see_prefill(self, now):
        firsts, place = self.engine.first_times, self.prefill_seen
        while place < len(firsts) and firsts[place] is not None and firsts[place] <= now:
            self.load.prefill -= self.prefills.pop(self.numbers[place])
            place += 1
        self.prefill_seen = place

    def in_flight(self, now: float):
        """(request number, engine's number) of what was placed and had not finished at `now`, in order of placing."""
        times = self.engine.finish_times
        return [(number, index) for index, number in enumerate(self.numbers)
                if index >= len(times) or times[index] is None or times[index] > now]

    def streamed(self, index: int, now: float) -> tuple[float, ...]:
        """The times up to `now` at which an unfinished request got its tokens."""
        engine = self.engine
        if index >= len(engine.first_times) or engine.first_times[index] is None or engine.first_times[index] > now:
            return ()
        most = engine.outputs[index] - 1
        if hasattr(engine, "most_given"):
            most = min(most, engine.most_given(index))
        # Steps that it has not taken yet end at engine.clock or later, so what a run promises beyond `now` falls away.
        times = engine.record(index)._replace(output_len=most).token_times if most else ()
        return tuple(time for time in times if time <= now)


def make_engine(setup, loads: bool):
    """An engine for the setup; loads: requests may bring KV with them, which the fast engine knows nothing of."""
    if loads and setup.is_default:
        from practice.sim.realistic import RealisticReplica

        return RealisticReplica(setup)
    return make_replica(setup)


def just_after(time: float) -> float:
    """The next representable time, so that a step that starts at `time` is taken."""
    return nextafter(time, inf)
