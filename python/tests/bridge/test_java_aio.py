"""The names for asyncio."""

from __future__ import annotations

import asyncio
import time

import pytest
from samewire import bridge


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


def test_calls_run_beside_one_another(gateway: bridge.Gateway) -> None:
    async def main() -> float:
        began = time.monotonic()
        await asyncio.gather(*(gateway.aio.tested.Called.sleep(200) for _ in range(8)))
        return time.monotonic() - began

    assert asyncio.run(main()) < 1.2


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
                await gateway.aio.tested.Called.sleep(5_000)
        assert time.monotonic() - began < 2
        assert await gateway.aio.java.lang.Math.abs(-1) == 1

    asyncio.run(main())
