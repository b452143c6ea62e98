import asyncio

import pytest

from practice.kernel import eventloop


async def twice(value):
    await asyncio.sleep(0.001)
    return await asyncio.wait_for(asyncio.gather(asyncio.sleep(0, value), asyncio.sleep(0, value)), 1)


def test_it_runs_timers_tasks_and_timeouts():
    assert eventloop.run(twice(2)) == [2, 2]


def test_it_runs_inside_a_loop_that_is_running():
    async def outer():
        result = eventloop.run(twice(3))
        assert asyncio.get_running_loop() is not None
        return result

    assert asyncio.run(outer()) == [3, 3]


def test_a_deadlock_is_told_and_not_waited_for():
    async def stuck():
        await asyncio.Event().wait()

    with pytest.raises(RuntimeError, match="deadlock"):
        eventloop.run(stuck())


def test_tasks_left_behind_are_cancelled():
    ended = []

    async def background():
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(True)

    async def main():
        asyncio.create_task(background())
        await asyncio.sleep(0)

    eventloop.run(main())
    assert ended == [True]


def test_threads_can_hand_in_results():
    async def main():
        return await asyncio.gather(asyncio.to_thread(sum, [1, 2]), asyncio.sleep(0.001, 5))

    assert eventloop.run(main()) == [3, 5]
