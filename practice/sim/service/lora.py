"""LoRA adapters: which are resident on a replica, and how long a request waits for its own."""

from collections import OrderedDict
from dataclasses import dataclass, replace

from practice.sim.setup import Setup
from practice.sim.wording import check_number, check_whole


@dataclass(frozen=True)
class Lora:
    """Adapters of one size, slots for them in GPU memory and in host memory."""

    adapter_bytes: float = 83886080.0
    """Of one adapter; 80 MiB is rank 16 on all projections of an 8B model in 16 bits."""
    slots: int = 16
    """Adapters that fit on a replica's GPUs; their room is taken from the KV cache."""
    host_slots: int = 256
    """Adapters kept in the host memory of a replica."""
    host_bandwidth: float = 25e9
    """Bytes/s from host memory to the GPU."""
    store_bandwidth: float = 1e9
    """Bytes/s from where all adapters are to host memory."""
    compute_share: float = 0.005
    """Further FLOPs of a token, as a share of the base model's; 0.5% is rank 16."""

    def __post_init__(self):
        check_number("adapter_bytes", self.adapter_bytes, above=0)
        check_whole("slots", self.slots, least=1)
        check_whole("host_slots", self.host_slots, least=0)
        check_number("host_bandwidth", self.host_bandwidth, above=0)
        check_number("store_bandwidth", self.store_bandwidth, above=0)
        check_number("compute_share", self.compute_share, least=0)

    def on(self, setup: Setup) -> Setup:
        """The setup with the adapters' room, reads and FLOPs: every step reads all slots, the most that it can need.

        Raises ValueError where the slots leave no room for a KV cache.
        """
        taken = self.slots * self.adapter_bytes
        room = setup.kv_capacity_tokens - int(taken / setup.kv_bytes_per_token)
        if room < 1:
            raise ValueError(f"slots is {self.slots}: {taken / 1e9:.1f} GB of adapters, more than the KV cache of "
                             f"{setup.kv_capacity_tokens * setup.kv_bytes_per_token / 1e9:.1f} GB that they are taken from")
        return replace(setup, params=setup.params * (1 + self.compute_share), weight_bytes=setup.weight_bytes + taken, kv_capacity_tokens=room)


class Adapters:
    """The adapters of one replica."""

    def __init__(self, lora: Lora):
        self._lora = lora
        self._resident = OrderedDict()  # adapter -> [ready at, requests that use it], least recently used first
        self._host = OrderedDict()
        self._link_free = 0.0
        self.waiting = []  # (number, request) for which no slot can be freed, in order

    def has(self, adapter) -> bool:
        """Whether it is resident or on its way."""
        return adapter in self._resident

    def acquire(self, adapter, now: float) -> float | None:
        """When the adapter is ready for one more request, None while every slot is in use by others."""
        entry = self._resident.get(adapter)
        if entry is None:
            if len(self._resident) >= self._lora.slots and not self._evict():
                return None
            entry = self._resident[adapter] = [self._load(adapter, now), 0]
        self._resident.move_to_end(adapter)
        entry[1] += 1
        return max(now, entry[0])

    def release(self, adapter):
        """One request less uses it."""
        self._resident[adapter][1] -= 1

    def _evict(self):
        for adapter, (_, users) in self._resident.items():
            if not users:
                del self._resident[adapter]
                return True
        return False

    def _load(self, adapter, now):
        """Loads one adapter after the other over the host's link."""
        lora = self._lora
        begin = max(now, self._link_free)
        if adapter in self._host:
            self._host.move_to_end(adapter)
        else:
            begin += lora.adapter_bytes / lora.store_bandwidth
            if lora.host_slots:
                self._host[adapter] = True
                if len(self._host) > lora.host_slots:
                    self._host.popitem(last=False)
        self._link_free = begin + lora.adapter_bytes / lora.host_bandwidth
        return self._link_free
