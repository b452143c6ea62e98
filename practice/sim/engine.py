"""The engine of the default settings: O(requests) work, whatever the number of tokens.

Three facts make it fast. A request decodes in every step from its first token to its last, so the step of its end is
known when its prompt completes. At most one request is partly prefilled, and it is the last one admitted. Admission
is first come, first served, so the queue is a position in the list of arrivals. The state is then a handful of
integers, and steps that only decode are taken together (practice.sim.run).
"""

from heapq import heappop, heappush
from math import ceil, inf, nextafter, sqrt

from practice.sim.replica import Replica, check_length
from practice.sim.run import decode_shape, elapsed, steps_until
from practice.sim.setup import Setup

_SHIFT = 40  # `finishing` holds step << 40 | request: small ints compare faster than tuples
_REQUEST = (1 << _SHIFT) - 1


class FastReplica(Replica):
    """One instance with the default scheduling and step time."""

    def __init__(self, setup: Setup, exact: bool = False):
        super().__init__(setup, exact)
        self.head = 0
        """The next request to admit; those before it run or have finished."""
        self._needs = []
        self._finishing = []
        self._state = (0, 0, 0, 0, -1, 0)  # decoding, context, kv, running, partly prefilled request, its tokens done
        self._run = None  # (first step, start, shape) of the decode run that is under way

    @property
    def decoding(self) -> int:
        """Requests that decode."""
        return self._state[0]

    @property
    def running(self) -> int:
        """Requests admitted and not finished."""
        return self._state[3]

    @property
    def kv_used(self) -> int:
        """Tokens of the KV cache that running requests hold or have reserved."""
        return self._state[2]

    def submit(self, requests):
        """Adds requests (arrival, input_len, output_len first), in order of arrival and after all earlier ones.

        Raises ValueError for a request that could never be admitted.
        """
        if any(getattr(r, "loaded", 0) for r in requests):
            raise ValueError("requests come with KV from elsewhere (loaded), which this engine does not know: make_replica(setup, loads=True)")
        self.submit_lists([r.arrival for r in requests], [r.input_len for r in requests], [r.output_len for r in requests])

    def submit_lists(self, arrivals, inputs, outputs):
        """The same as submit for three lists of equal length."""
        needs = [a + b for a, b in zip(inputs, outputs)]
        check_length(max(needs, default=0), self.setup.kv_capacity_tokens)
        self._needs += needs
        self.add_columns(arrivals, inputs, outputs)

    def next_event(self) -> float:
        """A time up to which `advance` has something to do: the next finish, or just after now when a step with a
        prompt in it is due; inf when there is nothing to do."""
        decoding, context, _, running, partial, _ = self._state
        waits = self.head < len(self.arrivals) and self._is_admissible()
        if running == 0:
            return nextafter(max(self.clock, self.arrivals[self.head]), inf) if waits else inf
        if self.exact or partial >= 0 or (waits and self.arrivals[self.head] <= self.clock):
            return nextafter(self.clock, inf)
        first, start, shape = self._run or (self.step, self.clock, decode_shape(self.setup, decoding, context))
        end = start + elapsed((self._finishing[0] >> _SHIFT) - first + 1, *shape)
        return min(end, nextafter(max(self.clock, self.arrivals[self.head]), inf)) if waits else end

    def _is_admissible(self):
        decoding, _, kv, running, partial, _ = self._state
        setup = self.setup
        return (partial < 0 and running < setup.max_num_seqs and decoding < setup.max_num_batched_tokens
                and kv + self._needs[self.head] <= setup.kv_capacity_tokens)

    def advance(self, until: float = inf):
        """Takes every step that starts before `until`; the last one may end after it."""
        # One long function: all state is in local names, since attribute look-ups and calls are what the time goes to.
        setup = self.setup
        two_params, flops = 2 * setup.params, setup.peak_flops * setup.mfu
        weight_bytes, kv_bytes, bandwidth = setup.weight_bytes, setup.kv_bytes_per_token, setup.bandwidth * setup.mbu
        overhead, budget, max_seqs = setup.step_overhead, setup.max_num_batched_tokens, setup.max_num_seqs
        capacity, exact = setup.kv_capacity_tokens, self.exact
        arrivals, inputs, outputs, needs = self.arrivals, self.inputs, self.outputs, self._needs
        scheduled, first_times, first_steps = self.scheduled, self.first_times, self.first_steps
        finish_times, finishing, finished = self.finish_times, self._finishing, self.finished
        add_first, add_time, add_decoding, add_context = self.timeline.appends()
        clock, step, head, count = self.clock, self.step, self.head, len(self.arrivals)
        decoding, context, kv, running, partial, done = self._state
        run = self._run
        while True:
            # When the head of the queue could be admitted, as far as memory, places and budget allow it.
            if head < count and partial < 0 and running < max_seqs and decoding < budget and kv + needs[head] <= capacity:
                ready = arrivals[head]
                if running == 0 and ready > clock and ready < until:
                    clock = ready
            else:
                ready = inf
            if clock >= until:
                break
            if partial < 0 and ready > clock:
                if decoding == 0:
                    break
                last = finishing[0] >> _SHIFT
                if exact:
                    clock += max(two_params * decoding / flops, (weight_bytes + kv_bytes * context) / bandwidth) + overhead
                    add_first(step)
                    add_time(clock)
                    add_decoding(0)
                    add_context(0)
                    step += 1
                    context += decoding
                else:
                    if run is None:
                        shape = (two_params * decoding / flops, 0.0, (weight_bytes + kv_bytes * context) / bandwidth,
                                 kv_bytes * decoding / bandwidth, overhead, 0.0)
                        run = step, clock, shape
                        add_first(step)
                        add_time(clock)
                        add_decoding(decoding)
                        add_context(context)
                    first, start, shape = run
                    steps = last - first + 1
                    target = ready if ready < until else until
                    if shape[2] >= shape[0]:
                        # Bound by memory from its start, so all of it is: steps_until and elapsed, written out.
                        _, _, memory, growth, _, _ = shape
                        if target < inf:
                            half = memory + overhead - growth / 2
                            least, seconds = step - first + 1, target - start
                            guess = ceil(2 * seconds / (sqrt(half * half + 2 * growth * seconds) + half))
                            if guess < steps:
                                steps = guess if guess > least else least
                            clock = start + (steps * memory + growth * ((steps - 1) * steps) / 2 + steps * overhead)
                            while clock < target and first + steps <= last:
                                steps += 1
                                clock = start + (steps * memory + growth * ((steps - 1) * steps) / 2 + steps * overhead)
                            while steps > least:
                                before = steps - 1
                                end = start + (before * memory + growth * ((before - 1) * before) / 2 + before * overhead)
                                if end < target:
                                    break
                                steps, clock = before, end
                        else:
                            clock = start + (steps * memory + growth * ((steps - 1) * steps) / 2 + steps * overhead)
                    else:
                        steps = steps_until(start, target, step - first + 1, steps, shape)
                        clock = start + elapsed(steps, *shape)
                    context += decoding * (first + steps - step)
                    step = first + steps
            else:
                run = None
                tokens = decoding
                left = budget - decoding
                completed = []
                if partial >= 0:
                    take = min(inputs[partial] - done, left)
                    tokens += take
                    left -= take
                    done += take
                    if done == inputs[partial]:
                        completed.append(partial)
                        partial = -1
                while left > 0 and head < count and arrivals[head] <= clock and running < max_seqs and kv + needs[head] <= capacity:
                    scheduled[head] = clock
                    running += 1
                    kv += needs[head]
                    take = inputs[head]
                    if take <= left:
                        completed.append(head)
                    else:
                        take = left
                        partial, done = head, left
                    tokens += take
                    left -= take
                    head += 1
                clock += max(two_params * tokens / flops, (weight_bytes + kv_bytes * context) / bandwidth) + overhead
                add_first(step)
                add_time(clock)
                add_decoding(0)
                add_context(0)
                context += tokens + len(completed)
                for request in completed:
                    first_times[request] = clock
                    first_steps[request] = step + 1
                    heappush(finishing, (step + outputs[request] - 1) << _SHIFT | request)
                decoding += len(completed)
                step += 1
                if not finishing:
                    continue
                last = finishing[0] >> _SHIFT
            if last == step - 1:
                run = None
                while finishing and finishing[0] >> _SHIFT == last:
                    request = heappop(finishing) & _REQUEST
                    finish_times[request] = clock
                    finished.append(request)
                    decoding -= 1
                    running -= 1
                    kv -= needs[request]
                    context -= needs[request]
        self.clock, self.step, self.head = clock, step, head
        self._state = decoding, context, kv, running, partial, done
        self._run = run
