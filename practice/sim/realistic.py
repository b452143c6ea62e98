"""The engine of all settings: on-demand KV blocks, schedules, orders, speculation, prefix cache, richer step times.

It keeps the ideas of practice.sim.engine: running sums, and decode runs in closed form. What ends a run grows by one:
a moment at which the KV blocks might run out. Only steps in which requests decode are numbered.
"""

from heapq import heappop, heappush
from math import ceil, floor, inf, nextafter

from practice.sim.growth import Growth
from practice.sim.pool import Pool
from practice.sim.record import rounds_for
from practice.sim.replica import Replica, check_length
from practice.sim.run import decode_shape, elapsed, steps_until
from practice.sim.setup import Setup
from practice.sim.step import decode_pairs, draft_seconds, step_time
from practice.sim.workload import Request


class _Live:
    """A request on its way."""

    __slots__ = ("number", "request", "key", "given", "target", "done", "held", "hits", "shared", "room",
                 "first", "start", "ends", "grows")

    def __init__(self, number: int, request: Request, key: tuple):
        self.number, self.request, self.key = number, request, key
        self.given = 0  # tokens given so far; while it decodes: up to and with the one that its prefill gave
        self.target = request.input_len  # tokens to prefill: after a preemption, what it had generated as well
        self.done = 0  # tokens prefilled of these
        self.held = 0  # private KV tokens
        self.hits = 0  # blocks that it found in the prefix cache when it was admitted
        self.shared = None  # what it uses of the prefix cache while it runs, Chain -> depth
        self.room = 0  # tokens that its blocks hold (kv_policy = "on_demand")
        self.first = 0  # tokens that it needs room for in its first decode step
        self.start = -1  # its first decode step, -1 before
        self.ends = -1  # the decode step that gives its last token
        self.grows = -1  # the decode step before which it needs another block


