"""Prefill and decode on different replicas: how the KV cache gets across."""

from dataclasses import dataclass, replace

from practice.sim.wording import check_number, check_whole


@dataclass(frozen=True)
class Disaggregation:
    """The links of the prefill replicas, one for each, that send one KV cache after the other."""

    link_bandwidth: float = 50e9
    """Bytes/s of one prefill replica's link; 50e9 is one 400 Gb/s card."""
    link_latency: float = 0.0
    """Seconds before the first byte."""
    layers: int = 0
    """Above 0: each layer's KV is sent while later layers compute; layers of the model."""
    reserve_decode: bool = False
    """Choose the decode replica, and promise the request room there, before prefill begins; wait at the gateway for it."""

    def __post_init__(self):
        check_number("link_bandwidth", self.link_bandwidth, above=0)
        check_number("link_latency", self.link_latency, least=0)
        check_whole("layers", self.layers, least=0)

    def exposed(self, transfer: float, prefill: float) -> float:
        """Seconds of a transfer that prefill does not hide.

        Layer by layer, the last one starts when prefill ends, and the first one when the first layer has been computed:
        max(T / L, T - P (L - 1) / L). Example: 8.39 ms for 80 layers under 315 ms of prefill: 0.105 ms.
        """
        if not self.layers:
            return transfer
        return max(transfer / self.layers, transfer - prefill * (self.layers - 1) / self.layers)


class Handover:
    """The way from prefill to decode of one simulation."""

    def __init__(self, run, policy: Disaggregation, choose):
        self.run, self.policy, self._choose = run, policy, choose
        self._promised = {}  # number -> (decode replica, tokens)
        self._waiting = []  # (number, request) for which no decode replica is there

    def _candidates(self):
        return self.run.decoders

    def has_room(self, request) -> bool:
        """Whether some decode replica can promise room for the request's final length."""
        return any(self._fits(instance, request) for instance in self._candidates())

    @staticmethod
    def _fits(instance, request):
        return instance.reserved + request.input_len + request.output_len <= instance.group.setup.kv_capacity_tokens

    def begin(self, number: int, request):
        """The request goes to prefill now: notes what it asks for, and promises room where that is the policy."""
        self.run.story(number).current = request
        if self.policy.reserve_decode:
            chosen = self._choose(request, [instance for instance in self._candidates() if self._fits(instance, request)])
            tokens = request.input_len + request.output_len
            chosen.reserved += tokens
            self._promised[number] = chosen, tokens

    def forget(self, number: int):
        """The request has finished or is lost: gives back what was promised."""
        chosen, tokens = self._promised.pop(number, (None, 0))
        if chosen is not None:
            chosen.reserved -= tokens

    def prefilled(self, number: int, instance, index: int, now: float):
        """A prefill replica has given the first token: sends the KV cache on its way."""
        engine, story = instance.engine, self.run.story(number)
        request = story.current
        story.keep(instance, index, (now,))
        if request.output_len == 1:
            story.ended = instance, index
            self.forget(number)
            self.run.complete(number)
            return
        transfer = request.input_len * instance.group.setup.kv_bytes_per_token / self.policy.link_bandwidth
        begin = max(now, instance.link_free)
        end = begin + self.policy.link_latency + self.policy.exposed(transfer, now - engine.scheduled[index])
        instance.link_free = end
        instance.coming[number] = request
        self.run.at(end, self._arrived, number, instance)

    def _arrived(self, number, instance, now):
        # A sender that died meanwhile has sent nothing whole; its requests are lost when that is noticed.
        if number not in instance.coming or instance.died_at is not None:
            return
        request = instance.coming.pop(number)
        # The decode replica computes the first token's KV and gives the second token in its first step.
        rest = replace(request, arrival=now, input_len=request.input_len + 1, output_len=request.output_len - 1, loaded=request.input_len)
        self._decode(number, rest, now)
        self.run.lives.leave_if_idle(instance, now)

    def _decode(self, number, rest, now):
        chosen = self._promised.get(number, (None, 0))[0]
        if chosen is None or chosen.state == "gone":
            candidates = self._candidates()
            if not candidates:
                self._waiting.append((number, rest))
                return
            chosen = self._choose(rest, candidates)
        self.run.delivery.send(number, rest, chosen, now)

    def pump(self, now: float):
        """A decode replica may have come: sends what waits."""
        waiting, self._waiting = self._waiting, []
        for number, rest in waiting:
            self._decode(number, rest, now)

    def give_up(self, now: float):
        """The end: no decode replica will come."""
        for number, _ in self._waiting:
            self.run.reject(number, now, "no replica")
        self._waiting = []
