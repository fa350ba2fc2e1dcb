"""`Mux`: many asyncio callers on one connection to a real server."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from samewire._native import OK, Mux, Pipe
from samewire.limits import Limits
from samewire.redis.exceptions import ConnectionError, DataError, InvalidResponse, ResponseError
from samewire.redis.rules.error_replies import error_of


class Carrier(asyncio.Protocol):
    """Carries a mux over a socket, and counts writes."""

    def __init__(self, mux: Mux) -> None:
        self.mux = mux
        self.writes = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

        def write(data: bytes) -> None:
            self.writes += 1
            transport.write(data)

        self.mux.connected(write)

    def data_received(self, data: bytes) -> None:
        self.mux.data_received(data)

    def connection_lost(self, error: Exception | None) -> None:
        self.mux.lost(failure)


def failure(may_have_run: bool) -> ConnectionError:
    made = ConnectionError("the connection is lost")
    made.may_have_run = may_have_run
    return made


def on_server(port: int, use: Callable[[Mux, Carrier], Coroutine[Any, Any, None]], **options: Any) -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        mux = Mux(loop, reply_error=error_of, **options)
        _, carrier = await loop.create_connection(lambda: Carrier(mux), "127.0.0.1", port)
        await mux.submit(("HELLO", 3))
        await mux.submit(("FLUSHALL",))
        await use(mux, carrier)
        carrier.transport.close()

    asyncio.run(asyncio.wait_for(main(), 60))


def test_writes_once_a_turn_and_answers_in_order(port: int) -> None:
    async def use(mux: Mux, carrier: Carrier) -> None:
        before = carrier.writes
        replies = await asyncio.gather(*[mux.submit(("ECHO", number), None, True) for number in range(1_000)])
        assert replies == [str(number) for number in range(1_000)]
        assert carrier.writes == before + 1
        assert len(mux) == 0

    on_server(port, use)


def test_a_cancelled_call_never_shifts_a_reply(port: int) -> None:
    async def caller(mux: Mux, number: int, chance: random.Random) -> int:
        call = asyncio.ensure_future(mux.submit(("ECHO", number), int))
        if chance.random() < 0.5:
            await asyncio.sleep(0 if chance.random() < 0.5 else chance.random() / 500)
            call.cancel()
            return 0
        assert await call == number
        return 1

    async def use(mux: Mux, carrier: Carrier) -> None:
        chance = random.Random(1)
        for round_ in range(10):
            done = await asyncio.gather(*[caller(mux, round_ * 1_000 + number, chance) for number in range(1_000)])
            assert 300 < sum(done) < 700
        assert await mux.submit(("ECHO", "last"), None, True) == "last"
        assert len(mux) == 0

    on_server(port, use)


def test_errors_reach_their_own_callers(port: int) -> None:
    async def use(mux: Mux, carrier: Carrier) -> None:
        calls = [mux.submit(("SET", "a", 1), OK), mux.submit(("LPUSH", "a", 1)), mux.submit(("GET", "a"), int)]
        replies = await asyncio.gather(*calls, mux.submit(("GET", "a"), bytes.hex), return_exceptions=True)
        assert (replies[0], replies[2], replies[3]) == (True, 1, "31")
        assert isinstance(replies[1], ResponseError)
        with pytest.raises(DataError, match="not NoneType"):
            mux.submit(("SET", "a", None))
        failing = mux.submit(("GET", "a"), lambda reply: 1 // 0)
        with pytest.raises(ZeroDivisionError):
            await failing
        assert await mux.submit(("GET", "a")) == b"1"

    on_server(port, use)


def test_a_pipe_stays_together(port: int) -> None:
    async def use(mux: Mux, carrier: Carrier) -> None:
        pipe = Pipe()
        pipe.append(("MULTI",))
        for _ in range(3):
            pipe.append(("INCR", "n"))
        pipe.append(("EXEC",))
        replies = await asyncio.gather(*mux.submit_all(pipe))
        assert replies[-1] == [1, 2, 3]
        assert len(pipe) == 5

    on_server(port, use)


def test_pushes_are_no_replies(port: int) -> None:
    seen: list[Any] = []

    async def use(mux: Mux, carrier: Carrier) -> None:
        pipe = Pipe()
        pipe.append(("SUBSCRIBE", "news"))
        mux.send(pipe)
        assert await mux.submit(("PUBLISH", "news", "hello")) == 1
        assert await mux.submit(("PING",), None, True) == "PONG"
        assert seen == [[b"subscribe", b"news", 1], [b"message", b"news", b"hello"]]

    on_server(port, use, on_push=seen.append)


def test_a_push_that_cannot_be_decoded_shifts_no_reply(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    unraisable: list[Any] = []
    monkeypatch.setattr("sys.unraisablehook", unraisable.append)

    async def use(mux: Mux, carrier: Carrier) -> None:
        pipe = Pipe()
        pipe.append(("SUBSCRIBE", "news"))
        mux.send(pipe)
        calls = [mux.submit(("PUBLISH", "news", b"\xff")), *[mux.submit(("ECHO", number)) for number in range(100)]]
        assert await asyncio.gather(*calls) == [1, *[str(number) for number in range(100)]]
        assert isinstance(unraisable[0].exc_value, UnicodeDecodeError)

    on_server(port, use, decode_responses=True)


def test_a_reply_to_no_command_is_refused() -> None:
    async def main() -> None:
        mux = Mux(asyncio.get_running_loop(), reply_error=error_of)
        mux.connected(lambda data: None)
        mux.submit(("PING",))
        # Not written yet: it happens at the end of this turn.
        with pytest.raises(InvalidResponse, match="to no command"):
            mux.data_received(b"-ERR max number of clients reached\r\n")
        assert len(mux) == 1

    asyncio.run(main())


def test_a_callable_may_use_the_mux_that_calls_it(port: int) -> None:
    async def use(mux: Mux, carrier: Carrier) -> None:
        def again(reply: bytes) -> Any:
            return mux.submit(("ECHO", b"again " + reply))

        inner = await mux.submit(("ECHO", "first"), again)
        assert await inner == b"again first"

    on_server(port, use)


def test_a_lost_connection_says_what_may_have_run_and_keeps_the_rest(port: int) -> None:
    async def use(mux: Mux, carrier: Carrier) -> None:
        loop = asyncio.get_running_loop()
        written = mux.submit(("BLPOP", "nothing", 0))
        await asyncio.sleep(0.05)
        carrier.transport.abort()
        waiting = mux.submit(("INCR", "n"))
        with pytest.raises(ConnectionError) as caught:
            await written
        assert caught.value.may_have_run is True
        assert not mux.open

        second = Mux(loop, reply_error=error_of)
        _, again = await loop.create_connection(lambda: Carrier(second), "127.0.0.1", port)
        await second.submit(("HELLO", 3))
        late = mux.submit(("INCR", "n"))
        second.adopt(mux)
        assert list(await asyncio.gather(waiting, late)) == [1, 2]
        again.transport.close()

    on_server(port, use)


def test_a_pipe_has_one_future(port: int) -> None:
    async def use(mux: Mux, carrier: Carrier) -> None:
        pipe = Pipe()
        pipe.callbacks = {"SET": OK, "GET": bytes.decode}
        for number in range(1_000):
            pipe.append(("SET", "a", number))
            pipe.append(("GET", "a"))
        pipe.append(("LPUSH", "a", 1))
        pipe.append(("GET", "a"), int, True)
        before = carrier.writes
        whole, single = mux.run(pipe), mux.submit(("GET", "a"))
        replies = await whole
        assert (await single, carrier.writes, len(mux), len(pipe)) == (b"999", before + 1, 0, 2_002)
        assert replies[:2_000] == [reply for number in range(1_000) for reply in (True, str(number))]
        assert (isinstance(replies[2_000], ResponseError), replies[2_001]) == (True, 999)
        pipe.clear()
        assert await mux.run(pipe) == []
        pipe.append(("GET", "a"), lambda reply: 1 // 0)
        pipe.append(("GET", "a"))
        failing, single = mux.run(pipe), mux.submit(("GET", "a"))
        with pytest.raises(ZeroDivisionError):
            await failing
        assert await single == b"999"

    on_server(port, use)


def test_a_transaction_has_one_future(port: int) -> None:
    async def use(mux: Mux, carrier: Carrier) -> None:
        pipe = Pipe()
        pipe.callbacks = {"INCR": str}
        pipe.append(("INCR", "n"))
        pipe.append(("LPUSH", "n", 1))
        pipe.append(("INCR", "n"))
        refused, replies = await mux.run(pipe, transaction=True)
        assert (refused, replies[0], isinstance(replies[1], ResponseError), replies[2]) == ([], "1", True, "2")
        pipe.append(("NOSUCH",))
        refused, aborted = await mux.run(pipe, True)
        assert ([place for place, _ in refused], isinstance(aborted, ResponseError)) == ([4], True)
        pipe.clear()
        assert await mux.run(pipe, True) == ([], [])

    on_server(port, use)


def test_a_cancelled_pipe_keeps_its_place(port: int) -> None:
    async def use(mux: Mux, carrier: Carrier) -> None:
        pipe = Pipe()
        for number in range(100):
            pipe.append(("ECHO", number))
        given_up = mux.run(pipe)
        single = mux.submit(("ECHO", "mine"))
        await asyncio.sleep(0)
        given_up.cancel()
        assert await single == b"mine"
        assert len(mux) == 0

    on_server(port, use)


def test_callers_can_wait_for_room(port: int) -> None:
    async def use(mux: Mux, carrier: Carrier) -> None:
        waited = most = 0

        async def caller(number: int) -> bytes:
            nonlocal waited, most
            while mux.full:
                waited += 1
                await mux.room()
            reply = mux.submit(("ECHO", b"x" * 10_000))
            most = max(most, mux.waiting_bytes)
            return bytes(await reply)

        assert {len(reply) for reply in await asyncio.gather(*map(caller, range(1_000)))} == {10_000}
        assert waited > 100
        assert most < 120_000
        mux.pause()
        calls = [asyncio.ensure_future(caller(number)) for number in range(20)]
        await asyncio.sleep(0.01)
        assert (mux.full, len(mux)) == (True, 10)
        mux.resume()
        await asyncio.gather(*calls)
        mux.pause()
        calls = [asyncio.ensure_future(caller(number)) for number in range(20)]
        await asyncio.sleep(0.01)
        assert len(mux) == 10
        mux.lost(failure)
        await asyncio.sleep(0)
        assert len(mux) == 10
        mux.fail(failure)
        await asyncio.sleep(0)
        assert ([call.done() for call in calls], len(mux)) == ([True] * 10 + [False] * 10, 10)
        for call in calls:
            call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)

    on_server(port, use, limits=Limits(buffered_bytes=100_000))


def test_an_error_that_cannot_be_made_reaches_its_caller_alone() -> None:
    async def main() -> None:
        made = iter([failure(False), None, failure(False)])

        def error(may_have_run: bool) -> ConnectionError:
            found = next(made)
            if found is None:
                raise ZeroDivisionError
            return found

        mux = Mux(asyncio.get_running_loop(), reply_error=error_of)
        calls = [mux.submit(("INCR", "n")) for _ in range(3)]
        mux.fail(error)
        replies = await asyncio.gather(*calls, return_exceptions=True)
        assert [type(reply) for reply in replies] == [ConnectionError, ZeroDivisionError, ConnectionError]

    asyncio.run(main())


def test_calls_expire_in_their_places(port: int) -> None:
    async def use(mux: Mux, carrier: Carrier) -> None:
        before = mux.submitted
        slow = mux.submit(("BLPOP", "nothing", 0.2))
        await asyncio.sleep(0)
        mux.pause()
        queued, last = mux.submit(("ECHO", "queued")), mux.submit(("ECHO", "last"))
        assert (mux.submitted, mux.replied) == (before + 3, before)
        mux.expire(before + 2, failure)
        mux.expire(before + 2, failure)
        for call, may_have_run in [(slow, True), (queued, False)]:
            with pytest.raises(ConnectionError) as caught:
                await call
            assert caught.value.may_have_run is may_have_run
        mux.resume()
        assert await last == b"last"
        assert (mux.submitted, mux.replied, len(mux)) == (before + 3, before + 3, 0)

    on_server(port, use)


def test_bytes_can_be_received_into_a_buffer(port: int) -> None:
    async def main() -> None:
        mux = Mux(asyncio.get_running_loop(), reply_error=error_of)

        class Buffered(asyncio.BufferedProtocol):
            def connection_made(self, transport: Any) -> None:
                mux.connected(transport.write)

            def get_buffer(self, sizehint: int) -> bytearray:
                return mux.get_buffer(sizehint)

            def buffer_updated(self, nbytes: int) -> None:
                mux.buffer_updated(nbytes)

        transport, _ = await asyncio.get_running_loop().create_connection(Buffered, "127.0.0.1", port)
        big = random.Random(1).randbytes(1_000_000)
        replies = await asyncio.gather(*[mux.submit(("ECHO", big[:size])) for size in (0, 1, 70_000, 1_000_000)])
        assert replies == [big[:size] for size in (0, 1, 70_000, 1_000_000)]
        transport.close()

    asyncio.run(main())


def test_keywords_reach_the_callable(port: int) -> None:
    async def use(mux: Mux, carrier: Carrier) -> None:
        assert await mux.submit(("ECHO", "7f"), int, True, {"base": 16}) == 127

    on_server(port, use)


def test_what_was_not_written_can_be_given_up() -> None:
    async def main() -> None:
        mux = Mux(asyncio.get_running_loop(), reply_error=error_of)
        call = mux.submit(("INCR", "n"))
        mux.fail(failure)
        with pytest.raises(ConnectionError) as caught:
            await call
        assert caught.value.may_have_run is False
        assert (len(mux), mux.waiting_bytes) == (0, 0)

    asyncio.run(main())
