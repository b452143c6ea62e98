"""Exercise 305: an asyncio batcher in front of one GPU."""

import asyncio
from dataclasses import dataclass


@dataclass(eq=False)  # equal items of two callers are still two requests
class Request:
    """One caller's item on its way."""

    item: object
    answer: asyncio.Future
    deadline: float  # loop time at which it has waited max_wait


class Batcher:
    """Collects items of many callers into batches for one GPU.

    All decisions are made in one place, `_start_if_due`, which is called whenever a batch may have become due: an item came, the
    timer fired, the GPU is idle again.
    """

    def __init__(self, process, max_size, max_wait):
        self._process = process
        self._max_size = max_size
        self._max_wait = max_wait
        self._waiting = []  # requests in order of arrival
        self._timer = None
        self._running = None  # the task of the batch on the GPU; also keeps it from being collected

    async def submit(self, item):
        """Wait for a batch with this item, and return this item's result or raise its exception."""
        loop = asyncio.get_running_loop()
        request = Request(item, loop.create_future(), loop.time() + self._max_wait)
        self._waiting.append(request)
        self._start_if_due()
        try:
            return await request.answer
        finally:
            if request in self._waiting:  # only where the caller was cancelled before its batch started
                self._waiting.remove(request)  # its timer may still fire, and will then look again

    def _start_if_due(self):
        """Start a batch, or set the timer for the moment at which one will be due."""
        if self._timer is not None:
            self._timer.cancel()
        if self._running is not None or not self._waiting:
            return
        loop = asyncio.get_running_loop()
        due = self._waiting[0].deadline  # the oldest's own deadline: a later arrival must not push it back
        if len(self._waiting) >= self._max_size or loop.time() >= due:
            batch, self._waiting = self._waiting[: self._max_size], self._waiting[self._max_size :]
            self._running = loop.create_task(self._run(batch))
        else:
            self._timer = loop.call_at(due, self._start_if_due)

    async def _run(self, batch):
        """One batch on the GPU; every caller of it gets something, whatever happens."""
        try:
            results = await self._process([request.item for request in batch])
            if len(results) != len(batch):
                raise ValueError(f"{len(results)} results for {len(batch)} items")
        except Exception as error:
            results = [error] * len(batch)
        for request, result in zip(batch, results):
            if request.answer.done():
                continue  # its caller was cancelled; the result keeps its place, so the others do not shift
            if isinstance(result, Exception):
                request.answer.set_exception(result)
            else:
                request.answer.set_result(result)
        self._running = None
        self._start_if_due()
