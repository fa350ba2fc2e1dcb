"""The asyncio client when servers, connections and replies break. What was sent, acknowledged and found is counted."""

from __future__ import annotations

import asyncio
import builtins
import contextlib
import random
import socket
import threading
import time
from collections.abc import Coroutine
from typing import Any

import pytest
from clusters import Process
from cutting import Sent, cutting
from samewire.limits import Limits
from samewire.redis.aio import Client, Connection
from samewire.redis.aio.retry import Retry
from samewire.redis.backoff import ConstantBackoff, ExponentialWithJitterBackoff, NoBackoff
from samewire.redis.breaker import CircuitBreaker
from samewire.redis.exceptions import (
    AuthenticationError,
    BusyLoadingError,
    CircuitOpenError,
    ConnectionError,
    InvalidResponse,
    OutOfMemoryError,
    RedisError,
    ResponseError,
    TimeoutError,
    WatchError,
)
from servers import GREETING, greeted, peer, valkey


def once(port: int, **options: Any) -> Client[Any]:
    """A client that makes one attempt."""
    return Client[Any](host="127.0.0.1", port=port, retry=Retry(NoBackoff(), 0), **options)


def patient(port: int, attempts: int = 60, **options: Any) -> Client[Any]:
    """A client that goes on while a server is started again."""
    retry = Retry(ExponentialWithJitterBackoff(cap=0.1, base=0.01), attempts)
    return Client[Any](host="127.0.0.1", port=port, retry=retry, **options)


def run(main: Coroutine[Any, Any, None], seconds: float = 30) -> None:
    asyncio.run(asyncio.wait_for(main, seconds))


def is_connected(client: Client[Any]) -> bool:
    """Whether the shared connection is there."""
    return client.connection_pool.shared().mux is not None


def test_ten_thousand_cancelled_calls_shift_no_reply(port: int) -> None:
    async def main() -> None:
        chance = random.Random(1)
        wrong: list[Any] = []
        counts = {"answered": 0, "cancelled": 0}
        async with Client[bytes](host="127.0.0.1", port=port) as client:

            async def caller(number: int) -> None:
                text = b"%d" % number
                kind = number % 4
                try:
                    if kind == 0:
                        reply: Any = await client.execute_command("ECHO", text)
                    elif kind == 1:
                        reply = (await client.pipeline(transaction=bool(number % 8)).echo(text).execute())[0]
                    elif kind == 2:
                        async with asyncio.timeout(chance.random() / 200):
                            reply = await client.execute_command("ECHO", text)
                    else:
                        reply = await client.execute_command("SET", text, text) and await client.getdel(text)
                except (asyncio.CancelledError, builtins.TimeoutError):
                    counts["cancelled"] += 1
                    return
                counts["answered"] += 1
                if reply != text:
                    wrong.append((text, reply))

            for batch in range(24):
                tasks = [asyncio.create_task(caller(batch * 1_000 + number)) for number in range(1_000)]
                await asyncio.sleep(0)
                for task in chance.sample(tasks, 600):
                    task.cancel()
                    if chance.random() < 0.01:
                        await asyncio.sleep(0)
                await asyncio.gather(*tasks, return_exceptions=True)
            assert await client.execute_command("ECHO", "last") == b"last"
        assert not wrong
        assert counts["cancelled"] >= 10_000
        assert counts["answered"] > 5_000

    run(main())


