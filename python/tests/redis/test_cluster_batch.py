"""Commands that go to several nodes together: what becomes of them when a node is lost in the middle. No cluster is needed."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from samewire.redis.cluster import RedisCluster
from samewire.redis.exceptions import ConnectionError, DataError, ResponseError
from samewire.redis.observability import Observer, add_observer, remove_observer
from samewire.redis.rules.slots import key_slot
from servers import peer


class Fake:
    """A node that serves all slots, or half of them. `answer` maps a command's arguments to what is sent; None closes."""

    def __init__(self) -> None:
        self.port = 0
        self.slots = b""
        self.commands: list[list[bytes]] = []
        self.answers: dict[bytes, Any] = {}
        self.gone = False

    def serve(self, connection: socket.socket) -> None:
        if self.gone:
            return
        stream = connection.makefile("rb")
        while line := stream.readline():
            args = []
            for _ in range(int(line[1:])):
                length = int(stream.readline()[1:])
                args.append(stream.read(length + 2)[:-2])
            if args[0] == b"HELLO":
                connection.sendall(b"%1\r\n$5\r\nproto\r\n:3\r\n")
            elif args[:2] == [b"CLUSTER", b"SLOTS"]:
                connection.sendall(self.slots)
            elif args[0] == b"CLIENT":
                connection.sendall(b"+OK\r\n")
            else:
                self.commands.append(args)
                answer = self.answers.get(args[0], b"+OK\r\n")
                if callable(answer):
                    answer = answer(args)
                if answer is None:
                    return
                connection.sendall(answer)


@contextmanager
def two() -> Iterator[tuple[RedisCluster[Any], Fake, Fake]]:
    """A client of two such nodes; the first has the lower slots."""
    with ExitStack() as stack:
        nodes = Fake(), Fake()
        for node in nodes:
            node.port = stack.enter_context(peer(node.serve))
        rows = b"".join(
            b"*3\r\n:%d\r\n:%d\r\n*2\r\n$9\r\n127.0.0.1\r\n:%d\r\n" % (first, first + 8191, node.port)
            for first, node in zip((0, 8192), nodes, strict=True)
        )
        for node in nodes:
            node.slots = b"*2\r\n" + rows
        client = stack.enter_context(RedisCluster[Any](host="127.0.0.1", port=nodes[0].port, cluster_error_retry_attempts=2))
        yield client, *nodes


LOW = [key for key in map(str, range(200)) if key_slot(key.encode()) < 8192]
HIGH = [key for key in map(str, range(200)) if key_slot(key.encode()) >= 8192]


def test_all_nodes_are_written_to_before_one_is_waited_for() -> None:
    with two() as (client, first, second):
        # Other tests' peers may still be there.
        before = threading.active_count()
        # Each replies when the other has been asked, too.
        for node, other in ((first, second), (second, first)):

            def answer(args: list[bytes], other: Fake = other) -> bytes:
                until = time.monotonic() + 5
                while not other.commands and time.monotonic() < until:
                    time.sleep(0.001)
                return b"$1\r\n1\r\n" if other.commands else b"-ERR the other was not asked\r\n"

            node.answers[b"GET"] = answer
        assert client.pipeline().get(LOW[0]).get(HIGH[0]).execute() == [b"1", b"1"]
        assert threading.active_count() < before + 10


def test_what_a_lost_node_has_replied_is_kept_and_what_may_have_run_is_told() -> None:
    with two() as (client, first, _):
        first.answers[b"LLEN"] = b":7\r\n"
        first.answers[b"RPUSH"] = None
        pipe = client.pipeline().llen(LOW[0]).rpush(LOW[1], "x").rpush(LOW[2], "y").set(HIGH[0], 1).set(HIGH[1], 2)
        replies = pipe.execute(raise_on_error=False)
        assert replies[0] == 7
        assert [type(reply) for reply in replies[1:3]] == [ConnectionError, ConnectionError]
        assert [reply.may_have_run for reply in replies[1:3]] == [True, True]
        assert replies[3:] == [True, True]
        assert [args[0] for args in first.commands] == [b"LLEN", b"RPUSH"], "nothing was sent again"


def test_reads_are_sent_again_and_writes_are_not() -> None:
    with two() as (client, first, _):
        lost = []

        def once(args: list[bytes]) -> bytes | None:
            lost.append(args)
            return None if len(lost) == 1 else b"$1\r\nv\r\n"

        first.answers[b"GET"] = once
        assert client.get(LOW[0]) == b"v"
        lost.clear()
        assert client.pipeline().get(LOW[0]).get(LOW[1]).execute() == [b"v", b"v"]
        first.answers[b"INCR"] = None
        with pytest.raises(ConnectionError) as caught:
            client.execute_command("INCR", LOW[0])
        assert caught.value.may_have_run is True
        assert sum(args[0] == b"INCR" for args in first.commands) == 1


