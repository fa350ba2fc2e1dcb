"""Pipelines and transactions on a real server: of both clients, and of the blocking one where functions and threads are."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from driven import client_of
from samewire.redis import aio
from samewire.redis.backoff import NoBackoff
from samewire.redis.client import Client, Pipeline
from samewire.redis.exceptions import ConnectionError, DataError, ExecAbortError, RedisError, ResponseError, WatchError
from samewire.redis.retry import Retry
from samewire.redis.sync.transport import Connection
from servers import valkey


@pytest.fixture
def client(port: int) -> Iterator[Client[bytes]]:
    with Client[bytes](port=port) as made:
        made.execute_command("FLUSHALL")
        yield made


@pytest.mark.parametrize("transaction", [True, False])
def test_replies_come_in_order_and_converted(either: Any, transaction: bool) -> None:
    with either.pipeline(transaction=transaction) as pipe:
        pipe.set("a", 1).get("a").set("a", 2, nx=True).exists("a", "b")
        pipe.execute_command("HSET", "h", "f", "v").execute_command("HGETALL", "h")
        pipe.set("a", 3, get=True)
        assert len(pipe) == 7
        assert pipe.execute() == [True, b"1", None, 1, 1, {b"f": b"v"}, b"1"]
        assert len(pipe) == 0
        assert pipe.execute() == []
        assert bool(pipe)
    assert not either.connection_pool._in_use_connections


@pytest.mark.parametrize("transaction", [True, False])
def test_an_error_is_raised_with_its_command_or_left_in_its_place(either: Any, transaction: bool) -> None:
    pipe = either.pipeline(transaction=transaction)
    pipe.set("a", 1).execute_command("LPUSH", "a", 2).get("a")
    with pytest.raises(ResponseError, match=r"^Command # 2 \(LPUSH a 2\) of pipeline caused error: WRONGTYPE"):
        pipe.execute()
    pipe.set("a", 1).execute_command("LPUSH", "a", 2).get("a")
    replies = pipe.execute(raise_on_error=False)
    assert (replies[0], replies[2]) == (True, b"1")
    assert isinstance(replies[1], ResponseError)


def test_a_long_command_is_shortened_in_an_error(either: Any) -> None:
    either.set("a", 1)
    with pytest.raises(ResponseError, match=r"Command # 1 \(LPUSH a xx xx .* xx\.\.\.\) of") as caught:
        either.pipeline().execute_command("LPUSH", "a", "xx " * 500).execute()
    assert len(str(caught.value)) < 250


def test_a_command_that_is_refused_aborts_the_transaction(either: Any) -> None:
    pipe = either.pipeline()
    pipe.set("a", 1).execute_command("NOSUCH", "x").get("a")
    with pytest.raises(ResponseError, match=r"Command # 2 \(NOSUCH x\) of pipeline caused error: unknown command") as caught:
        pipe.execute()
    assert not isinstance(caught.value, ExecAbortError)
    assert either.get("a") is None


def test_says_what_it_is(client: Client[bytes]) -> None:
    assert repr(client.pipeline().get("a").get("b")) == "<samewire.redis.client.Pipeline(transaction of 2 commands)>"
    assert repr(client.pipeline(transaction=False)) == "<samewire.redis.client.Pipeline(pipeline of 0 commands)>"


def test_what_cannot_be_sent_is_refused_when_it_is_queued(either: Any) -> None:
    pipe = either.pipeline().set("a", 1)
    with pytest.raises(DataError):
        pipe.set("b", None)
    assert pipe.execute() == [True]


def test_a_command_for_nothing_is_not_sent(either: Any) -> None:
    for transaction in (True, False):
        pipe = either.pipeline(transaction=transaction).set("a", 1).mget([]).get("a")
        assert len(pipe) == 3
        assert pipe.execute() == [True, [], b"1"]


def test_watched_keys_make_a_transaction_fail(either: Any) -> None:
    either.set("a", 1)
    with either.pipeline() as pipe:
        pipe.watch("a")
        assert bool(pipe.watching)
        assert pipe.execute_command("GET", "a") == b"1"
        either.set("a", 2)
        pipe.multi()
        pipe.set("a", 3)
        with pytest.raises(WatchError, match="watched key was changed"):
            pipe.execute()
    assert either.get("a") == b"2"
    with either.pipeline() as pipe:
        pipe.watch("a")
        pipe.unwatch()
        either.set("a", 4)
        assert pipe.get("a").execute() == [b"4"]


def test_multi_and_watch_in_the_wrong_order(either: Any) -> None:
    pipe = either.pipeline()
    pipe.watch("a")
    pipe.multi()
    with pytest.raises(RedisError, match="was called before"):
        pipe.multi()
    with pytest.raises(RedisError, match="not possible after multi"):
        pipe.watch("b")
    pipe.reset()
    pipe.set("a", 1)
    with pytest.raises(RedisError, match="before commands are queued"):
        pipe.multi()


def test_a_transaction_function_is_called_until_nobody_comes_between(client: Client[bytes]) -> None:
    client.set("counter", 0)
    calls: list[int] = []

    def add(pipe: Pipeline) -> int:
        now = int(pipe.execute_command("GET", "counter"))
        calls.append(now)
        if len(calls) == 1:
            client.set("counter", 10)
        pipe.multi()
        pipe.set("counter", now + 1)
        return now

    assert client.transaction(add, "counter") == [True]
    assert calls == [0, 10]
    assert client.transaction(add, "counter", value_from_callable=True) == 11


def test_threads_count_together(port: int, client: Client[bytes]) -> None:
    client.set("counter", 0)

    def add(pipe: Pipeline) -> None:
        now = int(pipe.execute_command("GET", "counter"))
        pipe.multi()
        pipe.set("counter", now + 1)

    threads = [threading.Thread(target=lambda: [client.transaction(add, "counter") for _ in range(20)]) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert client.get("counter") == b"100"


def test_scripts_run_in_pipelines_of_servers_that_do_not_know_them(either: Any) -> None:
    double = either.register_script("return ARGV[1] * 2")
    either.execute_command("SCRIPT FLUSH")
    pipe = either.pipeline()
    # Driven, the pipeline is not what the script is to be called with.
    double(args=[21], client=getattr(pipe, "_made", pipe))
    assert pipe.execute() == [42]
    either.execute_command("SCRIPT FLUSH")
    assert double(args=[4]) == 8


@pytest.mark.parametrize("transaction", [True, False])
def test_a_script_that_is_flushed_before_its_pipeline_comes_runs(either: Any, transaction: bool) -> None:
    double = either.register_script("return ARGV[1] * 2")
    pipe = either.pipeline(transaction=transaction)
    queue = getattr(pipe, "_made", pipe)
    for _ in range(2):
        # As another client could, after the pipeline has had the script loaded.
        pipe.execute_command("SCRIPT FLUSH")
        double(args=[21], client=queue)
        double(args=[4], client=queue)
        assert [words[0] for words, _ in queue.command_stack] == ["SCRIPT", "EVAL", "EVALSHA"]
        assert pipe.execute()[1:] == [42, 8]


def test_a_script_whose_first_call_could_not_be_queued_is_sent_as_text_by_the_next(either: Any) -> None:
    double = either.register_script("return ARGV[1] * 2")
    pipe = either.pipeline()
    queue = getattr(pipe, "_made", pipe)
    pipe.execute_command("SCRIPT FLUSH")
    with pytest.raises(DataError):
        double(args=[object()], client=queue)
    double(args=[21], client=queue)
    copied = copy.copy(queue)
    double(args=[4], client=copied)
    assert [words[0] for words, _ in copied.command_stack] == ["SCRIPT", "EVAL", "EVALSHA"]
    assert pipe.execute()[1:] == [42]


@pytest.mark.parametrize("levels", [100, 1_000])
def test_replies_are_read_however_deep_scripts_nest_them(either: Any, levels: int) -> None:
    nested = "local all = {} local at = all for i = 2, ARGV[1] do at[1] = {} at = at[1] end return all"
    for reply in (either.eval(nested, 0, levels), *either.pipeline().eval(nested, 0, levels).execute()):
        depth = 0
        while reply is not None:
            (reply,) = reply or [None]
            depth += 1
        assert depth == levels


def test_an_instrumented_pipeline_is_asked_for_each_command(either: Any, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []
    instrumented: Any = Pipeline if kind == "blocking" else aio.client.Pipeline
    original = instrumented.execute_command

    def execute_command(self: Any, *args: Any, **options: Any) -> Any:
        seen.append(args)
        return original(self, *args, **options)

    monkeypatch.setattr(instrumented, "execute_command", execute_command)
    pipe = either.pipeline()
    assert pipe.set("a", 1).get("a").command_stack == [(("SET", "a", "1"), {}), (("GET", "a"), {})]
    assert pipe.execute() == [True, b"1"]
    assert seen == [("SET", "a", 1), ("GET", "a")]


def test_a_hundred_thousand_commands_go_through_one_pipeline(client: Client[bytes]) -> None:
    pipe = client.pipeline(transaction=False)
    for number in range(100_000):
        pipe.set("key", number)
    assert pipe.execute().count(True) == 100_000
    assert client.get("key") == b"99999"


@pytest.mark.parametrize("command", [("AUTH", "a", "s3cret", "c"), ("config set", "nosuch", "s3cret")])
def test_no_password_stands_in_an_error(kind: str, command: tuple[str, ...]) -> None:
    with valkey() as server, client_of(kind, server.port) as client, client.pipeline(transaction=False) as pipe:
        with pytest.raises(ResponseError) as raised:
            pipe.execute_command(*command).execute()
        assert "s3cret" not in str(raised.value)


def test_an_attribute_says_whether_it_is_a_transaction(client: Client[bytes]) -> None:
    pipe = client.pipeline()
    assert pipe.transaction is True
    pipe.transaction = False
    assert repr(pipe) == "<samewire.redis.client.Pipeline(pipeline of 0 commands)>"


#: What needs a connection of its own, and what goes over a shared one.
CALLS: dict[str, Callable[[Any], Any]] = {
    "a command that waits": lambda client: client.blpop("a", 1),
    "a pipeline that waits": lambda client: client.pipeline(transaction=False).blpop("a", 1).execute(),
    "watch": lambda client: client.pipeline().watch("a"),
    "a transaction": lambda client: client.pipeline().set("a", 1).execute(),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_server_that_is_away_is_tried_as_often_as_the_retry_says(
    kind: str, call: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    connects = 0

    def refuse(*_: Any) -> None:
        nonlocal connects
        connects += 1
        raise ConnectionRefusedError(111, "refused")

    async def refuse_async(*_: Any) -> None:
        refuse()

    monkeypatch.setattr(Connection, "_connect", refuse)
    monkeypatch.setattr(aio.Connection, "_connect", refuse_async)
    retry = (Retry if kind == "blocking" else aio.retry.Retry)(NoBackoff(), 2)
    with client_of(kind, 1, retry=retry) as client, pytest.raises(ConnectionError, match="refused"):
        call(client)
    assert connects == 3