def test_kill_and_restart_under_load_loses_nothing_acknowledged() -> None:
    server = Process("--appendonly", "yes", "--appendfsync", "always")

    async def main() -> None:
        client = patient(server.port)
        sent = Sent()
        stop = False
        reads = 0

        async def write(name: int) -> None:
            turn = 0
            while not stop:
                turn += 1
                number = f"{name}-{turn}"
                await sent.await_(number, client.rpush("all", number))

        async def transact(name: int) -> None:
            turn = 0
            while not stop:
                turn += 1
                number = f"pipe-{name}-{turn}"
                await sent.await_(number, client.pipeline().rpush("all", number).execute())

        async def read(name: int) -> None:
            nonlocal reads
            while not stop:
                text = f"{name}-{reads}".encode()
                assert await client.execute_command("ECHO", text) == text
                reads += 1

        async def break_it() -> None:
            nonlocal stop
            for _ in range(3):
                await asyncio.sleep(0.25)
                # So that each caller has a command on the way: none is written to a server that is seen to have ended.
                server.stall()
                await asyncio.sleep(0.05)
                server.kill()
                await asyncio.sleep(0.05)
                server.start()
                await asyncio.to_thread(server.ready)
            await asyncio.sleep(0.25)
            stop = True

        await asyncio.gather(
            break_it(),
            *[write(name) for name in range(20)],
            *[transact(name) for name in range(5)],
            *[read(n) for n in range(20)],
        )
        sent.agrees(await client.lrange("all", 0, -1))
        assert len(sent.acknowledged) > 100
        assert sent.unknown
        assert reads > 100
        await client.aclose()

    try:
        server.ready()
        run(main())
    finally:
        server.close()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_cut_connections_lose_nothing_and_run_nothing_twice(port: int, seed: int) -> None:
    async def main(cut: int) -> None:
        direct, client = patient(port), patient(cut)
        await direct.flushall()
        sent = Sent()

        async def work(name: int) -> None:
            for turn in range(40):
                number = f"{name}-{turn}"
                await sent.await_(number, client.rpush("all", number))
                # What may be repeated is, and its reply is nobody else's.
                assert await client.execute_command("ECHO", number) == number.encode()
                await direct.set(f"key{name}", number)
                assert await client.get(f"key{name}") == number.encode()
                reads = client.pipeline(transaction=False).get(f"key{name}").echo(number)
                assert await reads.execute() == [number.encode()] * 2

        await asyncio.gather(*[work(name) for name in range(8)])
        sent.agrees(await direct.lrange("all", 0, -1))
        assert sent.acknowledged
        assert sent.unknown
        await client.aclose()
        await direct.aclose()

    with cutting(port, seed, 6_000) as cut:
        run(main(cut))


def test_cut_transactions_run_whole_and_once_or_say_that_they_may_have(port: int) -> None:
    async def main(cut: int) -> None:
        direct, client = patient(port), patient(cut)
        await direct.flushall()
        sent = Sent()
        for turn in range(150):
            await sent.await_(str(turn), client.pipeline().rpush("first", turn).rpush("second", turn).execute())
        first, second = [await direct.lrange(name, 0, -1) for name in ("first", "second")]
        sent.agrees(first)
        assert first == second
        assert sent.acknowledged
        assert sent.unknown
        await client.aclose()
        await direct.aclose()

    with cutting(port, 4, 1_200) as cut:
        run(main(cut))


def test_a_watch_on_a_cut_connection_fails(port: int) -> None:
    async def main(cut: int) -> None:
        direct, client = patient(port), patient(cut)
        await direct.set("counter", 0)
        done = unknown = 0

        async def add(pipe: Any) -> None:
            now = int(await pipe.get("counter"))
            pipe.multi()
            pipe.set("counter", now + 1)

        for _ in range(60):
            try:
                await client.transaction(add, "counter")
                done += 1
            except (ConnectionError, TimeoutError) as error:
                assert error.may_have_run
                unknown += 1
        assert done <= int(await direct.get("counter") or 0) <= done + unknown
        assert not client.connection_pool._in_use_connections
        await client.aclose()
        await direct.aclose()

    with cutting(port, 5, 1_500) as cut:
        run(main(cut))


def test_blocking_commands_on_cut_connections_take_nothing_twice(port: int) -> None:
    async def main(cut: int) -> None:
        direct, client = patient(port), patient(cut)
        await direct.flushall()
        taken: list[bytes] = []
        unknown = 0

        async def take() -> None:
            nonlocal unknown
            while True:
                try:
                    popped = await client.blpop("queue", 0)
                    assert popped is not None
                    taken.append(popped[1])
                except RedisError as error:
                    assert error.may_have_run
                    unknown += 1

        takers = [asyncio.create_task(take()) for _ in range(4)]
        for number in range(100):
            await direct.rpush("queue", number)
        while len(taken) + unknown < 100 and await direct.llen("queue"):
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        for taker in takers:
            taker.cancel()
        await asyncio.gather(*takers, return_exceptions=True)
        assert len(taken) == len(set(taken))
        assert 100 - len(taken) - await direct.llen("queue") <= unknown
        assert taken
        assert not client.connection_pool._in_use_connections
        await client.aclose()
        await direct.aclose()

    with cutting(port, 7, 1_500) as cut:
        run(main(cut))


