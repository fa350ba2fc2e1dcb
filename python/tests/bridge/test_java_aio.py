"""The names for asyncio."""

from __future__ import annotations

import asyncio
import random
import time
import traceback
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from samewire import bridge
from samewire.bridge.aio import THREADS
from samewire.errors import SamewireError
from served_gateway import TRANSPORTS


def test_calls_are_awaited(gateway: bridge.Gateway) -> None:
    async def main() -> None:
        aio = gateway.aio
        assert await aio.java.lang.Math.max(1, 2) == 2
        assert await aio.java.lang.Integer.MAX_VALUE == 2**31 - 1
        names = await aio.java.util.ArrayList(["a"])
        await names.add("b")
        assert await names.size() == 2
        assert [name async for name in names] == ["a", "b"]
        assert await names.to_py() == ["a", "b"]
        assert await aio.java.lang.String.valueOf(names) == "[a, b]"
        assert names.sync == ["a", "b"]
        assert await aio["tested.lowercase"].method() == "called"

    asyncio.run(main())


def test_a_call_is_a_coroutine(gateway: bridge.Gateway) -> None:
    larger = gateway.aio.java.lang.Math.max

    async def main() -> None:
        assert asyncio.iscoroutine(larger(1, 2))
        assert await asyncio.create_task(larger(1, 2), name="named") == 2
        assert await asyncio.ensure_future(larger(1, 2)) == 2
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(larger(number, 0)) for number in range(5)]
        assert [task.result() for task in tasks] == [*range(5)]
        assert list(await asyncio.gather(larger(1, 2), larger(3, 4))) == [2, 4]
        assert await asyncio.wait_for(asyncio.shield(larger(1, 2)), 60) == 2
        once = larger(1, 2)
        assert await once == 2
        with pytest.raises(RuntimeError, match="already awaited"):
            await once
        with pytest.raises(gateway.java.lang.NumberFormatException):
            await asyncio.create_task(gateway.aio.java.lang.Integer.parseInt("x"))
        late = asyncio.create_task(gateway.aio.java.lang.Thread.sleep(600_000))
        await asyncio.sleep(0.05)
        late.cancel()
        with pytest.raises(asyncio.CancelledError):
            await late
        larger(1, 2).close()

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        asyncio.run(main())
        assert asyncio.run(larger(1, 2)) == 2


def test_what_a_call_raises_shows_the_programs_frames_alone(gateway: bridge.Gateway) -> None:
    def refuse(text: str) -> None:
        raise ValueError(text)

    async def parse() -> None:
        await asyncio.create_task(gateway.aio.java.lang.Integer.parseInt("x"))

    async def call_back() -> None:
        names = await gateway.aio.java.util.ArrayList(["x"])
        await names.forEach(refuse)

    for failing, last in ((parse, ["parse"]), (call_back, ["call_back", "refuse"])):
        with pytest.raises(ValueError, match="x") as caught:
            asyncio.run(failing())
        names = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
        assert names[-len(last) :] == last


def test_how_many_calls_wait_at_a_time_is_the_programs_to_say(gateway: bridge.Gateway) -> None:
    """They meet at a barrier, behind which none goes on before all are there."""

    async def meet(count: int) -> list[int]:
        make = gateway.aio.java.util.concurrent.CyclicBarrier
        barrier = await make(count)
        return sorted(await asyncio.wait_for(asyncio.gather(*(barrier.await_() for _ in range(count))), 60))

    assert gateway.aio_calls == THREADS
    try:
        for count in (THREADS + 20, THREADS + 8):
            gateway.aio_calls = count
            assert gateway.aio_calls == count
            assert asyncio.run(meet(count)) == [*range(count)]
    finally:
        gateway.aio_calls = THREADS
    for wrong in (0, -1, 10**9, "many"):
        with pytest.raises(SamewireError, match=r"aio_calls=.*a number from 1 to 10000 is expected"):
            gateway.aio_calls = wrong  # type: ignore[assignment]


@pytest.mark.hard
def test_calls_run_beside_one_another(gateway: bridge.Gateway) -> None:
    async def main() -> float:
        began = time.monotonic()
        await asyncio.gather(*(gateway.aio.tested.Called.sleep(200) for _ in range(8)))
        return time.monotonic() - began

    assert asyncio.run(main()) < 1.2


