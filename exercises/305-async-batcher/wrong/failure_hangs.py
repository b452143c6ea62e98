"""Lets the exception end the background task."""

import asyncio


class Batcher:
    def __init__(self, process, max_size, max_wait):
        self.process = process
        self.max_size = max_size
        self.max_wait = max_wait
        self.queue = []
        self.busy = False
        self.timer = None

    async def submit(self, item):
        loop = asyncio.get_running_loop()
        fut = loop.create_future()
        entry = (item, fut, loop.time())
        self.queue.append(entry)
        self.kick()
        try:
            return await fut
        except asyncio.CancelledError:
            if entry in self.queue:
                self.queue.remove(entry)
                self.kick()
            raise

    def kick(self):
        loop = asyncio.get_running_loop()
        if self.timer:
            self.timer.cancel()
        self.timer = None
        if self.busy or not self.queue:
            return
        start = self.queue[0][2] + self.max_wait
        if len(self.queue) >= self.max_size or loop.time() >= start:
            batch = self.queue[:self.max_size]
            self.queue = self.queue[self.max_size:]
            self.busy = True
            self.task = loop.create_task(self.run(batch))
        else:
            self.timer = loop.call_at(start, self.kick)

    async def run(self, batch):
        results = await self.process([item for item, _, _ in batch])
        if len(results) != len(batch):
            results = [ValueError("wrong number of results") for _ in batch]
        for (_, fut, _), res in zip(batch, results):
            if fut.done():
                continue
            if isinstance(res, Exception):
                fut.set_exception(res)
            else:
                fut.set_result(res)
        self.busy = False
        self.kick()
