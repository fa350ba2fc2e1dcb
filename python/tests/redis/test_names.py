"""Names of redis-py 8 that programs use besides commands."""

from __future__ import annotations

import asyncio
import copy
import inspect
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any
from unittest import mock

import pytest
import samewire.redis as redis
from clusters import Cluster, cluster
from samewire.redis import aio, exceptions
from samewire.redis.client import Client
from samewire.redis.cluster import RedisCluster
from samewire.redis.credentials import StreamingCredentialProvider
from samewire.redis.exceptions import DataError, ExceptionType
from samewire.redis.redis_py.tokens import SimpleToken
from samewire.redis.rules.error_replies import error_of


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (exceptions.RedisError, ExceptionType.SERVER),
        (exceptions.ConnectionError, ExceptionType.NETWORK),
        (exceptions.TimeoutError, ExceptionType.NETWORK),
        (exceptions.BusyLoadingError, ExceptionType.NETWORK),
        (exceptions.MaxConnectionsError, ExceptionType.NETWORK),
        (exceptions.TlsError, ExceptionType.TLS),
        (exceptions.AuthenticationError, ExceptionType.AUTH),
        (exceptions.AuthorizationError, ExceptionType.AUTH),
        (exceptions.AuthenticationWrongNumberOfArgsError, ExceptionType.AUTH),
        (exceptions.NoPermissionError, ExceptionType.AUTH),
        (exceptions.ResponseError, ExceptionType.SERVER),
        (exceptions.RedisClusterException, ExceptionType.SERVER),
        (exceptions.SlotNotCoveredError, ExceptionType.SERVER),
    ],
)
def test_errors_say_what_they_have_to_do_with(error: type[Any], kind: ExceptionType) -> None:
    assert error("text").error_type is kind
    assert [each.value for each in ExceptionType] == ["network", "tls", "auth", "server"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("ERR unknown command", "ERR"),
        ("NOPERM this user", "NOPERM"),
        ("MOVED 1 127.0.0.1:7000", "MOVED"),
        ("CLUSTERDOWN down", "CLUSTERDOWN"),
        ("ERR invalid password", "ERR"),
        ("WRONGTYPE Operation", None),
    ],
)
def test_errors_of_replies_have_their_first_word(text: str, code: str | None) -> None:
    error: Any = error_of(text)
    assert error.status_code == copy.copy(error).status_code == code
    assert exceptions.ConnectionError("lost").status_code is None


def test_a_digest_is_made_without_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    clients: list[Any] = [Client[bytes](), aio.Client[bytes](), Client[bytes]().pipeline()]
    monkeypatch.setitem(sys.modules, "xxhash", None)
    for client in clients:
        with pytest.raises(NotImplementedError, match="pip install xxhash"):
            client.digest_local("text")
    # What the package has of interest here.
    xxhash = ModuleType("xxhash")
    xxhash.xxh3_64 = lambda value: mock.Mock(hexdigest=lambda: f"{len(value):016x}")  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "xxhash", xxhash)
    for client in clients:
        assert client.digest_local("é") == client.digest_local(b"ab") == b"0000000000000002"
    assert Client[bytes]().decoding().digest_local("é") == "0000000000000002"


def test_pipelines_know_what_ends_a_watch() -> None:
    for pipe in (Client[bytes]().pipeline(), aio.Client[bytes]().pipeline()):
        assert {"DISCARD", "EXEC", "UNWATCH"} == pipe.UNWATCH_COMMANDS


COROUTINES = ["command_info", "debug_segfault", "memory_doctor", "memory_help", "script_debug", "shutdown", "watch", "unwatch"]
OF_CLUSTERS = ["hotkeys_get", "hotkeys_reset", "hotkeys_start", "hotkeys_stop", "client_tracking_on", "client_tracking_off"]


@pytest.mark.parametrize(
    ("kind", "names"), [(aio.Client, COROUTINES), (redis.asyncio.RedisCluster, [*COROUTINES, *OF_CLUSTERS, "mget_nonatomic"])]
)
def test_coroutine_functions_are_what_they_are_in_redis_py(kind: type, names: list[str]) -> None:
    assert [name for name in names if not inspect.iscoroutinefunction(getattr(kind, name))] == []
    spec = mock.create_autospec(kind, instance=True)
    assert isinstance(spec.memory_doctor, mock.AsyncMock)


def test_coroutine_functions_return_what_the_server_replies(port: int) -> None:
    async def main() -> None:
        async with aio.Client[str](port=port, decode_responses=True) as client:
            assert "memory" in (await client.memory_doctor()).lower()
            assert len(await client.command_info("get", "set")) == 2
            # A pipeline queues without being awaited.
            assert len(await client.pipeline().memory_doctor().command_info("get").execute()) == 2

    asyncio.run(main())