def test_a_stalled_server_is_a_timeout_and_its_late_reply_is_nobodys() -> None:
    server = Process()

    async def main() -> None:
        client = once(server.port, socket_timeout=0.3)
        await client.set("key", "value")
        server.stall()
        results = await asyncio.gather(*[client.incr("counter") for _ in range(50)], return_exceptions=True)
        for error in results:
            assert isinstance(error, TimeoutError)
            assert (error.may_have_run, error.code) == (True, "timeout")
        started = time.monotonic()
        with pytest.raises(TimeoutError):
            await client.get("key")
        assert time.monotonic() - started < 60
        server.go_on()
        assert await client.get("key") == b"value"
        assert await client.execute_command("ECHO", "mine") == b"mine"
        assert await client.get("counter") == b"50"
        await client.aclose()

    try:
        server.ready()
        run(main())
    finally:
        server.go_on()
        server.close()


def test_a_call_whose_time_is_not_over_survives_a_stall() -> None:
    server = Process()

    async def main() -> None:
        # The server has 1.1 s from its going on until the later call's time is over: a busy machine needs half of one.
        client = once(server.port, socket_timeout=1.5)
        await client.set("key", "value")
        server.stall()
        early = asyncio.create_task(client.get("key"))
        await asyncio.sleep(1.1)
        late = asyncio.create_task(client.get("key"))
        with pytest.raises(TimeoutError):
            await early
        server.go_on()
        assert await late == b"value"
        await client.aclose()

    try:
        server.ready()
        run(main())
    finally:
        server.go_on()
        server.close()


def test_a_half_closed_connection() -> None:
    seen: list[bytes] = []

    def serve(connection: socket.socket, data: bytes) -> None:
        seen.append(data)
        if b"GET" in data and len(seen) > 3:
            connection.sendall(b"$5\r\nvalue\r\n")
        else:
            connection.shutdown(socket.SHUT_WR)
            with contextlib.suppress(OSError):
                connection.recv(1)

    async def main(at: int) -> None:
        client = patient(at, attempts=5)
        with pytest.raises(ConnectionError, match=rf"127.0.0.1:{at} closed the connection") as caught:
            await client.incr("counter")
        assert caught.value.may_have_run
        assert caught.value.code == "closed"
        assert len(seen) == 1
        assert await client.get("key") == b"value"
        assert len(seen) == 4
        await client.aclose()

    with peer(greeted(serve)) as at:
        run(main(at))


def test_a_loading_server_is_waited_for_even_by_what_may_not_run_twice() -> None:
    seen: list[bytes] = []

    def serve(connection: socket.socket, data: bytes) -> None:
        seen.append(data)
        loading = b"-LOADING Valkey is loading the dataset in memory\r\n"
        connection.sendall(loading if len(seen) <= 3 else b":1\r\n")

    async def main(at: int) -> None:
        client = patient(at)
        assert await client.incr("counter") == 1
        assert len(seen) == 4
        seen.clear()
        with pytest.raises(BusyLoadingError):
            await once(at).incr("counter")
        assert len(seen) == 1
        await client.aclose()

    with peer(greeted(serve)) as at:
        run(main(at))


def test_a_full_server_refuses_and_goes_on() -> None:
    async def main(port: int) -> None:
        client = patient(port)
        await client.set("key", "value")
        await client.config_set("maxmemory", 1)
        with pytest.raises(OutOfMemoryError) as caught:
            await client.set("other", "value")
        assert caught.value.may_have_run is None
        with pytest.raises(ResponseError):
            await client.pipeline().set("other", "value").execute()
        assert await client.get("key") == b"value"
        await client.aclose()

    with valkey() as server:
        run(main(server.port))


