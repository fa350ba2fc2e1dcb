"""Connection classes of programs that put an object in the place of a socket: replies are those of its own `read_response`."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any

import pytest
import samewire.redis
import samewire.redis.aio
from samewire._native import Reader
from samewire.redis.exceptions import ConnectionError, DataError, NoScriptError, ResponseError, TimeoutError
from samewire.redis.rules.error_replies import error_of


class Board:
    """A server that is an object: it keeps texts, and knows MULTI."""

    def __init__(self) -> None:
        self.kept: dict[bytes, bytes] = {}
        self.up = True


class Wire:
    """One client's connection to it."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.replies: deque[Any] = deque()
        self._reader = Reader(ValueError, ValueError)
        self._queued: list[list[bytes]] | None = None

    def sendall(self, data: bytes) -> None:
        if not self.board.up:
            raise ConnectionError("the board is away")
        self._reader.feed(data)
        while (words := self._reader.gets()) is not False:
            self.replies.append(self._reply(words))

    def _reply(self, words: list[bytes]) -> Any:
        name = words[0].upper()
        if name == b"MULTI":
            self._queued = []
        elif name == b"EXEC":
            queued, self._queued = self._queued or [], None
            return [self._run(each) for each in queued]
        elif name == b"DISCARD":
            self._queued = None
        elif self._queued is not None:
            self._queued.append(words)
            return b"QUEUED"
        else:
            return self._run(words)
        return b"OK"

    def _run(self, words: list[bytes]) -> Any:
        match [words[0].upper(), *words[1:]]:
            case [b"HELLO", *_]:
                return {b"proto": 3}
            case [b"SET", key, value]:
                self.board.kept[key] = value
                return b"OK"
            case [b"GET", key]:
                return self.board.kept.get(key)
            case [b"MGET", *keys]:
                return [self.board.kept.get(key) for key in keys]
            case [b"HGETALL", _]:
                return {b"a": b"1"}
            case [b"SMEMBERS", _]:
                return {b"x"}
            case [b"ZSCORE", *_]:
                return 1.5
            case [b"DBSIZE"]:
                return len(self.board.kept)
            case [b"EVALSHA", *_]:
                return error_of("NOSCRIPT there is no such script")
            case [b"CLIENT", *_]:
                return b"OK"
        return error_of("ERR unknown command")

    def shutdown(self, _: object) -> None:
        pass

    def close(self) -> None:
        pass


class OnBoard(samewire.redis.Connection):
    """As fakeredis has it for blocking callers."""

    def __init__(self, board: Board, **options: Any) -> None:
        self.board = board
        super().__init__(**options)

    def _connect(self) -> Any:
        if not self.board.up:
            raise ConnectionError("the board is away")
        return Wire(self.board)

    def can_read(self, timeout: float | None = 0) -> bool:
        wire: Any = self._sock
        return bool(wire.replies)

    def read_response(self, **options: Any) -> Any:  # type: ignore[override]
        wire: Any = self._sock
        return given(wire.replies.popleft(), self, options)


class AioOnBoard(samewire.redis.aio.Connection):
    """An asyncio connection to the board."""

    def __init__(self, board: Board, **options: Any) -> None:
        self.board = board
        super().__init__(**options)

    async def _connect(self) -> None:
        if not self.board.up:
            raise ConnectionError("the board is away")
        self._writer = Writer(Wire(self.board))

    async def read_response(self, **options: Any) -> Any:  # type: ignore[override]
        return given(self._writer.wire.replies.popleft(), self, options)


class Writer:
    def __init__(self, wire: Wire) -> None:
        self.wire = wire

    def writelines(self, data: Any) -> None:
        for piece in data:
            self.wire.sendall(piece)

    def close(self) -> None:
        pass


def given(reply: Any, connection: Any, options: dict[str, Any]) -> Any:
    """A reply as redis-py's connections give it."""
    if isinstance(reply, Exception):
        raise reply
    decodes = connection.encoder.decode_responses and not options.get("disable_decoding")
    return reply.decode() if decodes and isinstance(reply, bytes) else reply


