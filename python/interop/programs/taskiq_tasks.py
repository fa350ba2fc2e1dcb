"""taskiq-redis: the three brokers, results, progress, schedules, with a receiver in this loop; a restart."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
from collections.abc import AsyncIterator
from typing import Any

import redis
from harness import URL, check, eventually, run
from restarts import restart, restartable
from taskiq import AsyncBroker, ResultGetError, ScheduledTask, TaskiqResultTimeoutError
from taskiq.api import run_receiver_task
from taskiq_redis import (
    ListQueueBroker,
    ListRedisScheduleSource,
    PubSubBroker,
    RedisAsyncResultBackend,
    RedisScheduleSource,
    RedisStreamBroker,
)
from taskiq_redis.exceptions import ResultIsMissingError

QUEUES = {"list": ListQueueBroker, "stream": RedisStreamBroker, "pubsub": PubSubBroker}

client = redis.Redis.from_url(URL)


def broker(kind: str, address: str = URL) -> AsyncBroker:
    """A broker with tasks and results."""
    made = QUEUES[kind](address, queue_name=f"queue-{kind}")
    made.with_result_backend(RedisAsyncResultBackend(address, result_ex_time=60, prefix_str=kind))

    @made.task(task_name="add")
    async def add(a: int, b: int) -> int:
        return a + b

    @made.task(task_name="fails")
    async def fails() -> None:
        raise ValueError("wrong")

    @made.task(task_name="sleeps")
    async def sleeps() -> None:
        await asyncio.sleep(60)

    return made


@contextlib.asynccontextmanager
async def working(tasks: AsyncBroker) -> AsyncIterator[None]:
    """Runs a receiver beside the caller."""
    await tasks.startup()
    tasks.is_worker_process = True
    receiver = asyncio.create_task(run_receiver_task(tasks))
    if isinstance(tasks, PubSubBroker):
        # What is published before the receiver has subscribed is gone.
        await asyncio.to_thread(eventually, lambda: client.pubsub_numsub(tasks.queue_name)[0][1])
    try:
        yield
    finally:
        receiver.cancel()
        await asyncio.gather(receiver, return_exceptions=True)
        await tasks.shutdown()


async def result(tasks: AsyncBroker, name: str, *args: Any) -> Any:
    """The result of a task."""
    task = await tasks.find_task(name).kicker().kiq(*args)
    return await task.wait_result(timeout=30, check_interval=0.02)


async def tasks_of(kind: str) -> None:
    tasks = broker(kind)
    async with working(tasks):
        results = await asyncio.gather(*(result(tasks, "add", number, 1) for number in range(20)))
        assert [each.return_value for each in results] == list(range(1, 21))
        wrong = await result(tasks, "fails")
        assert wrong.is_err and isinstance(wrong.error, ValueError) and wrong.error.args == ("wrong",)
        slow = await tasks.find_task("sleeps").kicker().kiq()
        try:
            await slow.wait_result(timeout=0.2)
        except TaskiqResultTimeoutError:
            pass
        else:
            raise AssertionError("no TaskiqResultTimeoutError")


@check
async def lists() -> None:
    await tasks_of("list")


@check
async def streams() -> None:
    await tasks_of("stream")


@check
async def publishing() -> None:
    await tasks_of("pubsub")


@check
async def results_once() -> None:
    backend: RedisAsyncResultBackend[Any] = RedisAsyncResultBackend(URL, keep_results=False, result_px_time=60_000)
    tasks = ListQueueBroker(URL, queue_name="once").with_result_backend(backend)

    @tasks.task
    async def add(a: int, b: int) -> int:
        return a + b

    async with working(tasks):
        task = await add.kiq(1, 2)
        assert (await task.wait_result(timeout=30, check_interval=0.02)).return_value == 3
        try:
            await task.get_result()
        except ResultGetError as error:
            assert isinstance(error.__cause__, ResultIsMissingError)
        else:
            raise AssertionError("no ResultGetError")


def scheduled(name: str, number: int, **when: Any) -> ScheduledTask:
    """A schedule of `add`."""
    return ScheduledTask(task_name="add", labels={}, args=[number, 1], kwargs={}, schedule_id=name, **when)


@check
async def schedules() -> None:
    now = datetime.datetime.now(datetime.UTC)
    for source in (RedisScheduleSource(URL, prefix="one"), ListRedisScheduleSource(URL, prefix="other")):
        for number in range(3):
            await source.add_schedule(scheduled(str(number), number, cron="* * * * *"))
        once = scheduled("once", 9, time=now)
        await source.add_schedule(once)
        await source.delete_schedule("1")
        found = {task.schedule_id: task.args for task in await source.get_schedules()}
        assert found == {"0": [0, 1], "2": [2, 1], "once": [9, 1]}, found
        await source.post_send(once)
        await source.shutdown()


@check
async def unacknowledged_tasks_are_taken_over() -> None:
    first, second = (RedisStreamBroker(URL, queue_name="acks", consumer_id="0", idle_timeout=50) for _ in range(2))
    await first.startup()

    @first.task(task_name="lost")
    async def lost() -> None: ...

    await lost.kiq()
    taken = await anext(first.listen())
    await lost.kiq()
    await asyncio.sleep(0.1)
    listens = second.listen()
    newer, again = [await asyncio.wait_for(anext(listens), 30) for _ in range(2)]
    assert newer.data != taken.data == again.data
    await newer.ack()
    await again.ack()
    await first.shutdown()
    await second.shutdown()


@check
async def after_a_restart() -> None:
    with restartable() as server:
        address = f"redis://127.0.0.1:{server.port}/0"
        tasks = broker("stream", address)
        async with working(tasks):
            assert (await result(tasks, "add", 1, 1)).return_value == 2
        await asyncio.to_thread(restart, server)
        tasks = broker("stream", address)
        async with working(tasks):
            assert (await result(tasks, "add", 2, 2)).return_value == 4


run()