@pytest.mark.parametrize(
    ("announced", "code"),
    [
        (b"$1073741824\r\n", "limit_size"),
        (b"*2147483648\r\n", "limit_items"),
        (b"%2147483648\r\n", "limit_items"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "malformed"),
    ],
)
def test_a_reply_that_cannot_be_read_fails_one_call(announced: bytes, code: str) -> None:
    def serve(connection: socket.socket, data: bytes) -> None:
        if b"large" in data:
            connection.sendall(announced + b"x" * 1000)
        else:
            connection.sendall(b"$5\r\nvalue\r\n" * data.count(b"GET"))

    async def main(at: int) -> None:
        client = patient(at)
        large, *others = await asyncio.gather(
            client.get("large"), *[client.get("small") for _ in range(20)], return_exceptions=True
        )
        assert isinstance(large, InvalidResponse)
        assert code in str(large)
        assert others == [b"value"] * 20
        await client.aclose()

    with peer(greeted(serve)) as at:
        run(main(at))


def test_a_thousand_callers_do_not_storm_a_server_that_is_gone() -> None:
    attempts = 0

    def refuse(connection: socket.socket) -> None:
        nonlocal attempts
        attempts += 1

    async def main(at: int) -> None:
        retry = Retry(ExponentialWithJitterBackoff(cap=0.1, base=0.02), 6)
        client = Client[Any](host="127.0.0.1", port=at, retry=retry)
        results = await asyncio.gather(*[client.get("key") for _ in range(1_000)], return_exceptions=True)
        assert {type(result) for result in results} == {ConnectionError}
        assert {result.may_have_run for result in results if isinstance(result, RedisError)} == {False}
        assert attempts <= 7
        await client.aclose()

    with peer(refuse) as at:
        run(main(at))


def test_callers_wait_for_a_server_behind_an_open_breaker() -> None:
    server = Process()
    server.ready()
    server.kill()

    async def main() -> None:
        breaker = CircuitBreaker(after=0.05, reset_after=0.05)
        retry = Retry(ConstantBackoff(0.001), -1)
        client = Client[bytes](host="127.0.0.1", port=server.port, breaker=breaker, retry=retry)
        callers: list[asyncio.Task[Any]] = [asyncio.create_task(client.set("key", "value")) for _ in range(8)]
        callers += [asyncio.create_task(client.pipeline().set("key", "value").execute()) for _ in range(8)]
        while not breaker.open:
            await asyncio.sleep(0.001)
        impatient = once(server.port, breaker=breaker)
        with pytest.raises(CircuitOpenError, match=f"{server.port} could not be reached for"):
            while True:
                try:
                    await impatient.get("key")
                except CircuitOpenError:
                    raise
                except ConnectionError:
                    continue
        server.start()
        await asyncio.to_thread(server.ready)
        assert await asyncio.gather(*callers) == [True] * 8 + [[True]] * 8
        assert bool(breaker.open) is False
        await client.aclose()
        await impatient.aclose()

    try:
        run(main())
    finally:
        server.close()


def test_a_server_that_refuses_a_client_is_not_out_of_reach(port: int) -> None:
    async def main() -> None:
        breaker = CircuitBreaker(after=1e-9, reset_after=10)
        client = Client[bytes](host="127.0.0.1", port=port, breaker=breaker, username="nobody", password="wrong")
        for _ in range(5):
            with pytest.raises(AuthenticationError):
                await client.get("key")
        assert not breaker.open
        await client.aclose()

    run(main())


def test_a_health_check_comes_after_the_credentials() -> None:
    async def main(port: int) -> None:
        async with once(port) as owner:
            await owner.config_set("requirepass", "secret")
        client = Client[bytes](host="127.0.0.1", port=port, password="secret", health_check_interval=0.001)
        assert await client.ping()
        await client.connection_pool.disconnect()
        assert await client.set("key", "value")
        assert await client.pipeline().get("key").execute() == [b"value"]
        async with client.pubsub() as subscriber:
            await subscriber.subscribe("channel")
            assert subscriber.connection
            await subscriber.connection.disconnect(nowait=True)
            message = None
            while message is None:
                message = await subscriber.get_message(timeout=1)
            assert message["type"] == "subscribe"
        await client.aclose()

    with valkey() as server:
        run(main(server.port))