def test_futures_of_java_are_awaited(gateway: bridge.Gateway) -> None:
    async def main() -> None:
        futures = gateway.aio.java.util.concurrent.CompletableFuture
        stage = await futures.supplyAsync(lambda: 5)
        assert await stage == 5
        assert await (await stage.thenApply(lambda n: n + 1)) == 6
        names = await (await futures.completedFuture(gateway.java.util.ArrayList(["a"])))
        assert await names.size() == 1
        mine = ValueError("mine")

        def refuse() -> None:
            raise mine

        with pytest.raises(ValueError, match="mine") as caught:
            await (await futures.supplyAsync(refuse))
        assert caught.value is mine
        with pytest.raises(gateway.java.lang.NumberFormatException):
            await (await futures.supplyAsync(lambda: gateway.java.lang.Integer.parseInt("x")))
        never = await futures()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await never
        assert await never.isCancelled()
        task = await gateway.aio.java.util.concurrent.FutureTask(lambda: 7)
        await task.run()
        assert await task == 7

    asyncio.run(main())


def test_coroutine_functions_are_callbacks(gateway: bridge.Gateway) -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()

        async def doubled(number: int) -> int:
            await asyncio.sleep(0.01)
            assert asyncio.get_running_loop() is loop
            return 2 * number

        async def refuse(key: str) -> int:
            raise KeyError(key)

        values = await gateway.aio.java.util.HashMap()
        assert await values.computeIfAbsent(4, doubled) == 8
        with pytest.raises(KeyError, match="9"):
            await values.computeIfAbsent(9, refuse)
        stage = await gateway.aio.java.util.concurrent.CompletableFuture.completedFuture(3)
        assert await (await stage.thenApplyAsync(doubled)) == 6

    asyncio.run(main())


def test_async_with_closes(gateway: bridge.Gateway) -> None:
    async def main() -> None:
        async with gateway.aio.tested.Closing() as opened:
            assert not await opened.closed
        assert await opened.closed

    asyncio.run(main())


def test_exceptions_and_cancelling(gateway: bridge.Gateway) -> None:
    async def main() -> None:
        with pytest.raises(gateway.java.io.IOException):
            await gateway.aio.tested.Failing.missing()
        began = time.monotonic()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await gateway.aio.tested.Called.sleep(120_000)
        assert time.monotonic() - began < 60
        assert await gateway.aio.java.lang.Math.abs(-1) == 1

    asyncio.run(main())


@pytest.fixture(scope="module", params=TRANSPORTS)
def each(request: pytest.FixtureRequest, classes: Path) -> Iterator[bridge.Gateway]:
    """A gateway of each transport."""
    with bridge.launch(classes, transport=request.param, timeout=30) as made:
        yield made


def test_a_cancelled_call_interrupts_only_itself(each: bridge.Gateway) -> None:
    source = random.Random(7)

    async def task(index: int, millis: int) -> object:
        return await each.aio.tested.Called.later(f"value {index}", millis)

    async def main() -> int:
        cancelled = 0
        for _ in range(8):
            tasks = [asyncio.ensure_future(task(index, source.randrange(40))) for index in range(50)]
            doomed = source.sample(range(50), 25)
            for index in doomed:
                await asyncio.sleep(source.random() * 0.002)
                tasks[index].cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
            for index, result in enumerate(results):
                if index in doomed and isinstance(result, asyncio.CancelledError):
                    cancelled += 1
                else:
                    assert result == f"value {index}"
            # Late interrupts would meet these.
            assert await asyncio.gather(*(task(index, 5) for index in range(THREADS))) == [f"value {i}" for i in range(THREADS)]
        return cancelled

    assert asyncio.run(main()) > 20
    assert each.tested.Called.later("a", 1) == "a"


def test_calls_that_stand_in_line_are_closed_with_the_gateway(classes: Path) -> None:
    gateway = bridge.launch(classes, timeout=30)

    async def main() -> list[object]:
        async def waits() -> None:
            await gateway.aio.tested.Called.sleep(20_000)

        waiting = [asyncio.ensure_future(waits()) for _ in range(2 * THREADS)]
        await asyncio.sleep(0.3)
        await asyncio.get_running_loop().run_in_executor(None, gateway.close)
        results = await asyncio.gather(*waiting, return_exceptions=True)
        with pytest.raises(SamewireError, match="closed"):
            await gateway.aio.tested.Called.sleep(1)
        return [getattr(result, "code", result) for result in results]

    try:
        assert asyncio.run(main()) == ["closed"] * 2 * THREADS
    finally:
        gateway.close()
