"""arq: jobs on redis.asyncio, with a worker in this loop."""

from __future__ import annotations

import asyncio
from typing import Any

from arq import Retry, Worker, create_pool
from arq.connections import RedisSettings
from arq.jobs import Job, JobStatus, ResultNotFound
from harness import URL, check, run

SETTINGS = RedisSettings.from_dsn(URL)


async def add(context: dict[str, Any], a: int, b: int) -> int:
    return a + b


async def fails(context: dict[str, Any]) -> None:
    raise ValueError("wrong")


async def third_time(context: dict[str, Any]) -> int:
    if context["job_try"] < 3:
        raise Retry(defer=0.01)
    return int(context["job_try"])


async def sleeps(context: dict[str, Any]) -> None:
    await asyncio.sleep(60)


async def result(job: Job) -> Any:
    """The result of a job. `Job.result` reads result and queue one after the other: a job that ends in between seems lost."""
    try:
        return await job.result(timeout=10, poll_delay=0.02)
    except ResultNotFound:
        return await job.result(timeout=10, poll_delay=0.02)


@check
async def jobs() -> None:
    pool = await create_pool(SETTINGS)
    worker = Worker(
        [add, fails, third_time, sleeps], redis_pool=pool, poll_delay=0.05, handle_signals=False, allow_abort_jobs=True
    )
    task = asyncio.create_task(worker.async_run())
    try:
        made = [await pool.enqueue_job("add", i, i) for i in range(20)]
        assert [await result(job) for job in made if job] == [2 * i for i in range(20)]
        assert await pool.enqueue_job("add", 1, 1, _job_id=made[0].job_id if made[0] else "") is None
        broken = await pool.enqueue_job("fails")
        assert broken is not None
        try:
            await result(broken)
        except ValueError as error:
            assert error.args == ("wrong",)
        else:
            raise AssertionError("no ValueError")
        again = await pool.enqueue_job("third_time")
        assert again is not None and await result(again) == 3
        later = await pool.enqueue_job("add", 1, 2, _defer_by=0.2)
        assert later is not None and await later.status() is JobStatus.deferred
        assert await result(later) == 3
        long = await pool.enqueue_job("sleeps")
        assert long is not None
        while await long.status() is not JobStatus.in_progress:
            await asyncio.sleep(0.02)
        assert await long.abort(timeout=10, poll_delay=0.02) is True
        assert len(await pool.all_job_results()) >= 23
        info = await Job(made[3].job_id, pool).result_info() if made[3] else None
        assert info is not None and info.success and info.result == 6
    finally:
        await worker.close()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


run()
