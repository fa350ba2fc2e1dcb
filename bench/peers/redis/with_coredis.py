"""coredis: asyncio, connections that multiplex calls."""

from __future__ import annotations

import asyncio
from typing import Any

import coredis

from bench.peers.redis import tasks
from bench.peers.redis.peer import CALLERS, CALLS, UNIX, Client, Row, Task
from bench.peers.redis.server import Server


def start(workload: str, server: Server) -> Task:
    """`coredis.Redis`, which has to be left by the task that entered it."""

    async def connect() -> Client:
        ready: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        done = asyncio.Event()

        async def hold() -> None:
            async with coredis.Redis(**tasks.address(workload, server)) as entered:
                ready.set_result(entered)
                await done.wait()

        holder = asyncio.create_task(hold())
        client = await ready

        def call(name: str) -> tuple[Any, tuple[Any, ...]]:
            return getattr(client, name.partition("-")[0]), tasks.arguments(name)

        async def pipeline(count: int) -> Any:
            async with client.pipeline(transaction=False) as pipe:
                replies = [pipe.set("newkey", "abc") for _ in range(count)]
            return [await reply for reply in replies]

        async def close() -> None:
            done.set()
            await holder

        return Client(call, pipeline, close)

    return tasks.asynchronous(workload, connect)


ROWS = {"coredis": Row("coredis", "client", "every reply, by its type", (*CALLS, *UNIX, "pipelines-10k", CALLERS), start)}
