"""Pools of both clients: what they are made of, and what they tell of themselves."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
from driven import Driven
from samewire.redis import aio, connection
from samewire.redis.aio import connection as aio_connection
from samewire.redis.backoff import NoBackoff
from samewire.redis.cache import CacheConfig
from samewire.redis.client import Client
from samewire.redis.client_steps import OF_POOLS
from samewire.redis.credentials import CredentialProvider, StreamingCredentialProvider
from samewire.redis.exceptions import ConnectionError, MaxConnectionsError, RedisError
from samewire.redis.retry import Retry


@pytest.fixture
def module(kind: str) -> Any:
    """The module that has one client's pools and connections."""
    return connection if kind == "blocking" else aio_connection


@pytest.mark.parametrize("wrong", [0, -1, "10", 1.5])
def test_a_wrong_number_of_connections_is_refused(module: Any, wrong: object) -> None:
    for made in (module.ConnectionPool, module.BlockingConnectionPool):
        with pytest.raises(ValueError, match=f'"max_connections" must be a positive integer: it is {wrong!r}'):
            made(max_connections=wrong)


def test_every_argument_of_a_client_is_its_own_or_its_pools(kind: str) -> None:
    given = set(inspect.signature(Client if kind == "blocking" else aio.Client).parameters) - {"options"}
    own = {"connection_pool", "single_connection_client", "auto_close_connection_pool"}
    # These choose others, or go with TCP alone.
    others = {
        "host",
        "port",
        "socket_keepalive",
        "socket_keepalive_options",
        "unix_socket_path",
        "ssl",
        "lib_name",
        "lib_version",
    }
    assert given - own - others <= set(OF_POOLS)


def test_what_is_no_cache_is_refused(module: Any) -> None:
    with pytest.raises(ValueError, match="Cache must implement CacheInterface: 'cache' does not"):
        module.ConnectionPool(cache="cache")
    with pytest.raises(RedisError, match="RESP version 3: leave protocol out or make it 3"):
        module.ConnectionPool(cache_config=CacheConfig(), protocol=2)
    assert module.ConnectionPool(cache_config=CacheConfig()).cache is not None


def test_a_url_says_which_connections_are_made(module: Any) -> None:
    made = module.ConnectionPool.from_url
    assert made("redis://localhost:7000/2", db=1).connection_kwargs == {"host": "localhost", "port": 7000, "db": 2}
    assert made("redis://localhost").connection_class is module.Connection
    assert made("rediss://localhost").connection_class is module.SSLConnection
    assert made("unix:///path").connection_class is module.UnixDomainSocketConnection


def test_a_class_of_ones_own_wins_over_a_url_as_in_redis_py(module: Any, kind: str) -> None:
    class Own(module.Connection):  # type: ignore[misc]
        """A program's own."""

    assert module.ConnectionPool.from_url("redis://localhost", connection_class=Own).connection_class is Own
    chosen = module.ConnectionPool.from_url("rediss://localhost", connection_class=Own).connection_class
    assert chosen is (Own if kind == "blocking" else module.SSLConnection)


def test_no_secret_is_shown(module: Any) -> None:
    shown = repr(module.ConnectionPool(host="server", username="user", password="s3cret"))
    assert "host=server" in shown
    assert "password=<REDACTED>" in shown
    assert "s3cret" not in shown
    assert "user=" not in shown


def driven(either: Any, pool: Any) -> Any:
    """A pool whose methods wait, for either kind."""
    return Driven(pool, either._loop) if isinstance(either, Driven) else pool


def test_counts_connections_and_gives_each_its_own_attempts(either: Any, kind: str) -> None:
    pool = driven(either, either.connection_pool)
    lent = plain(pool.get_connection())
    counts = {attributes["db.client.connection.state"]: count for count, attributes in pool.get_connection_count()}
    assert counts["used"] == 1
    retry = (Retry if kind == "blocking" else aio.retry.Retry)(NoBackoff(), 7)
    pool.set_retry(retry)
    assert lent.retry.get_retries() == 7
    assert lent.retry is not retry
    pool.release(lent)
    assert pool.get_connection_count()[1][0] == 0


@pytest.mark.parametrize("name", ["ConnectionPool", "BlockingConnectionPool"])
def test_no_more_connections_are_lent_than_there_may_be(module: Any, either: Any, port: int, name: str) -> None:
    options = {"timeout": 0.01} if name == "BlockingConnectionPool" else {}
    pool = driven(either, getattr(module, name)(max_connections=1, port=port, **options))
    first = plain(pool.get_connection())
    expected = MaxConnectionsError if name == "ConnectionPool" else ConnectionError
    with pytest.raises(expected, match=r"Too many connections|all 1 connections of the pool are in use"):
        pool.get_connection()
    pool.release(first)
    assert plain(pool.get_connection()) is first
    pool.release(first)
    pool.disconnect()


def plain(made: Any) -> Any:
    """What is driven."""
    return made._made if isinstance(made, Driven) else made


class Provider(StreamingCredentialProvider):
    """Tells of new tokens when the test says so."""

    def __init__(self) -> None:
        self.tell: Any = None

    def get_credentials(self) -> tuple[str]:
        return ("token",)

    def on_next(self, callback: Any) -> None:
        self.tell = callback

    def on_error(self, callback: Any) -> None:
        self.fail = callback

    def is_streaming(self) -> bool:
        return True


def test_a_providers_tokens_reach_connections_and_do_not_keep_the_pool(module: Any) -> None:
    assert issubclass(Provider, CredentialProvider)
    provider = Provider()
    pool = module.ConnectionPool(credential_provider=provider)
    made = pool.make_connection()
    pool._available_connections.append(made)
    provider.tell("new")
    assert made._re_auth_token == "new"
    provider.fail(ValueError("none"))
    del pool
    provider.tell("newer")
    assert made._re_auth_token == "new"
