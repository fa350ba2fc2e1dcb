"""The asyncio client on a real server: sharing, options, blocking commands, loops and connections."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import tls_servers
from clusters import Process, wait_for
from samewire.limits import Limits
from samewire.redis.aio import BlockingConnectionPool, Client, Connection, ConnectionPool, UnixDomainSocketConnection, from_url
from samewire.redis.aio.cluster import RedisCluster
from samewire.redis.aio.retry import Retry
from samewire.redis.backoff import NoBackoff
from samewire.redis.credentials import CredentialProvider
from samewire.redis.exceptions import (
    AuthenticationError,
    ConnectionError,
    DataError,
    MaxConnectionsError,
    RedisError,
    ResponseError,
    TimeoutError,
)
from servers import peer, valkey

#: Keeps the server busy for about half a second.
BUSY = "for _ = 1, 50000000 do end return 'done'"


def on_server(port: int, use: Callable[[Client[Any]], Awaitable[object]], **options: Any) -> None:
    """Runs `use` with a client of a server that holds nothing."""

    async def main() -> None:
        async with Client[Any](host="127.0.0.1", port=port, **options) as client:
            await client.execute_command("FLUSHALL")
            await use(client)

    asyncio.run(asyncio.wait_for(main(), 30))


def keyword_sets(*sets: dict[str, Any]) -> tuple[dict[str, Any], ...]:
    return sets


def test_a_thousand_coroutines_share_one_connection(port: int) -> None:
    async def use(client: Client[Any]) -> None:
        async def caller(number: int) -> None:
            await client.set(f"key:{number}", number)
            assert await client.get(f"key:{number}") == b"%d" % number

        before = (await client.execute_command("INFO", "stats"))["total_connections_received"]
        await asyncio.gather(*[caller(number) for number in range(1_000)])
        after = (await client.execute_command("INFO", "stats"))["total_connections_received"]
        assert after == before

    on_server(port, use)


def test_calls_may_be_tasks(port: int) -> None:
    async def use(client: Client[Any]) -> None:
        task = asyncio.create_task(client.set("a", 1))
        assert await task is True
        assert await asyncio.wait_for(client.get("a"), 1) == b"1"

    on_server(port, use)


def test_texts_are_decoded_for_a_client_or_a_call(port: int) -> None:
    async def use(client: Client[Any]) -> None:
        await client.set("a", "ä")
        assert await client.get("a") == "ä"
        assert await client.decoding(False).get("a") == "ä".encode()
        assert await client.decoding(False).decoding(True).get("a") == "ä"
        async with client.decoding(False).pipeline() as pipe:
            assert await pipe.get("a").execute() == ["ä".encode()]
        assert isinstance(await client.dump("a"), bytes)

    on_server(port, use, decode_responses=True)


def test_replies_are_converted_and_errors_raised(port: int) -> None:
    async def use(client: Client[Any]) -> None:
        assert await client.hset("h", mapping={"a": 1, "b": 2}) == 2
        assert await client.hgetall("h") == {b"a": b"1", b"b": b"2"}
        assert await client.execute_command("hgetall", "h") == {b"a": b"1", b"b": b"2"}
        assert await client.zadd("z", {"a": 1.5}) == 1
        assert await client.zrange("z", 0, -1, withscores=True) == [(b"a", 1.5)]
        assert await client.mget([]) == []
        assert [key async for key in client.scan_iter(match="h*")] == [b"h"]
        with pytest.raises(ResponseError, match="WRONGTYPE"):
            await client.get("h")
        with pytest.raises(DataError):
            await client.execute_command("SET", "a", None)
        assert await client.get("a") is None

    on_server(port, use)


def test_conversions_may_be_coroutine_functions(port: int) -> None:
    async def doubled(reply: bytes, **options: Any) -> int:
        await asyncio.sleep(0)
        return int(reply) * 2

    async def use(client: Client[Any]) -> None:
        await client.set("a", 21)
        assert await client.get("a") == b"21"
        client.set_response_callback("GET", doubled)
        assert await client.get("a") == 42
        assert await client.pipeline().get("a").get("a").execute() == [42, 42]
        client.set_response_callback("GET", int)
        assert await client.get("a") == 21

    on_server(port, use)


def test_blocking_commands_hold_up_nobody(port: int) -> None:
    async def use(client: Client[Any]) -> None:
        waiting = [asyncio.create_task(client.blpop(f"list:{number}", 60)) for number in range(20)]
        reading = asyncio.create_task(client.execute_command("XREAD", "BLOCK", 60_000, "STREAMS", "stream", "$"))
        await asyncio.sleep(0.1)
        started = time.monotonic()
        assert await client.set("a", 1)
        assert time.monotonic() - started < 30
        async with client.pipeline(transaction=False) as pipe:
            held = asyncio.create_task(pipe.blpop("pipe", 10).get("a").execute())
            await asyncio.sleep(0.05)
            for number in range(20):
                await client.rpush(f"list:{number}", number)
            assert await client.rpush("pipe", "x") == 1
            assert await held == [(b"pipe", b"x"), b"1"]
        assert await asyncio.gather(*waiting) == [(b"list:%d" % number, b"%d" % number) for number in range(20)]
        await client.execute_command("XADD", "stream", "1-1", "a", 1)
        assert await reading == {b"stream": [[(b"1-1", {b"a": b"1"})]]} or b"stream" in str(reading.result()).encode()
        assert len(client.connection_pool._in_use_connections) == 0

    on_server(port, use)


def test_wait_tells_of_the_clients_own_writes() -> None:
    primary = Process()
    replica = Process("--replicaof", "127.0.0.1", str(primary.port))

    async def main() -> None:
        async with Client[bytes](host="127.0.0.1", port=primary.port) as client:
            await client.set("a", 1)
            assert await client.wait(1, 2_000) == 1
            replica.stall()
            await client.set("a", 2)
            assert await client.wait(1, 50) == 0
            # Longer than all that follows: what is answered meanwhile has not waited for it.
            waiting = asyncio.create_task(client.wait(1, 15_000))
            for _ in range(20):
                assert await client.get("a") == b"2"
                await asyncio.sleep(0.001)
            assert not waiting.done()
            assert await client.pipeline(transaction=False).set("a", 3).wait(1, 50).execute() == [True, 0]
            replica.go_on()
            assert await waiting == 1
            assert await client.wait(1, 0) == 1

    try:
        primary.ready()
        wait_for(lambda: replica.info("replication")["master_link_status"] == "up")
        asyncio.run(asyncio.wait_for(main(), 20))
    finally:
        replica.go_on()
        replica.close()
        primary.close()


def test_a_blocking_command_outlasts_the_time_out_of_others(port: int) -> None:
    async def use(client: Client[Any]) -> None:
        assert await client.blpop("nothing", 0.6) is None

    on_server(port, use, socket_timeout=0.2)


def test_a_cancelled_blocking_command_takes_nothing(port: int) -> None:
    async def use(client: Client[Any]) -> None:
        waiting = asyncio.create_task(client.blpop("list", 10))
        await asyncio.sleep(0.05)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await asyncio.sleep(0.05)
        await client.rpush("list", 1)
        assert await client.blpop("list", 1) == (b"list", b"1")

    on_server(port, use)


def test_commands_that_change_a_connection_are_refused_on_the_shared_one(port: int) -> None:
    refused: list[tuple[Any, ...]] = [("MULTI",), ("multi",), ("SUBSCRIBE", "a"), (b"UNSUBSCRIBE",), ("MONITOR",), ("SELECT", 1)]
    refused += [("CLIENT", "REPLY", "OFF"), ("client reply", "skip"), (b"CLIENT", b"reply", b"off"), ("HELLO", 2), ("RESET",)]

    async def use(client: Client[Any]) -> None:
        await client.execute_command("CLIENT", "INFO")
        for args in refused:
            with pytest.raises(RedisError, match="all callers share"):
                await client.execute_command(*args)
            if args[0] not in ("MULTI", "multi"):
                with pytest.raises(RedisError, match="all callers share"):
                    client.pipeline().execute_command(*args)
        with pytest.raises(RedisError, match="all callers share"):
            client.pipeline().select(1)
        assert await client.execute_command("ECHO", "in step") == b"in step"
        async with client.client() as own:
            assert await own.execute_command("MULTI") in (True, b"OK")
            await own.execute_command("INCR", "n")
            assert await own.execute_command("EXEC") == [1]
            assert await asyncio.gather(*[own.incr("n") for _ in range(20)]) == list(range(2, 22))
            assert await own.blpop("nothing", 0.05) is None

    on_server(port, use)


def test_each_event_loop_has_connections_of_its_own(port: int) -> None:
    client = Client[bytes](host="127.0.0.1", port=port)

    async def use(number: int) -> bytes | None:
        await client.set("a", number)
        await client.blpop("nothing", 0.01)
        async with client.pipeline() as pipe:
            await pipe.watch("a")
        return await client.get("a")

    for number in range(3):
        assert asyncio.run(use(number)) == b"%d" % number

    found: list[bytes | None] = []

    def thread(number: int) -> None:
        async def main() -> None:
            for _ in range(200):
                await client.set(f"thread:{number}", number)
                found.append(await client.get(f"thread:{number}"))

        asyncio.run(main())

    threads = [threading.Thread(target=thread, args=(number,)) for number in range(3)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(found) == [b"0"] * 200 + [b"1"] * 200 + [b"2"] * 200  # type: ignore[type-var]
    asyncio.run(client.aclose())


def test_closing_ends_calls_and_the_client_can_be_used_again(port: int) -> None:
    async def use(client: Client[Any]) -> None:
        async def stalled() -> None:
            await client.eval(BUSY, 0)

        call = asyncio.create_task(stalled())
        await asyncio.sleep(0.05)
        await client.aclose()
        with pytest.raises(ConnectionError, match="client was closed") as caught:
            await call
        assert caught.value.may_have_run is True
        assert await client.execute_command("PING") is True

    on_server(port, use)


def test_clients_made_for_each_request_share_a_pools_connection(port: int) -> None:
    async def main() -> None:
        pool: ConnectionPool[Any]
        async with ConnectionPool(host="127.0.0.1", port=port) as pool:

            async def request(number: int) -> None:
                async with Client[bytes](connection_pool=pool) as client:
                    await client.set(f"request:{number}", number)

            first = Client[bytes](connection_pool=pool)
            before = (await first.execute_command("INFO", "stats"))["total_connections_received"]
            await asyncio.gather(*[request(number) for number in range(50)])
            assert (await first.execute_command("INFO", "stats"))["total_connections_received"] == before

    asyncio.run(main())


def test_pools_lend_connections_with_redis_pys_interface(port: int) -> None:
    async def main() -> None:
        pool: ConnectionPool[Any] = ConnectionPool(host="127.0.0.1", port=port, max_connections=2)
        first, second = await pool.get_connection(), await pool.get_connection("GET")
        with pytest.raises(MaxConnectionsError):
            await pool.get_connection()
        await first.send_command("ECHO", "hello")
        assert await first.read_response() == b"hello"
        await first.send_packed_command(first.pack_commands([("ECHO", 1), ("CONFIG GET", "port")]))
        assert await first.read_response() == b"1"
        assert b"port" in await first.read_response()
        assert await first.read_response(timeout=0.01) is None
        await first.send_command("ECHO", "unread")
        await pool.release(first)
        again = await pool.get_connection()
        assert again is first
        await again.send_command("ECHO", "read")
        assert await again.read_response() == b"read"
        await pool.release(second)
        await pool.aclose()
        assert not first.is_connected

        blocking: BlockingConnectionPool[Any] = BlockingConnectionPool(
            host="127.0.0.1", port=port, max_connections=1, timeout=0.1
        )
        held = await blocking.get_connection()
        with pytest.raises(ConnectionError, match="none was given back"):
            await blocking.get_connection()
        blocking.timeout = 60
        waiting = [asyncio.create_task(blocking.get_connection()) for _ in range(2)]
        while len(blocking._waiting) < 2:
            await asyncio.sleep(0)
        waiting[0].cancel()
        await blocking.release(held)
        assert await waiting[1] is held
        await blocking.aclose()

    asyncio.run(main())


def test_a_url_names_a_server(port: int, tmp_path: Path) -> None:
    async def main() -> None:
        async with from_url(f"redis://127.0.0.1:{port}/3?decode_responses=true&client_name=tester") as client:
            assert await client.execute_command("CLIENT GETNAME") == "tester"
            assert (await client.execute_command("CLIENT INFO"))["db"] == 3
            assert repr(client).startswith("<samewire.redis.aio.client.Client(<samewire.redis.aio.pool.ConnectionPool")
        with pytest.raises(ValueError, match="schemes"):
            from_url("http://localhost")

    asyncio.run(main())


def test_a_unix_socket(tmp_path: Path) -> None:
    path = str(tmp_path / "server.sock")

    async def main() -> None:
        async with Client[bytes](unix_socket_path=path) as client:
            await client.set("a", 1)
            assert await client.get("a") == b"1"
            assert isinstance(client.connection_pool.make_connection(), UnixDomainSocketConnection)
            await client.blpop("nothing", 0.01)
        missing = Client[bytes](unix_socket_path=path + ".missing", retry=Retry(NoBackoff(), 0))
        with pytest.raises(ConnectionError, match="Error 2 connecting to"):
            await missing.get("a")

    with valkey(config={"unixsocket": path}):
        asyncio.run(main())


def test_tls(port: int, tmp_path: Path) -> None:
    certificate = tls_servers.certificate(tmp_path)
    trusted: dict[str, Any] = {"ssl": True, "ssl_ca_certs": str(certificate[0]), "host": "localhost"}
    once: Any = {"retry": Retry(NoBackoff(), 0)}

    async def main(proxy: int, mutual: int) -> None:
        async with Client[bytes](port=proxy, **trusted) as client:
            value = "x" * 1_000_000
            await client.set("tls", value)
            assert await client.get("tls") == value.encode()
            assert (await asyncio.gather(*[client.incr("n:tls") for _ in range(500)]))[-1] >= 500
            assert await client.blpop("nothing", 0.01) is None
        with pytest.raises(ConnectionError, match="certificate verify failed"):
            await Client[bytes](host="localhost", port=proxy, ssl=True, **once).get("a")
        with pytest.raises(ConnectionError):
            await Client[bytes](port=mutual, **trusted, **once).get("a")
        own: Any = {"ssl_certfile": str(certificate[0]), "ssl_keyfile": str(certificate[1])}
        async with Client[bytes](port=mutual, **trusted, **own) as client:
            assert await client.execute_command("PING") is True

    with tls_servers.tls(port, certificate) as proxy, tls_servers.tls(port, certificate, certificate[0]) as mutual:
        asyncio.run(main(proxy, mutual))


def test_users_and_passwords() -> None:
    class Provider(CredentialProvider):
        def get_credentials(self) -> tuple[str, str]:
            raise AssertionError("asyncio clients ask get_credentials_async")

        async def get_credentials_async(self) -> tuple[str, str]:
            await asyncio.sleep(0)
            return "someone", "secret"

    async def main(port: int) -> None:
        once: Any = {"host": "127.0.0.1", "port": port}
        async with Client[bytes](**once) as admin:
            await admin.execute_command("ACL SETUSER", "someone", "on", ">secret", "~*", "+@all")
            await admin.execute_command("CONFIG SET", "requirepass", "word")
        keywords: dict[str, Any]
        for keywords in keyword_sets({"password": "word"}, {"username": "someone", "password": "secret"}):
            async with Client[bytes](**once, **keywords) as client:
                assert await client.execute_command("PING") is True
        for protocol in (2, 3):
            async with Client[bytes](**once, credential_provider=Provider(), protocol=protocol) as client:
                assert await client.execute_command("ACL WHOAMI") in ("someone", b"someone")
                assert await client.blpop("nothing", 0.01) is None
        started = time.monotonic()
        for keywords in keyword_sets({"password": "wrong"}, {}):
            with pytest.raises(AuthenticationError):
                await Client[bytes](**once, **keywords).get("a")
        assert time.monotonic() - started < 30

    with valkey() as server:
        asyncio.run(main(server.port))


@pytest.mark.parametrize("protocol", [2, 3])
def test_both_protocols_give_the_same_values(port: int, protocol: int) -> None:
    async def use(client: Client[Any]) -> None:
        await client.hset("h", mapping={"a": 1})
        await client.zadd("z", {"a": 1})
        await client.sadd("s", "a")
        assert await client.hgetall("h") == {b"a": b"1"}
        assert await client.zscore("z", "a") == 1.0
        assert await client.smembers("s") == {b"a"}
        assert await client.blpop("nothing", 0.01) is None

    on_server(port, use, protocol=protocol, legacy_responses=True)


def of_one_node(**options: Any) -> RedisCluster:
    """A client of a cluster that takes one server for the node of all slots, without asking it."""
    client = RedisCluster(**options)
    (node,) = client.nodes_manager.startup_nodes.values()
    topology = client.nodes_manager.topology
    topology.nodes, topology.slots = {node.name: node}, {slot: [node] for slot in range(16384)}
    return client


@pytest.mark.parametrize("clustered", [False, True])
def test_calls_wait_when_too_many_bytes_are_queued(clustered: bool) -> None:
    received = 0
    go_on = threading.Event()

    def slow(connection: Any) -> None:
        nonlocal received
        # RESP2 without names and passwords needs no handshake.
        go_on.wait(60)
        while data := connection.recv(1 << 20):
            received += len(data)
            connection.sendall(b"+OK\r\n" * data.count(b"$3\r\nSET\r\n"))

    async def main(port: int) -> None:
        options: dict[str, Any] = {"host": "127.0.0.1", "port": port, "protocol": 2, "driver_info": None}
        options["limits"] = Limits(buffered_bytes=1_000_000)
        client: Any = of_one_node(**options) if clustered else Client[bytes](**options)
        async with client:
            # One caller after another: each finds the connection with what the others have queued.
            calls = [asyncio.create_task(client.set("key", "x" * 100_000))]
            one = client.get_redis_connection(client.get_nodes()[0]) if clustered else client
            shared = one.connection_pool.shared()
            while shared.mux is None:
                await asyncio.sleep(0.01)
            calls += [asyncio.create_task(client.set("key", "x" * 100_000)) for _ in range(199)]
            while not shared.mux.full:
                await asyncio.sleep(0.01)
            mux = shared.mux
            # One more call may have begun before the limit was reached.
            assert mux.waiting_bytes < 1_200_000
            go_on.set()
            assert await asyncio.gather(*calls) == [True] * 200
            # Of the last one the peer may have read no more than its name.
            assert received > 199 * 100_000

    with peer(slow) as port:
        asyncio.run(asyncio.wait_for(main(port), 60))


def test_a_call_that_is_not_answered_in_time_ends_alone() -> None:
    others_wait, over = threading.Event(), threading.Event()

    def slow(connection: Any) -> None:
        connection.recv(65536)
        connection.sendall(b"%1\r\n+proto\r\n:3\r\n")
        connection.recv(65536)
        while not others_wait.wait(0.1):
            # Something comes all the time, and nobody's reply.
            connection.sendall(b">1\r\n+noise\r\n")
        connection.sendall(b"+first\r\n+second\r\n+third\r\n")
        over.wait(20)

    async def main(port: int) -> None:
        options: Any = {"socket_timeout": 2, "driver_info": None, "retry": Retry(NoBackoff(), 0)}
        async with Client[bytes](host="127.0.0.1", port=port, **options) as client:
            first = asyncio.create_task(client.execute_command("INCR", "a"))
            with pytest.raises(TimeoutError, match="no reply from 127") as caught:
                await first
            assert caught.value.may_have_run is True
            others = [asyncio.create_task(client.execute_command("ECHO", text)) for text in "23"]
            await asyncio.sleep(0)
            others_wait.set()
            assert await asyncio.gather(*others) == [b"second", b"third"]
            over.set()

    with peer(slow) as port:
        asyncio.run(asyncio.wait_for(main(port), 20))


def test_unknown_options_are_refused_at_once() -> None:
    with pytest.raises(TypeError, match="nonsense"):
        Client(nonsense=1)


def test_another_encoding_than_utf_8(port: int) -> None:
    async def use(client: Client[Any]) -> None:
        await client.set("ä", "ö")
        assert await client.get("ä") == "ö"
        assert await client.decoding(False).get(b"\xe4") == b"\xf6"
        assert await client.pipeline().get("ä").set("ü", "ß").execute() == ["ö", True]
        await client.rpush("lä", "ü")
        assert await client.blpop("lä", 1) == ("lä", "ü")

    on_server(port, use, encoding="latin-1", decode_responses=True)


def test_a_connection_that_reads_in_its_own_way_may_ask_the_class_it_extends(port: int) -> None:
    class Noting(Connection):
        """Counts replies."""

        replies = 0

        async def read_response(self, *args: Any, **kwargs: Any) -> Any:
            reply = await super().read_response(*args, **kwargs)
            Noting.replies += 1
            return reply

    async def main() -> None:
        pool = ConnectionPool[Noting](connection_class=Noting, host="127.0.0.1", port=port)
        async with Client[Any](connection_pool=pool) as client:
            before = Noting.replies
            assert await client.set("key", 1) is True
            assert await client.get("key") == b"1"
            assert await client.pipeline().get("key").execute() == [b"1"]
            assert Noting.replies > before
        await pool.aclose()

    asyncio.run(main())
