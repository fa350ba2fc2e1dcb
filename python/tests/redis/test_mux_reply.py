"""`Mux.call`: what it returns is awaited as a future of asyncio is, by everything that awaits."""

from __future__ import annotations

import asyncio
import contextvars
import gc
import weakref
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from samewire._native import OK, Mux
from samewire.redis.exceptions import ConnectionError, ResponseError
from test_mux import Carrier, failure, on_server


def test_it_is_awaited_alone_and_with_others(port: int) -> None:
    async def use(mux: Mux, carrier: Carrier) -> None:
        assert await mux.call(("SET", "a", 1), OK) is True
        assert await mux.call(("GET", "a"), int) == 1
        assert await mux.call(("ECHO", "7f"), int, True, {"base": 16}) == 127
        before = carrier.writes
        calls = [mux.call(("ECHO", number), int) for number in range(1_000)]
        assert await asyncio.gather(*calls) == list(range(1_000))
        assert carrier.writes == before + 1
        assert asyncio.isfuture(mux.call(("PING",)))
        assert await asyncio.wait_for(mux.call(("ECHO", "a")), 5) == b"a"
        assert await asyncio.shield(mux.call(("ECHO", "a"))) == b"a"
        async with asyncio.timeout(5):
            assert await mux.call(("ECHO", "a")) == b"a"
        done, _ = await asyncio.wait({asyncio.ensure_future(mux.call(("ECHO", "a")))})
        assert [call.result() for call in done] == [b"a"]
        tuples = await mux.call(("ECHO", "a"), lambda reply: (reply, StopIteration(1)))
        assert tuples[0] == b"a"

    on_server(port, use)