def test_commands_and_pipelines_run_on_an_object() -> None:
    pool = samewire.redis.ConnectionPool(OnBoard, board=Board())
    client: samewire.redis.Client[bytes] = samewire.redis.Client(connection_pool=pool)
    assert client.set("a", "1") is True
    assert client.get("a") == b"1"
    assert client.get("absent") is None
    assert (client.mget("a", "b"), client.hgetall("h"), client.smembers("s")) == ([b"1", None], {b"a": b"1"}, {b"x"})
    assert (client.zscore("z", "m"), client.dbsize()) == (1.5, 1)
    with pytest.raises(ResponseError, match="unknown"):
        client.execute_command("NOSUCH")
    for transaction in (False, True):
        pipe = client.pipeline(transaction=transaction)
        replies = pipe.set("b", "2").get("b").evalsha("0" * 40, 0).hgetall("h").execute(raise_on_error=False)
        assert replies[:2] == [True, b"2"]
        assert isinstance(replies[2], NoScriptError), "an exception keeps its class"
        assert replies[3] == {b"a": b"1"}


def test_commands_and_pipelines_of_asyncio_run_on_an_object() -> None:
    async def main() -> None:
        board = Board()
        pool = samewire.redis.aio.ConnectionPool(AioOnBoard, board=board)
        async with samewire.redis.aio.Client[bytes](connection_pool=pool) as client:
            assert await client.set("a", "1") is True
            assert await asyncio.gather(*(client.get("a") for _ in range(20))) == [b"1"] * 20
            assert (await client.mget("a", "b"), await client.smembers("s")) == ([b"1", None], {b"x"})
            with pytest.raises(ResponseError, match="unknown"):
                await client.execute_command("NOSUCH")
            for transaction in (False, True):
                pipe = client.pipeline(transaction=transaction)
                replies = await pipe.set("b", "2").get("b").evalsha("0" * 40, 0).execute(raise_on_error=False)
                assert replies[:2] == [True, b"2"]
                assert isinstance(replies[2], NoScriptError)
            own = await pool.get_connection()
            await own.send_command("GET", "a")
            assert await own.read_response() == b"1"
            await pool.release(own)
            client.set_retry(samewire.redis.aio.retry.Retry(samewire.redis.backoff.NoBackoff(), 0))
            board.up = False
            with pytest.raises(ConnectionError, match="away"):
                await client.get("a")
            board.up = True
            assert await client.get("a") == b"1"
        await pool.aclose()

    asyncio.run(main())


def test_a_null_reply_on_an_own_connection_is_no_time_out() -> None:
    async def main() -> None:
        pool = samewire.redis.aio.ConnectionPool(AioOnBoard, board=Board())
        async with samewire.redis.aio.Client[bytes](connection_pool=pool, single_connection_client=True) as client:
            assert await client.get("absent") is None
            assert await client.set("a", "1") is True
            assert await client.get("a") == b"1"
        await pool.aclose()

    asyncio.run(main())


def test_a_read_of_an_object_that_takes_its_whole_time_is_a_time_out() -> None:
    class Slow(AioOnBoard):
        async def read_response(self, **options: Any) -> Any:  # type: ignore[override]
            if (seconds := options.get("timeout")) is None:
                return await super().read_response(**options)
            return await asyncio.sleep(seconds)

    async def main() -> None:
        pool = samewire.redis.aio.ConnectionPool(Slow, board=Board(), socket_timeout=0.05)
        async with samewire.redis.aio.Client[bytes](connection_pool=pool, single_connection_client=True) as client:
            client.set_retry(samewire.redis.aio.retry.Retry(samewire.redis.backoff.NoBackoff(), 0))
            with pytest.raises(TimeoutError, match="no reply"):
                await client.get("a")
        await pool.aclose()

    asyncio.run(main())


def test_an_object_that_goes_away_is_a_lost_connection() -> None:
    board = Board()
    pool = samewire.redis.ConnectionPool(OnBoard, board=board)
    client: samewire.redis.Client[bytes] = samewire.redis.Client(connection_pool=pool)
    client.set("a", "1")
    board.up = False
    with pytest.raises(ConnectionError, match="away"):
        client.get("a")
    board.up = True
    assert client.get("a") == b"1"


def test_an_object_that_cannot_be_written_to_is_refused() -> None:
    class Nothing(samewire.redis.Connection):
        def _connect(self) -> Any:
            return object()

    with pytest.raises(DataError, match="an object with `sendall` and a"):
        Nothing().connect()
