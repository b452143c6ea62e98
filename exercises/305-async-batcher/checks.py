"""Hidden checks of exercise 305: async batcher.

One scenario plays a script of submits and cancellations on a loop with a virtual clock and reports what the GPU and the callers saw.
Every expected time was worked out by hand from the prompt's rule, and is what the reference gives.
"""

from practice.kernel.expect import expect_close, expect_equal
from practice.kernel.scenario import scenario


@scenario
def play(submission, script):
    """Play submits and cancellations, and report what the GPU and the callers saw.

    script: max_size, max_wait, batch_takes (seconds), events [time, "submit" or "cancel", item], and where wanted
    bad (items whose result is an exception), broken (items that make process raise), short (items that make it drop its last result).
    Returns batches [[start, items]], results {item: [kind, value, time]}, and the most process calls that ran at once.
    """
    import asyncio
    from asyncio import events as running

    class VirtualLoop(asyncio.BaseEventLoop):
        """Time jumps to the next timer; there are no sockets, so it runs in a browser as well."""

        def __init__(self):
            super().__init__()
            self._selector, self.now = self, 0.0

        def time(self):
            return self.now

        def select(self, timeout):
            if timeout is None:
                raise RuntimeError("everybody waits, and nothing is left that could happen")
            if timeout > 0:
                self.now = max(self.now, self._scheduled[0]._when)
            return []

        def _process_events(self, _events):
            pass

        def _write_to_self(self):
            pass

    loop = VirtualLoop()
    loop.set_exception_handler(lambda *_: None)
    batches, results, tasks, at_once = [], {}, {}, [0, 0]

    async def process(items):
        batches.append([loop.time(), list(items)])
        at_once[0] += 1
        at_once[1] = max(at_once)
        await asyncio.sleep(script["batch_takes"])
        at_once[0] -= 1
        for item in items:
            if item in script.get("broken", []):
                raise RuntimeError(f"GPU failed on {item}")
        answers = [KeyError(item) if item in script.get("bad", []) else "result of " + item for item in items]
        return answers[:-1] if any(item in script.get("short", []) for item in items) else answers

    async def caller(batcher, item):
        try:
            results[item] = ["ok", await batcher.submit(item), loop.time()]
        except asyncio.CancelledError:
            results[item] = ["cancelled", "", loop.time()]
        except Exception as error:
            results[item] = [type(error).__name__, str(error), loop.time()]

    async def main():
        batcher = submission.Batcher(process, script["max_size"], script["max_wait"])
        for when, what, item in script["events"]:
            await asyncio.sleep(when - loop.time())
            if what == "submit":
                tasks[item] = loop.create_task(caller(batcher, item))
            else:
                tasks[item].cancel()
        await asyncio.sleep(500)  # long enough for every script here

    outer = running._get_running_loop()
    running._set_running_loop(None)
    try:
        loop.run_until_complete(main())
        seen = {item: results.get(item, ["hangs", "", 0.0]) for item in tasks}
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        if left:
            loop.run_until_complete(asyncio.wait(left, timeout=1))
    finally:
        loop.close()
        running._set_running_loop(outer)
    return {"batches": batches, "results": seen, "at_once": at_once[1]}


def observe(sub, max_size, max_wait, batch_takes, events, **special):
    """What the GPU and the callers saw of one script."""
    return sub.run(play, {"max_size": max_size, "max_wait": max_wait, "batch_takes": batch_takes, "events": events, **special})


def submits(*pairs):
    """Events for (time, item) pairs."""
    return [[time, "submit", item] for time, item in pairs]


def expect_batches(seen, expected, idea):
    """Starts and items of all batches, the first difference by number."""
    expect_equal([items for _, items in seen["batches"]], [items for _, items in expected], f"items of the batches: {idea}")
    expect_close([start for start, _ in seen["batches"]], [start for start, _ in expected], f"starts of the batches: {idea}", abs=1e-6)