def test_errors_are_raised_where_it_is_awaited(port: int) -> None:
    async def use(mux: Mux, carrier: Carrier) -> None:
        await mux.call(("SET", "a", 1))
        with pytest.raises(ResponseError, match="WRONGTYPE"):
            await mux.call(("LPUSH", "a", 1))
        with pytest.raises(ZeroDivisionError):
            await mux.call(("GET", "a"), lambda reply: 1 // 0)
        replies = await asyncio.gather(mux.call(("LPUSH", "a", 1)), mux.call(("GET", "a")), return_exceptions=True)
        assert (isinstance(replies[0], ResponseError), replies[1]) == (True, b"1")
        failing = mux.call(("LPUSH", "a", 1))
        await asyncio.wait([failing])
        assert (failing.done(), isinstance(failing.exception(), ResponseError)) == (True, True)
        with pytest.raises(ResponseError):
            failing.result()

    on_server(port, use)


def test_its_methods_are_those_of_a_future(port: int) -> None:
    async def use(mux: Mux, carrier: Carrier) -> None:
        seen: list[Any] = []
        call = mux.call(("ECHO", "a"))
        assert (call.done(), call.cancelled(), call.get_loop()) == (False, False, asyncio.get_running_loop())
        for ask in (call.result, call.exception):
            with pytest.raises(asyncio.InvalidStateError):
                ask()
        for callback in (seen.append, print, print):
            call.add_done_callback(callback)
        assert (call.remove_done_callback(print), call.remove_done_callback(print)) == (2, 0)
        assert await call == b"a"
        assert (seen, call.result(), call.exception()) == ([call], b"a", None)
        call.add_done_callback(seen.append)
        assert len(seen) == 1
        await asyncio.sleep(0)
        assert seen == [call, call]
        assert await call == b"a"
        assert call.cancel() is False

    on_server(port, use)


def test_a_cancelled_wait_keeps_its_place(port: int) -> None:
    async def use(mux: Mux, carrier: Carrier) -> None:
        async def one(number: int) -> int:
            return int(await mux.call(("ECHO", number), int))

        tasks = [asyncio.ensure_future(one(number)) for number in range(1_000)]
        await asyncio.sleep(0)
        for task in tasks[::3]:
            task.cancel()
        replies = await asyncio.gather(*tasks, return_exceptions=True)
        for number, reply in enumerate(replies):
            assert isinstance(reply, asyncio.CancelledError) if number % 3 == 0 else reply == number
        assert await mux.call(("ECHO", "last")) == b"last"
        assert len(mux) == 0
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(mux.call(("BLPOP", "nothing", 0.2)), 0.05)
        given_up = mux.call(("PING",))
        assert (given_up.cancel("why"), given_up.cancelled()) == (True, True)
        with pytest.raises(asyncio.CancelledError, match="why"):
            await given_up
        for ask in (given_up.result, given_up.exception):
            with pytest.raises(asyncio.CancelledError):
                ask()

    on_server(port, use)


def test_each_task_is_woken_in_its_own_context(port: int) -> None:
    name: contextvars.ContextVar[int] = contextvars.ContextVar("name")

    async def use(mux: Mux, carrier: Carrier) -> None:
        async def one(number: int) -> None:
            name.set(number)
            for _ in range(3):
                assert await mux.call(("ECHO", number), int) == number == name.get()

        await asyncio.gather(*map(one, range(100)))
        with pytest.raises(LookupError):
            name.get()

    on_server(port, use)


def test_a_callback_that_raises_is_reported_and_keeps_nobody_waiting(port: int) -> None:
    async def use(mux: Mux, carrier: Carrier) -> None:
        reported: list[Any] = []
        asyncio.get_running_loop().set_exception_handler(lambda loop, about: reported.append(about["exception"]))
        first, second = mux.call(("ECHO", "a")), mux.call(("ECHO", "b"))
        first.add_done_callback(lambda call: 1 // 0)
        assert await second == b"b"
        assert [type(error) for error in reported] == [ZeroDivisionError]

    on_server(port, use)


@pytest.mark.parametrize("fatal", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_reaches_the_loop(port: int, fatal: type[BaseException]) -> None:
    def raise_it(_: object) -> None:
        raise fatal

    woken: list[Any] = []

    async def use(mux: Mux, carrier: Carrier) -> None:
        calls = [mux.call(("ECHO", number)) for number in range(3)]
        calls[1].add_done_callback(raise_it)
        for call in calls:
            call.add_done_callback(woken.append)
        try:
            await asyncio.gather(*calls)
        finally:
            await asyncio.sleep(0)

    with pytest.raises(fatal):
        on_server(port, use)
    assert len(woken) == 3


def test_what_is_lost_or_given_up_wakes_its_callers(port: int) -> None:
    async def use(mux: Mux, carrier: Carrier) -> None:
        written = mux.call(("BLPOP", "nothing", 0))
        await asyncio.sleep(0.02)
        carrier.transport.abort()
        queued = mux.call(("INCR", "n"))
        with pytest.raises(ConnectionError) as caught:
            await written
        assert caught.value.may_have_run is True
        mux.fail(failure)
        with pytest.raises(ConnectionError) as caught:
            await queued
        assert caught.value.may_have_run is False

    on_server(port, use)


def test_it_is_collected_with_the_task_that_awaits_it() -> None:
    async def main() -> None:
        mux = Mux(asyncio.get_running_loop(), reply_error=ValueError)

        class Kept: ...

        async def caller(kept: Kept) -> None:
            await mux.call(("GET", "a"))

        kept = Kept()
        alive = weakref.ref(kept)
        task = asyncio.ensure_future(caller(kept))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        mux.fail(failure)
        del kept, task
        gc.collect()
        assert alive() is None

    asyncio.run(main())


def test_only_await_yields_it(port: int) -> None:
    async def use(mux: Mux, carrier: Carrier) -> None:
        call = mux.call(("ECHO", "a"))
        with pytest.raises(RuntimeError, match="await wasn't used"):
            while True:
                next(iter(call))
        call = mux.call(("ECHO", "a"))
        step: Callable[[], Coroutine[Any, Any, Any]] = lambda: wait(call)  # noqa: E731
        assert await step() == b"a"

    async def wait(call: Any) -> Any:
        return await call

    on_server(port, use)