def test_an_idle_connection_that_died_is_found_out() -> None:
    silent = threading.Event()

    def serve(connection: socket.socket, data: bytes) -> None:
        if not silent.is_set():
            connection.sendall(b"+PONG\r\n" if b"PING" in data else b"$5\r\nvalue\r\n")

    async def main(at: int) -> None:
        client = once(at, health_check_interval=0.1, socket_timeout=0.2)
        assert await client.get("key") == b"value"
        await asyncio.sleep(0.3)
        assert is_connected(client)
        silent.set()
        await asyncio.sleep(0.7)
        assert not is_connected(client)
        silent.clear()
        assert await client.get("key") == b"value"
        await client.aclose()

    with peer(greeted(serve)) as at:
        run(main(at))


def test_a_watched_connection_that_is_killed_means_that_nothing_is_watched(port: int) -> None:
    async def main() -> None:
        async with patient(port) as client, client.pipeline() as pipe:
            await pipe.watch("key")
            assert pipe.connection is not None
            await client.client_kill_filter(_type="normal", skipme=True)
            with pytest.raises(WatchError, match="nothing is watched any more"):
                await pipe.get("key")
            assert await pipe.set("key", 1).execute() == [True]

    run(main())


def test_disconnecting_a_pool_in_use_fails_its_callers_and_confuses_nobody(port: int) -> None:
    disconnects = 60

    async def main() -> None:
        # Each disconnect may meet the same call.
        client = patient(port, disconnects)
        stop = False

        async def work(name: int) -> None:
            turn = 0
            while not stop:
                turn += 1
                text = f"{name}-{turn}".encode()
                assert await client.execute_command("ECHO", text) == text

        async def disconnect() -> None:
            nonlocal stop
            for _ in range(disconnects):
                await asyncio.sleep(0.005)
                await client.connection_pool.disconnect()
            stop = True

        await asyncio.gather(disconnect(), *[work(name) for name in range(20)])
        await client.aclose()

    run(main())


@pytest.mark.parametrize("turns", range(6))
def test_a_disconnect_while_connecting_fails_a_call_once(port: int, turns: int) -> None:
    """In the first turns the attempt has not begun yet: it never runs, and the next one is another."""

    async def main() -> None:
        client = Client[Any](host="127.0.0.1", port=port, retry=Retry(NoBackoff(), 1))
        call = asyncio.create_task(client.ping())
        for _ in range(turns):
            await asyncio.sleep(0)
        await client.connection_pool.disconnect()
        assert await call is True
        assert await client.ping() is True
        await client.aclose()

    run(main())


def test_a_call_that_comes_after_a_disconnect_connects_anew(port: int) -> None:
    async def main() -> None:
        client = once(port)
        first = asyncio.create_task(client.ping())
        await asyncio.sleep(0)
        closing = asyncio.create_task(client.connection_pool.disconnect())
        await asyncio.sleep(0)
        assert await client.ping() is True
        with pytest.raises(ConnectionError, match="the client was closed"):
            await first
        await closing
        await client.aclose()

    run(main())


def test_a_cancelled_call_ends_although_its_client_is_closed_at_once(port: int) -> None:
    async def main() -> None:
        client = patient(port)
        call = asyncio.create_task(client.ping())
        await asyncio.sleep(0)
        closing = asyncio.create_task(client.connection_pool.disconnect())
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await closing
        await client.aclose()

    run(main())