def test_asks_in_one_write_and_follows_both_redirections() -> None:
    with two() as (client, first, second):
        ask = b"-ASK %d 127.0.0.1:%d\r\n" % (key_slot(LOW[0].encode()), second.port)
        first.answers[b"INCR"] = ask
        second.answers[b"INCR"] = b":1\r\n"
        assert client.execute_command("INCR", LOW[0]) == 1
        assert client.pipeline().execute_command("INCR", LOW[0]).set(HIGH[0], 1).execute() == [1, True]
        assert [args[0] for args in second.commands] == [b"ASKING", b"INCR", b"SET", b"ASKING", b"INCR"]
        assert client.get_node_from_key(LOW[0]) == client.get_node("127.0.0.1", first.port), "ASK is for one command"
        first.answers[b"INCR"] = ask.replace(b"ASK", b"MOVED")
        assert client.execute_command("INCR", LOW[0]) == 1
        assert client.get_node_from_key(LOW[0]) == client.get_node("127.0.0.1", second.port)
        assert client.get_node_from_key(LOW[1]) == client.get_node("127.0.0.1", first.port)


def test_observers_are_told() -> None:
    class Counting(Observer):
        def __init__(self) -> None:
            self.told: list[tuple[str, int] | str] = []

        def started(self, name: str, commands: int, options: dict[str, Any]) -> None:
            self.told.append((name, commands))

        def finished(self, token: Any, name: str, seconds: float, error: BaseException | None) -> None:
            self.told.append(f"{name}: {type(error).__name__}")

        def repeated(self, name: str, failures: int, error: Exception) -> None:
            self.told.append(f"{name} again: {type(error).__name__} {failures}")

    observer = Counting()
    with two() as (client, first, _):
        lost = iter([None, b"$1\r\nv\r\n", b"-ERR no\r\n", b"$1\r\nv\r\n"])
        first.answers[b"GET"] = lambda args: next(lost)
        add_observer(observer)
        try:
            assert client.get(LOW[0]) == b"v"
            with pytest.raises(ResponseError):
                client.get(LOW[0])
            client.pipeline().get(LOW[0]).set(HIGH[0], 1).execute()
        finally:
            remove_observer(observer)
    assert observer.told == [
        ("GET", 1),
        "GET again: ConnectionError 1",
        "GET: NoneType",
        ("GET", 1),
        "GET: ResponseError",
        ("PIPELINE", 2),
        "PIPELINE: NoneType",
    ]


def test_redirections_have_an_end() -> None:
    with two() as (client, first, second):
        slot = key_slot(LOW[0].encode())
        first.answers[b"GET"] = b"-MOVED %d 127.0.0.1:%d\r\n" % (slot, second.port)
        second.answers[b"GET"] = b"-MOVED %d 127.0.0.1:%d\r\n" % (slot, first.port)
        for get in (lambda: client.get(LOW[0]), client.pipeline().get(LOW[0]).execute):
            first.commands.clear()
            second.commands.clear()
            with pytest.raises(Exception, match="TTL exhausted: the command was redirected 16 times"):
                get()
            assert len(first.commands) + len(second.commands) == 17
        first.answers[b"LPOP"] = second.answers[b"LPOP"] = b"-WRONGTYPE x\r\n"
        with pytest.raises(ResponseError, match="WRONGTYPE"):
            client.lpop(LOW[0])


def test_a_pipeline_is_a_client_of_the_same_nodes() -> None:
    with two() as (client, one, other):
        for transaction in (False, True):
            pipe = client.pipeline(transaction)
            assert isinstance(pipe, RedisCluster)
            assert pipe.get_nodes() == client.get_nodes()
            assert pipe.keyslot("a") == key_slot(b"a")
            assert pipe.lock("name", timeout=1).name == "name"
            assert pipe.get("a") is pipe
            with pytest.raises(DataError, match="as its client does"):
                pipe.store(int, "n:")
            assert len(pipe) == 1
            pipe.close()
        assert client.ping(target_nodes=client.get_nodes()[0]) in (True, False)
        assert one.commands or other.commands


def test_what_was_written_before_another_thread_closed_the_connection_may_have_run() -> None:
    with two() as (client, first, second):

        def answer(args: list[bytes]) -> bytes:
            until = time.monotonic() + 20
            while not second.commands and time.monotonic() < until:
                time.sleep(0.001)
            node = client.nodes_manager.topology.nodes[f"127.0.0.1:{second.port}"]
            client.nodes_manager.pool(node).disconnect()
            return b":1\r\n"

        def silent(args: list[bytes]) -> bytes:
            return b""

        first.answers[b"INCRBY"], second.answers[b"INCRBY"] = answer, silent
        replies = client.pipeline().incr(LOW[0]).incr(HIGH[0]).execute(raise_on_error=False)
        assert replies[0] == 1
        assert isinstance(replies[1], ConnectionError)
        assert replies[1].may_have_run
        assert second.commands == [[b"INCRBY", HIGH[0].encode(), b"1"]]


@pytest.mark.parametrize("command", ["DEL", "MSET", "FLUSHALL"])
def test_a_command_of_several_nodes_may_have_run_if_one_of_them_has_run_its_part(command: str) -> None:
    with two() as (client, first, second):
        first.answers[b"DEL"] = b":1\r\n"
        second.gone = True
        words = {"DEL": [LOW[0], HIGH[0]], "MSET": [LOW[0], "1", HIGH[0], "1"], "FLUSHALL": []}
        with pytest.raises(ConnectionError) as caught:
            client.execute_command(command, *words[command])
        assert first.commands
        assert not second.commands
        assert caught.value.may_have_run