def copied(pipe: Any) -> Any:
    """Of a pipeline with two commands, a copy that has one more than it."""
    pipe.set("copied", 1).incr("copied")
    again = copy.copy(pipe)
    assert type(again) is type(pipe)
    again.get("copied")
    assert (len(pipe), len(again)) == (2, 3)
    return again


@pytest.mark.parametrize("transaction", [False, True])
def test_a_copy_of_a_pipeline_has_its_commands(port: int, transaction: bool) -> None:
    with Client[bytes](port=port) as client:
        pipe = client.pipeline(transaction)
        again = copied(pipe)
        assert again.execute() == [True, 2, b"2"]
        assert pipe.execute() == [True, 2]
        assert not client.connection_pool._in_use_connections
        pipe.watch("copied")
        with pytest.raises(DataError, match="watched"):
            copy.copy(pipe)
        pipe.reset()


def test_a_copy_of_an_asyncio_pipeline_has_its_commands(port: int) -> None:
    async def main() -> None:
        async with aio.Client[bytes](port=port) as client:
            pipe = client.pipeline()
            again = copied(pipe)
            assert await again.execute() == [True, 2, b"2"]
            assert await pipe.execute() == [True, 2]

    asyncio.run(main())


class Provider(StreamingCredentialProvider):
    """Gives the password that is set, and tells of it."""

    def __init__(self) -> None:
        self.password = "one"
        self.taken: list[Callable[[Any], Any]] = []

    def get_credentials(self) -> tuple[str, str]:
        return "streamed", self.password

    async def get_credentials_async(self) -> tuple[str, str]:
        return self.get_credentials()

    def on_next(self, callback: Callable[[Any], None]) -> None:
        self.taken.append(callback)

    def on_error(self, callback: Callable[[Exception], None]) -> None:
        pass

    def is_streaming(self) -> bool:
        return True

    def next(self, user: str) -> list[Any]:
        token = SimpleToken("two", -1, 0, {"oid": user})
        return [callback(token) for callback in self.taken]


@pytest.mark.parametrize("single", [False, True])
def test_an_asyncio_pool_takes_new_tokens(port: int, single: bool) -> None:
    async def main() -> None:
        async with aio.Client[bytes](port=port) as other:
            for user, password in (("streamed", "one"), ("renewed", "two")):
                await other.execute_command("ACL SETUSER", user, "on", f">{password}", "~*", "+@all")
            provider = Provider()
            async with aio.Client[str](
                port=port, credential_provider=provider, single_connection_client=single, decode_responses=True
            ) as client:
                number = await client.client_id()
                idle = await client.connection_pool.get_connection()
                await client.connection_pool.release(idle)
                assert await client.acl_whoami() == "streamed"
                # From another thread, and awaited by whom it likes to.
                (told,) = await asyncio.to_thread(provider.next, "renewed")
                await told
                assert await client.acl_whoami() == "renewed"
                assert await client.client_id() == number
                lent = await client.connection_pool.get_connection()
                await lent.send_command("ACL", "WHOAMI")
                assert lent is idle
                assert await lent.read_response() == "renewed"
                await client.connection_pool.release(lent)

    asyncio.run(main())


@pytest.fixture(scope="module")
def servers() -> Any:
    with cluster(masters=1, replicas=0) as made:
        yield made


def test_a_cluster_calls_on_connect_for_each_connection(servers: Cluster) -> None:
    seen: list[Any] = []

    class Own(RedisCluster[Any]):
        """Looks at each connection."""

        def on_connect(self, connection: Any) -> None:
            super().on_connect(connection)
            seen.append(connection)

    port = servers.nodes[0].port
    with Own(host="127.0.0.1", port=port, redis_connect_func=seen.append) as client:
        client.get("a")
        (connection,) = client.get_redis_connection(client.get_nodes()[0]).connection_pool._connections
        # The function that was given comes after the greeting.
        assert seen[-2:] == [connection, connection]
        assert connection.spoken == 3


def test_an_asyncio_cluster_calls_on_connect_for_each_connection(servers: Cluster) -> None:
    seen: list[Any] = []

    class Own(redis.asyncio.RedisCluster):
        """Looks at each connection."""

        async def on_connect(self, connection: Any) -> None:
            await super().on_connect(connection)
            seen.append(connection)

    async def main() -> None:
        async with Own(host="127.0.0.1", port=servers.nodes[0].port) as client:
            await client.get("a")
            assert seen[-1].spoken == 3
            assert client.nodes_manager is client.pipeline().nodes_manager
            assert client.retry.get_retries() >= 0
            assert client.encoder.encoding == "utf-8"
            assert await copied(client.pipeline()).execute() == [True, 2, b"2"]

    asyncio.run(main())