def expect_result(seen, item, kind, value, time, idea):
    """What one caller got, and when."""
    expect_equal(seen["results"][item][:2], [kind, value], idea)
    expect_close(seen["results"][item][2], time, f"time of the answer: {idea}", abs=1e-6)


def check_example_full_batch(sub):
    """The worked example: two items fill a batch"""
    seen = observe(sub, 2, 10, 5, submits((0, "a"), (1, "b")))
    expect_batches(seen, [[1, ["a", "b"]]], "the second item fills the batch, which starts at once")
    expect_result(seen, "a", "ok", "result of a", 6, "its own result, when the batch has ended")
    expect_result(seen, "b", "ok", "result of b", 6, "its own result, when the batch has ended")


def check_example_alone(sub):
    """The worked example: one item alone"""
    seen = observe(sub, 2, 10, 5, submits((0, "a")))
    expect_batches(seen, [[10, ["a"]]], "alone it waits max_wait")
    expect_result(seen, "a", "ok", "result of a", 15, "its own result, when the batch has ended")


def check_timer_of_the_oldest(sub):
    """A later arrival does not restart the timer"""
    seen = observe(sub, 4, 10, 5, submits((0, "a"), (6, "b"), (9, "c")))
    expect_batches(seen, [[10, ["a", "b", "c"]]], "max_wait counts from the oldest item; a later one must not push it back")


def check_timer_of_the_next(sub):
    """An item that was left over has its own timer"""
    seen = observe(sub, 2, 10, 5, submits((0, "a"), (1, "b"), (8, "c"), (25, "d")))
    expect_batches(seen, [[1, ["a", "b"]], [18, ["c"]], [35, ["d"]]], "a timer of a batch that has left must not fire for the next one")


def check_one_at_a_time(sub):
    """A busy GPU"""
    seen = observe(sub, 2, 10, 7, submits((0, "a"), (1, "b"), (2, "c"), (3, "d")))
    expect_equal(seen["at_once"], 1, "there is one GPU: never two batches at once")
    expect_batches(seen, [[1, ["a", "b"]], [8, ["c", "d"]]], "a full batch starts when the GPU is idle again")


def check_waited_while_busy(sub):
    """Waiting behind a busy GPU counts"""
    seen = observe(sub, 2, 10, 30, submits((0, "a"), (1, "b"), (5, "c")))
    expect_batches(seen, [[1, ["a", "b"]], [31, ["c"]]], "c has waited longer than max_wait when the GPU becomes idle, so it starts at once")
    seen = observe(sub, 2, 10, 7, submits((0, "a"), (1, "b"), (5, "c")))
    expect_batches(seen, [[1, ["a", "b"]], [15, ["c"]]], "c waits max_wait in all, 3 of it behind the busy GPU")


def check_backlog(sub):
    """More than a batch is waiting"""
    seen = observe(sub, 3, 10, 20, submits(*[(i, name) for i, name in enumerate("abcdefgh")]))
    expect_batches(seen, [[2, ["a", "b", "c"]], [22, ["d", "e", "f"]], [42, ["g", "h"]]], "at most max_size, the oldest first")
    seen = observe(sub, 1, 10, 5, submits((0, "a"), (0, "b"), (0, "c")))
    expect_batches(seen, [[0, ["a"]], [5, ["b"]], [10, ["c"]]], "max_size 1 is no batching, but still one at a time")


def check_bad_item(sub):
    """One item of a batch fails"""
    seen = observe(sub, 3, 10, 5, submits((0, "a"), (1, "b"), (2, "c")), bad=["b"])
    expect_result(seen, "b", "KeyError", "'b'", 7, "an exception among the results is raised for its own caller")
    expect_result(seen, "a", "ok", "result of a", 7, "one bad item is no reason to fail the others")
    expect_result(seen, "c", "ok", "result of c", 7, "one bad item is no reason to fail the others")