def test_callers_that_wait_for_room_on_a_silent_connection_get_another() -> None:
    connections = 0
    ended = threading.Event()

    def serve(connection: socket.socket) -> None:
        nonlocal connections
        connections += 1
        connection.recv(10_000)
        connection.sendall(GREETING)
        if connections == 1:
            # Reads nothing more, until the client has given up.
            ended.wait(60)
            return
        while data := connection.recv(1 << 20):
            connection.sendall(b"+OK\r\n" * data.count(b"SET\r\n"))

    async def main(at: int) -> None:
        # Long enough that a busy machine's second connection is not taken for silent.
        client = once(at, socket_timeout=2, limits=Limits(buffered_bytes=100_000))
        calls = [asyncio.create_task(client.set("key", "x" * 50_000)) for _ in range(200)]
        results = await asyncio.gather(*calls, return_exceptions=True)
        ended.set()
        assert connections == 2
        kinds = {type(result) for result in results}
        assert kinds == {bool, TimeoutError}
        assert results[-1] is True
        await client.aclose()

    with peer(serve) as at:
        run(main(at))


@pytest.mark.parametrize("others", [0, 100])
def test_calls_that_were_told_not_to_have_run_do_not(others: int) -> None:
    """others: calls behind them that have time left when theirs is over."""
    go, ended = threading.Event(), threading.Event()
    came: list[bytes] = []

    def serve(connection: socket.socket, data: bytes) -> None:
        go.wait(30)
        came.append(data)

    def whole(connection: socket.socket) -> None:
        greeted(serve)(connection)
        ended.set()

    async def main(port: int) -> None:
        client = once(port, socket_timeout=1)
        # More than sockets take: what follows is queued.
        large = asyncio.create_task(client.set("large", bytes(32 << 20)))
        while client.connection_pool.shared().mux is None or not len(client.connection_pool.shared().mux or ()):
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.01)
        names = [f"early{number}" for number in range(100)]
        early = [asyncio.create_task(client.incr(name)) for name in names]
        await asyncio.sleep(0.5)
        later = [asyncio.create_task(client.incr(f"later{number}")) for number in range(others)]
        outcomes: list[Any] = await asyncio.gather(*early, return_exceptions=True)
        go.set()
        await asyncio.gather(large, *later, return_exceptions=True)
        await client.aclose()
        assert await asyncio.to_thread(ended.wait, 20)
        read = b"".join(came)
        ran = [name for name in names if name.encode() in read]
        assert [name for name, error in zip(names, outcomes, strict=True) if not error.may_have_run and name in ran] == []
        if not others:
            assert ran == []
            assert not any(error.may_have_run for error in outcomes)

    with peer(whole) as port:
        run(main(port), 60)


def test_a_command_may_have_run_whose_connection_was_closed_before_its_reply_was_read(port: int) -> None:
    async def main() -> None:
        connection = Connection(host="127.0.0.1", port=port)
        await connection.send_command("PING")
        await connection.disconnect()
        with pytest.raises(ConnectionError) as caught:
            await connection.read_response()
        assert caught.value.may_have_run

    run(main())


class Later:
    """A loop's clock after the process was held."""

    def __init__(self, loop: asyncio.AbstractEventLoop, seconds: float) -> None:
        self._loop, self._seconds = loop, seconds

    def time(self) -> float:
        return self._loop.time() + self._seconds

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loop, name)


def test_a_loop_that_was_held_reads_what_came_before_it_gives_up() -> None:
    go_on = threading.Event()

    def serve(connection: socket.socket, data: bytes) -> None:
        assert go_on.wait(30)
        connection.sendall(b":1\r\n" * data.count(b"INCR"))

    async def main(port: int) -> None:
        async with once(port, socket_timeout=20) as client:
            await client.connection_pool.shared().ready()
            carrier: Any = client.connection_pool.shared()._carrier
            call = asyncio.ensure_future(client.incr("counter"))
            while not carrier.mux.submitted:
                await asyncio.sleep(0)
            loop, carrier.loop = carrier.loop, Later(carrier.loop, 30)
            # Some loops run what is due before they look at their sockets.
            carrier._look()
            await asyncio.sleep(0)
            assert not call.done()
            # Once, and not for ever.
            carrier._look()
            with pytest.raises(TimeoutError):
                await call
            carrier.loop = loop
            go_on.set()

    with peer(greeted(serve)) as at:
        run(main(at))