class RealisticReplica(Replica):
    """One instance with any settings."""

    def __init__(self, setup: Setup, exact: bool = False):
        super().__init__(setup, exact)
        self._on_demand = setup.kv_policy == "on_demand"
        self._block = setup.kv_block if self._on_demand else 1
        total = setup.kv_capacity_tokens // self._block * self._block
        self.pool = Pool(total, setup.prefix_cache)
        """The KV memory."""
        self._reserve = ceil(setup.watermark * total) if self._on_demand else 0
        self._width = setup.draft_tokens + 1
        self._rate = setup.tokens_per_round
        self._places = min(setup.max_num_seqs, setup.max_num_batched_tokens // self._width)
        self._mixes = setup.schedule == "chunked"
        self._lives = []
        self._arrived = 0  # requests that are in _waiting or beyond
        self._waiting = []  # heap of (key, number)
        self._running = {}  # number -> _Live, in order of admission
        self._prefilling = None  # the one that is partly prefilled
        self._decoding = 0
        self._context = 0  # KV tokens of all running requests
        self._finishing = []  # heap of (decode step, number)
        self._growth = Growth(setup)
        self._filling = True  # with decode_first: between two batches
        self._found = None  # what `_admissible` said, while it is certain to hold
        self._run = None
        self._shape = None, None, None  # the last Shape, and what it is for
        self._appends = self.timeline.appends()
        self.preemptions, self.recomputed, self.cached, self.pieces = [], [], [], []

    @property
    def running(self) -> int:
        """Requests admitted and not finished."""
        return len(self._running)

    @property
    def waiting(self) -> int:
        """Requests that have been submitted and are not running, preempted ones included."""
        return len(self._lives) - len(self._running) - len(self.finished)

    @property
    def decoding(self) -> int:
        """Requests that decode."""
        return self._decoding

    @property
    def kv_used(self) -> int:
        """Tokens of KV memory that running requests hold."""
        return self.pool.used

    def most_given(self, number: int) -> int:
        """At most how many tokens a request has been given so far: after a preemption, those from before it."""
        live = self._lives[number]
        return live.given if live.start < 0 else live.request.output_len

    def submit_lists(self, arrivals, inputs, outputs):
        """The same as submit for three lists of equal length."""
        self.submit(list(map(Request, arrivals, inputs, outputs)))

    def submit(self, requests):
        """Adds requests in order of arrival. Raises ValueError for one that could never be admitted."""
        order = self.setup.order
        for request in requests:
            check_length(self._blocks(request.input_len + request.output_len + self._width - 1), self.pool.total)
            if self.setup.prefix_cache and request.hash_block % self._block:
                raise ValueError(f"hash_block is {request.hash_block}, but it must be a multiple of kv_block, {self._block}")
            if request.hashes:
                if self.pool.block not in (0, request.hash_block):
                    raise ValueError(f"hash_block is {request.hash_block}, but an earlier request's is {self.pool.block}: one cache has one size")
                self.pool.block = request.hash_block
            rank = 0 if order == "fcfs" else request.priority if order == "priority" else request.output_len
            self._lives.append(_Live(len(self._lives), request, rank))
        for column in (self.preemptions, self.recomputed, self.cached):
            column += [0] * len(requests)
        self.pieces += [()] * len(requests)
        self.add_columns([r.arrival for r in requests], [r.input_len for r in requests], [r.output_len for r in requests])

    def extra_columns(self) -> tuple:
        """The columns for the fields of Record after `timeline`."""
        return self.preemptions, self.recomputed, self.cached, self.pieces

    def next_event(self) -> float:
        """A time up to which `advance` has something to do, inf when there is nothing to do."""
        arrival = self._next_arrival()
        if arrival <= self.clock or not self._running:
            soon = self.clock if self._waiting else max(self.clock, arrival)
            return nextafter(soon, inf) if soon < inf else inf
        if self.exact or self._prefill_is_due():
            return nextafter(self.clock, inf)
        self._drop_stale()
        first, start, shape = self._run[:3] if self._run else (self.step, self.clock, self._decode_shape())
        return start + elapsed(self._finishing[0][0] - first + 1, *shape)

    def _next_arrival(self):
        return self.arrivals[self._arrived] if self._arrived < len(self._lives) else inf

    def advance(self, until: float = inf):
        """Takes every step that starts before `until`; the last one may end after it."""
        arrivals, count = self.arrivals, len(self._lives)
        while True:
            if not self._running and not self._waiting:
                if self._arrived == count or arrivals[self._arrived] >= until:
                    break
                self.clock = max(self.clock, arrivals[self._arrived])
            if self.clock >= until:
                break
            while self._arrived < count and arrivals[self._arrived] <= self.clock:
                live = self._lives[self._arrived]
                heappush(self._waiting, (live.key, live.number))
                self._arrived += 1
            if self._prefill_is_due():
                self._prefill_step(decodes=self._mixes)
            elif self._decoding:
                self._decode(until)
            else:
                raise ValueError(f"request {self._waiting[0][1]} can never be admitted: it does not fit an empty instance")

    def _prefill_is_due(self):
        if self.setup.schedule == "decode_first":
            if not self._running:
                self._filling = True
            if not self._filling:
                return False
        self._found = None if self._prefilling is not None else self._admissible()
        self._filling = self._prefilling is not None or self._found is not None
        return self._filling

    def _blocks(self, tokens):
        """Tokens rounded up to whole blocks."""
        return -(-tokens // self._block) * self._block

    def _admissible(self):
        """The head of the queue with the cached blocks it may use, where a place and memory for it are free."""
        if not self._waiting or len(self._running) >= self._places:
            return None
        live = self._lives[self._waiting[0][1]]
        request = live.request
        hashes = request.hashes[:request.input_len // request.hash_block] if self.setup.prefix_cache else ()
        hits, idle, shared = self.pool.cached(hashes)
        room = self._blocks(live.target if self._on_demand else request.input_len + request.output_len)
        needed = room - hits * request.hash_block
        margin = self._reserve if self._running else 0
        # Idle blocks that it will use itself cannot be evicted for it.
        if needed + margin > self.pool.available - idle:
            return None
        return live, hits, shared, room, needed

    def _prefill_step(self, decodes):
        """One step with prompt tokens in it, shared with decode or alone."""
        setup = self.setup
        self._run = None
        preempted = decodes and self._on_demand and self._grow_blocks()
        decoding = self._decoding if decodes else 0
        tokens = decoding * self._width
        pairs, extra = self._decode_part(decoding)
        context = self._context if decodes else 0
        left = setup.max_num_batched_tokens - tokens
        completed = []
        prefilled = 0
        while left > 0:
            live = self._prefilling
            if live is not None:
                context += 0 if decodes else live.done
            else:
                found = None if preempted else self._found or self._admissible()
                self._found = None
                if found is None:
                    break
                live = self._admit(*found)
                context += live.done
            take = min(live.target - live.done, left)
            pairs += take * live.done + take * (take + 1) / 2
            live.done += take
            left -= take
            prefilled += take
            self._prefilling = live
            if live.done == live.target:
                self._prefilling = None
                completed.append(live)
        self.clock += step_time(setup, tokens + prefilled, context, pairs=pairs, num_seqs=len(self._running)) + extra
        if self._mixes:
            self._add_segment(self.clock, 0, 0)
            self.step += 1
        self._context += prefilled + len(completed) + decoding * self._rate
        for live in completed:
            self._begin_decode(live)
        self._finish_due()

    def _decode_part(self, decoding):
        """The query-key pairs and the drafting seconds of the requests that decode in a step with prompt tokens."""
        setup = self.setup
        if not decoding or not (setup.attention_flops or setup.draft_tokens):
            return 0.0, 0.0
        context = self._context - (self._prefilling.done if self._prefilling else 0)
        return decode_pairs(setup, decoding, context), draft_seconds(setup, decoding, context)

    def _admit(self, live, hits, shared, room, needed):
        heappop(self._waiting)
        number = live.number
        present = hits * live.request.hash_block
        if self.scheduled[number] is None:
            self.scheduled[number] = self.clock
            self.cached[number] = min(present, live.target - 1)
        self.pool.hold(shared)
        self.pool.take(needed)
        live.hits, live.shared, live.held, live.room = hits, shared, needed, room
        # The last token is computed in any case: the next one is sampled from it. What was loaded is lost with a preemption.
        live.done = min(present if self.preemptions[number] else max(present, live.request.loaded), live.target - 1)
        self._context += live.done
        self._running[number] = live
        return live

    def _begin_decode(self, live):
        """The prompt of `live` is complete: it gives a token at the end of this step and decodes from the next on."""
        request, number = live.request, live.number
        if self.first_times[number] is None:
            self.first_times[number], self.first_steps[number] = self.clock, self.step
        else:
            self.pieces[number] += ((live.given, self.clock, self.step),)
        new = self.pool.publish(request.hashes[live.hits:request.input_len // request.hash_block], live.shared)
        live.held -= new * request.hash_block
        live.given += 1
        live.start = self.step
        self._decoding += 1
        rest = request.output_len - live.given
        live.ends = self.step + rounds_for(rest, self._rate) - 1
        heappush(self._finishing, (live.ends, number))
        if self._on_demand:
            live.first = request.input_len + live.given + self._width - 1
            self._growth.plan(live)

    def _grow_blocks(self):
        """Gives out the blocks that this decode step needs, at the cost of the last admitted; whether it had to."""
        growth, pool, block = self._growth, self.pool, self._block
        lives = growth.due.get(self.step)
        if not lives:
            return False
        self._found = None
        if growth.is_single and len(lives) * block <= pool.available:
            pool.take(growth.through(self.step, self.step + 1))
            return False
        preempted = False
        for live in growth.due.pop(self.step):
            while live.grows == self.step:
                if pool.available >= block:
                    pool.take(block)
                    live.held += block
                    live.room += block
                    growth.plan(live)
                else:
                    self._preempt(self._running[next(reversed(self._running))])
                    preempted = True
        growth.due.pop(self.step, None)  # a step of more tokens than a block notes itself again
        return preempted

    def _preempt(self, live):
        """Takes all its memory from a running request and puts it back into the queue."""
        number = live.number
        if live.start >= 0:
            rounds = self.step - live.start
            self._context -= live.request.input_len + live.given + rounds * self._rate
            live.given = min(floor(live.given + rounds * self._rate + 1e-9), live.request.output_len - 1)
            live.target = live.request.input_len + live.given
            self.recomputed[number] += live.target - 1  # the KV of the last token had not been computed yet
            self._decoding -= 1
        else:
            self._context -= live.done
            self.recomputed[number] += live.done
            self._prefilling = None
        self.preemptions[number] += 1
        self._forget(live)
        live.start = live.ends = live.grows = -1
        live.done = 0
        heappush(self._waiting, (live.key, number))
        self._run = None

    def _forget(self, live):
        self.pool.give(live.held)
        self.pool.release(live.shared)
        live.held, live.shared = 0, None
        del self._running[live.number]

    def _decode(self, until):
        """Decode steps alone: up to the next finish, arrival, shortage of blocks, or `until`."""
        preempted = self._on_demand and self._grow_blocks()
        self._drop_stale()
        if self._run is None:
            self._run = self.step, self.clock, self._decode_shape(), self._context
            if not self.exact:
                self._add_segment(self.clock, self._decoding, self._context)
        first, start, shape, context = self._run
        least, most = self.step - first + 1, self._finishing[0][0] - first + 1
        if self.exact or preempted:
            most = least  # what a preemption has freed may let the next one in
        elif self._on_demand:
            most = min(most, least + self._growth.safe_rounds(self.pool.available, self._decoding))
        target = until
        if not self._waiting or self.setup.order != "fcfs":
            target = min(until, self._next_arrival())
        steps = least if most == least else steps_until(start, target, least, most, shape)
        # From the run's start, so that rounding does not depend on where it was interrupted.
        self.clock = start + elapsed(steps, *shape)
        self._context = context + self._decoding * self._rate * steps
        if self.exact:
            self._add_segment(self.clock, 0, 0)
            self._run = None
        if self._growth.due and first + steps > self.step + 1:
            self.pool.take(self._growth.through(self.step + 1, first + steps))
        self.step = first + steps
        self._finish_due()

    def _decode_shape(self):
        """The Shape of a run that starts now; `next_event` has asked for it already, as a rule."""
        decoding, context, shape = self._shape
        if decoding != self._decoding or context != self._context:
            shape = decode_shape(self.setup, self._decoding, self._context)
            self._shape = self._decoding, self._context, shape
        return shape

    def _add_segment(self, time, decoding, context):
        add_first, add_time, add_decoding, add_context = self._appends
        add_first(self.step)
        add_time(time)
        add_decoding(decoding)
        add_context(context)

    def _drop_stale(self):
        """Removes from the heap of finishes those that a preemption has put off."""
        while self._lives[self._finishing[0][1]].ends != self._finishing[0][0]:
            heappop(self._finishing)

    def _finish_due(self):
        """Ends the requests whose last token came with the decode step that is just over."""
        while self._finishing and self._finishing[0][0] < self.step:
            ends, number = heappop(self._finishing)
            live = self._lives[number]
            if live.ends != ends or number not in self._running:
                continue
            self.finish_times[number] = self.clock
            self.finished.append(number)
            self._context -= live.request.input_len + live.given + max(0, ends - live.start + 1) * self._rate
            self._decoding -= 1
            self._forget(live)
            self._run = None
        if not self._running:
            self._context = 0