def check_broken_batch(sub):
    """process raises"""
    seen = observe(sub, 2, 10, 5, submits((0, "a"), (1, "b"), (20, "c"), (21, "d")), broken=["a"])
    for item in "ab":
        expect_result(seen, item, "RuntimeError", "GPU failed on a", 6, "when process raises, every caller of the batch must be told, or they wait for ever")
    expect_result(seen, "c", "ok", "result of c", 26, "the batcher works on after a failed batch")
    expect_result(seen, "d", "ok", "result of d", 26, "the batcher works on after a failed batch")


def check_wrong_count(sub):
    """process returns too few results"""
    seen = observe(sub, 3, 10, 5, submits((0, "a"), (1, "b"), (2, "c"), (20, "d")), short=["b"])
    for item in "abc":
        expect_equal(seen["results"][item][0], "ValueError", "with a result missing nobody knows whose it is: every caller of the batch gets a ValueError")
    expect_result(seen, "d", "ok", "result of d", 35, "the batcher works on")


def check_cancelled_in_batch(sub):
    """A caller of the running batch is cancelled"""
    events = [*submits((0, "a"), (1, "b"), (2, "c")), [4, "cancel", "b"], *submits((20, "d"))]
    seen = observe(sub, 3, 10, 5, events)
    expect_result(seen, "b", "cancelled", "", 4, "a cancelled caller ends at once")
    expect_result(seen, "a", "ok", "result of a", 7, "the others keep their own results; the dropped one keeps its place")
    expect_result(seen, "c", "ok", "result of c", 7, "the others keep their own results; the dropped one keeps its place")
    expect_batches(seen, [[2, ["a", "b", "c"]], [30, ["d"]]], "the batch goes on, and so does the batcher")
    events = [*submits((0, "a"), (1, "b")), [3, "cancel", "a"], [4, "cancel", "b"], *submits((5, "c"), (6, "d"))]
    seen = observe(sub, 2, 10, 20, events)
    expect_batches(seen, [[1, ["a", "b"]], [21, ["c", "d"]]], "the GPU is busy until the batch ends, also if nobody waits for it any more")


def check_cancelled_waiting(sub):
    """A caller is cancelled before its batch starts"""
    events = [*submits((0, "a"), (1, "b")), [2, "cancel", "a"], *submits((3, "c"))]
    seen = observe(sub, 3, 10, 5, events)
    expect_batches(seen, [[11, ["b", "c"]]], "a cancelled item is never sent, and max_wait counts for the oldest that is left")
    expect_result(seen, "b", "ok", "result of b", 16, "its own result")
    expect_result(seen, "c", "ok", "result of c", 16, "its own result")
    events = [*submits((0, "a"), (1, "b")), [2, "cancel", "b"], *submits((3, "c"), (4, "d"))]
    seen = observe(sub, 3, 10, 5, events)
    expect_batches(seen, [[4, ["a", "c", "d"]]], "a cancelled item takes no place in a batch")


def check_all_cancelled(sub):
    """Nobody is left"""
    events = [*submits((0, "a")), [2, "cancel", "a"], *submits((50, "b"))]
    seen = observe(sub, 2, 10, 5, events)
    expect_batches(seen, [[60, ["b"]]], "no batch without items, and the timer starts with the next item")


def check_random(sub, ref, rng):
    """Six random scripts, compared with the reference"""
    for _ in range(6):
        times = sorted(rng.uniform(0, 60) for _ in range(40))
        events, open_items = [], []
        for number, time in enumerate(times):
            if open_items and rng.random() < 0.2:
                events.append([time, "cancel", open_items.pop(rng.randrange(len(open_items)))])
            else:
                events.append([time, "submit", f"i{number}"])
                open_items.append(f"i{number}")
        items = [item for _, what, item in events if what == "submit"]
        arguments = (rng.randrange(1, 6), rng.uniform(1, 10), rng.uniform(0.5, 6), events)
        special = {"bad": rng.sample(items, 3), "broken": rng.sample(items, 2)}
        expected = observe(ref, *arguments, **special)
        seen = observe(sub, *arguments, **special)
        expect_batches(seen, expected["batches"], "a random script")
        for item in items:
            expect_result(seen, item, *expected["results"][item], f"what the caller of {item} got")
