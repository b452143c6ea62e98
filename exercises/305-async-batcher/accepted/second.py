"""An asyncio batcher without a worker task: whatever could make a batch start asks whether one should.

Three things can: a submit, an item's own timer, and the end of a batch.
"""

import asyncio
from dataclasses import dataclass


@dataclass(eq=False)
class Waiting:
    """One item in the queue."""

    item: object
    answer: asyncio.Future
    is_overdue: bool = False


class Batcher:
    """Collects items of many callers into batches for one GPU."""

    def __init__(self, process, max_size, max_wait):
        self._process = process
        self._max_size = max_size
        self._max_wait = max_wait
        self._waiting = []  # in the order of submit, so the overdue ones are in front
        self._running = None  # the task of the running batch; also keeps it from being collected

    async def submit(self, item):
        """Wait for a batch with this item, and return this item's result or raise its exception."""
        loop = asyncio.get_running_loop()
        waiting = Waiting(item, loop.create_future())
        self._waiting.append(waiting)
        timer = loop.call_at(loop.time() + self._max_wait, self._mark_overdue, waiting)
        self._start_if_due()
        try:
            result = await waiting.answer
        finally:
            timer.cancel()
        if isinstance(result, Exception):
            raise result
        return result

    def _mark_overdue(self, waiting):
        waiting.is_overdue = True
        self._start_if_due()

    def _start_if_due(self):
        """Start a batch if the GPU is idle and the queue is full or its first item overdue."""
        # Cancelling a caller cancels the future it awaits at once, so this also sees callers that have not yet noticed.
        self._waiting = [waiting for waiting in self._waiting if not waiting.answer.done()]
        if self._running or not self._waiting:
            return
        if len(self._waiting) >= self._max_size or self._waiting[0].is_overdue:
            batch = self._waiting[: self._max_size]
            del self._waiting[: self._max_size]
            self._running = asyncio.get_running_loop().create_task(self._run(batch))

    async def _run(self, batch):
        try:
            results = await self._process([waiting.item for waiting in batch])
            if len(results) != len(batch):
                raise ValueError(f"process gave {len(results)} results for {len(batch)} items")
        except Exception as error:
            results = [error] * len(batch)
        for waiting, result in zip(batch, results):
            if not waiting.answer.done():  # it is, if its caller was cancelled
                waiting.answer.set_result(result)
        self._running = None
        self._start_if_due()
