"""The way of a request from the router's choice into its replica's queue: delay, adapter, loads from slower tiers."""

from dataclasses import replace
from heapq import heappush

from practice.sim.service.instance import Instance, just_after
from practice.sim.service.tiers import TieredPool, load_prefix
from practice.sim.workload import Request


class Delivery:
    """Delivers the requests of one simulation."""

    def __init__(self, run):
        self.run = run
        service = run.service
        self.is_direct = not (service.router_delay or service.lora or service.tiers)
        """Whether a request is placed the moment it is sent."""

    def send(self, number: int, request: Request, instance: Instance, now: float):
        """Sends a request to a replica."""
        load = instance.load
        load.requests += 1
        load.tokens += request.input_len + request.output_len
        if instance.tracks_prefill:
            instance.prefills[number] = request.input_len - request.loaded
            load.prefill += request.input_len - request.loaded
        if self.run.directory is not None and request.hashes and instance.group.role != "decode":
            self.run.directory.add(request.hashes[:request.input_len // request.hash_block], instance.bit)
        if self.is_direct:
            self._place(number, request, instance, now)
            return
        instance.coming[number] = request
        if self.run.service.router_delay:
            self.run.at(now + self.run.service.router_delay, self._delivered, number, request, instance)
        else:
            self._delivered(number, request, instance, now)

    def _delivered(self, number, request, instance, now):
        """A request has reached its replica: it may have to wait for its adapter and for loads from slower tiers."""
        if number not in instance.coming or instance.died_at is not None:
            return
        ready = now
        adapter = getattr(self.run.requests[number], "adapter", None)
        if instance.adapters is not None and adapter is not None:
            ready = instance.adapters.acquire(adapter, now)
            if ready is None:
                del instance.coming[number]
                instance.adapters.waiting.append((number, request))
                return
        pool = getattr(instance.engine, "pool", None)
        if self.run.service.tiers and request.hashes and not request.loaded and isinstance(pool, TieredPool):
            setup = instance.engine.setup
            loaded, fetched, end = load_prefix(pool, self.run.service.tiers, request, now, setup.kv_bytes_per_token,
                                               2 * setup.params / (setup.peak_flops * setup.mfu))
            if fetched:
                self.run.story(number).prefix = min(loaded, request.input_len - 1)
                request = replace(request, loaded=loaded)
                ready = max(ready, end)
        if ready > now:
            self.run.at(ready, self._loaded, number, request, instance)
        else:
            del instance.coming[number]
            self._place(number, request, instance, now)

    def _loaded(self, number, request, instance, now):
        if number in instance.coming and instance.died_at is None:
            del instance.coming[number]
            self._place(number, request, instance, now)

    def _place(self, number, request, instance, now):
        if request.arrival != now:
            request = replace(request, arrival=now)
        if instance.group.role == "prefill":
            request = replace(request, output_len=1)
        instance.place(number, request)
        if self.run.watches and instance.died_at is None:
            wake = just_after(now)
            if wake < instance.wake:
                instance.wake = wake
                heappush(self.run.wakes, (wake, instance.number))

    def release_adapter(self, instance, number, now):
        """A request is done with its adapter: those that wait for a slot try again."""
        adapter = getattr(self.run.requests[number], "adapter", None)
        if adapter is not None:
            instance.adapters.release(adapter)
        waiting, instance.adapters.waiting = instance.adapters.waiting, []
        for other, request in waiting:
            instance.coming[other] = request
            self._delivered(other, request, instance, now)
