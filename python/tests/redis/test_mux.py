"""`Mux`: many asyncio callers on one connection to a real server."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest
from samewire._native import OK, Mux, Pipe
from samewire.redis.exceptions import ConnectionError, DataError, InvalidResponse, ResponseError
from samewire.redis.replies import error_of
from servers import valkey


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with valkey() as server:
        yield server.port


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
