"""Workloads on clients in Python: every reply is compared before anything is timed, and those of pipelines counted each time."""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Callable, Coroutine
from itertools import repeat
from pathlib import Path
from time import perf_counter_ns
from typing import Any

from bench.peers.redis.peer import CALLERS, PIPELINES, Client, Task, Window, WrongReply, plain
from bench.peers.redis.server import ITEM, KEY, LISTS, VALUE, Server, list_key

CALLERS_AT_ONCE = 1_000
SMALL = 10_000
"""Commands of one of many pipelines."""
EXPECTED: dict[str, Any] = {"get": VALUE, "set": "OK", **{f"lrange-{items}": [ITEM] * items for items in LISTS}}


def arguments(call: str) -> tuple[Any, ...]:
    """Of `get`, `set` and `lrange`, as redis-py and those after it take them."""
    if call == "get":
        return (KEY,)
    if call == "set":
        return (KEY, VALUE)
    return list_key(int(call.partition("-")[2])), 0, -1


def synchronous(workload: str, client: Client) -> Task:
    """A blocking client on a workload."""
    if workload in PIPELINES:
        return Task(pipelined(workload, _counted(client)), client.close)
    call, given = client.call(workload.removeprefix("unix-"))
    compare(workload, call(*given))

    def window(count: int) -> Window:
        runs = repeat(None, count)
        measured = Measured()
        for _ in runs:
            call(*given)
        return measured.end(count)

    return Task(window, client.close)


def asynchronous(workload: str, connect: Callable[[], Coroutine[Any, Any, Client]]) -> Task:
    """An asyncio client on a workload."""
    runner = asyncio.Runner()
    client = runner.run(connect())

    def close() -> None:
        runner.run(closing())
        runner.close()

    async def closing() -> None:
        await client.close()

    if workload in PIPELINES:
        many = client.pipeline
        assert many is not None

        async def piped(count: int) -> Any:
            return await many(count)

        return Task(pipelined(workload, _counted(client._replace(pipeline=lambda count: runner.run(piped(count))))), close)
    name = "get" if workload == CALLERS else workload.removeprefix("unix-")
    call, given = client.call(name)

    async def calls(count: int) -> None:
        for _ in repeat(None, count):
            await call(*given)

    async def once() -> Any:
        return await call(*given)

    async def callers(count: int) -> None:
        await asyncio.gather(*[calls(count // CALLERS_AT_ONCE) for _ in range(CALLERS_AT_ONCE)])

    compare(name, runner.run(once()))

    def window(count: int) -> Window:
        measured = Measured()
        runner.run(callers(count) if workload == CALLERS else calls(count))
        return measured.end(count)

    return Task(window, close)


def pipelined(workload: str, many: Callable[[int], None]) -> Callable[[int], Window]:
    """One pipeline of all commands, or pipelines of 10,000."""

    def window(count: int) -> Window:
        measured = Measured()
        if workload == "pipeline-1M":
            many(count)
        else:
            for begun in range(0, count, SMALL):
                many(min(SMALL, count - begun))
        return measured.end(count)

    return window


def _counted(client: Client) -> Callable[[int], None]:
    many = client.pipeline
    assert many is not None

    def run(count: int) -> None:
        replies = many(count)
        if len(replies) != count or plain(replies[0]) != "OK" or plain(replies[-1]) != "OK":
            raise WrongReply(f"{len(replies)} replies to {count} commands, the last {replies[-1:]!r}")

    return run


def compare(workload: str, reply: Any) -> None:
    """Raises WrongReply."""
    expected = EXPECTED[workload.removeprefix("unix-")]
    if plain(reply) != expected:
        raise WrongReply(f"{reply!r:.100}, and {expected!r:.100} is expected")


def address(workload: str, server: Server) -> dict[str, Any]:
    """Keywords of redis-py and those after it."""
    return {"unix_socket_path": server.path} if workload.startswith("unix-") else {"host": "127.0.0.1", "port": server.port}


class Measured:
    """Begins when it is made. CPU time is that of all threads of the process."""

    def __init__(self) -> None:
        Path("/proc/self/clear_refs").write_text("5")
        self._before = resident("VmRSS")
        self._cpu, self._wall = _cpu(), perf_counter_ns()

    def end(self, count: int) -> Window:
        """A window of so many operations."""
        wall, cpu = perf_counter_ns() - self._wall, _cpu() - self._cpu
        return Window(cpu / count, wall / count, max(0, resident("VmHWM") - self._before))


def resident(which: str) -> int:
    """Bytes: `VmRSS` now, `VmHWM` at most since the kernel was told to count anew."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(which):
            return int(line.split()[1]) * 1024
    raise OSError(f"/proc/self/status without {which}")


def _cpu() -> int:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return round((used.ru_utime + used.ru_stime) * 1e9)
