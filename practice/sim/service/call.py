"""What a fleet's policies ask of a request beyond its lengths: who sends it, in which session, for which adapter."""

from dataclasses import dataclass, field, replace
from itertools import accumulate
from random import Random

from practice.sim.lengths import Length, fixed
from practice.sim.wording import check_number, check_whole
from practice.sim.workload import Request


@dataclass(frozen=True, slots=True)
class Call(Request):
    """A Request with what routers and gateways look at; plain Requests serve as well and have none of it."""

    session: object = None
    """The conversation it belongs to; for session affinity."""
    tenant: object = None
    """Who pays; for token buckets and fair sharing."""
    adapter: object = None
    """The LoRA adapter it needs; None for the base model."""


def with_adapters(requests: list[Request], adapters: int, exponent: float = 1.0, seed: int = 0) -> list[Call]:
    """The same requests, each for one of `adapters` adapters 0, 1, ... drawn by Zipf's law: popularity 1 / (rank ** exponent)."""
    check_whole("adapters", adapters, least=1)
    check_number("exponent", exponent, least=0)
    weights = list(accumulate(1 / (rank + 1) ** exponent for rank in range(adapters)))
    drawn = Random(seed).choices(range(adapters), cum_weights=weights, k=len(requests))
    return [as_call(request, adapter=adapter) for request, adapter in zip(requests, drawn)]


def as_call(request: Request, **changes) -> Call:
    """The request as a Call with some fields changed."""
    if isinstance(request, Call):
        return replace(request, **changes)
    return Call(request.arrival, request.input_len, request.output_len, request.priority, request.hashes, request.hash_block, **changes)


@dataclass(frozen=True)
class Sessions:
    """Conversations that share system prompts: each turn's prompt is all that was said before plus what the user adds."""

    rate: float
    """New conversations per second, Poisson."""
    count: int
    """Conversations."""
    turns: int = 4
    """Turns of each."""
    think: float = 30.0
    """Mean seconds between a turn and the next, exponential; turns do not wait for answers."""
    system_prompts: int = 10
    """Different system prompts, drawn evenly."""
    system_len: int = 1024
    """Tokens of a system prompt."""
    user_len: Length | int = 256
    """Tokens that the user adds in a turn."""
    output_len: Length | int = 256
    """Tokens of an answer."""
    block: int = 64
    """Tokens per hash."""
    seed: int = field(default=0)
    """Of everything drawn."""

    def calls(self) -> list[Call]:
        """All turns of all conversations, in order of arrival."""
        check_number("rate", self.rate, above=0)
        for name in ("count", "turns", "system_prompts", "system_len", "block"):
            check_whole(name, getattr(self, name), least=1)
        check_number("think", self.think, least=0)
        rng, start, calls = Random(self.seed), 0.0, []
        for session in range(self.count):
            start += rng.expovariate(self.rate)
            calls += self._conversation(session, start, rng)
        return sorted(calls, key=lambda call: call.arrival)

    def _conversation(self, session, now, rng):
        user = self.user_len if callable(self.user_len) else fixed(self.user_len)
        answer = self.output_len if callable(self.output_len) else fixed(self.output_len)
        prompt = rng.randrange(self.system_prompts)
        shared = self.system_len // self.block
        context, hashes, calls = self.system_len, [], []
        for _ in range(self.turns):
            context += user(rng)
            output = answer(rng)
            # A block is known by all tokens up to its end, so blocks beyond the system prompt belong to the session. Plain ints: a
            # tuple would be hashed anew at every look-up. The turns share them, which spares memory.
            hashes += [-(prompt << 20 | n) - 1 if n < shared else session << 20 | n for n in range(len(hashes), context // self.block)]
            calls.append(Call(now, context, output, 0, tuple(hashes), self.block, session=session))
            context += output
            now += rng.expovariate(1 / self.think) if self.think else 0.0
        return calls
