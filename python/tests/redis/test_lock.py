"""Locks, scripts and MONITOR on a real server: those of the blocking client, and of the asyncio client where no threads are."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from collections.abc import Iterator
from typing import Any

import pytest
from driven import client_of
from samewire.redis.client import Client
from samewire.redis.exceptions import ConnectionError, LockError, LockNotOwnedError, NoPermissionError
from samewire.redis.pubsub.monitor import command


@pytest.fixture
def client(port: int) -> Iterator[Client[bytes]]:
    with Client[bytes](port=port) as made:
        made.execute_command("FLUSHALL")
        yield made


def test_one_holds_a_lock_at_a_time(either: Any) -> None:
    first, second = either.lock("name"), either.lock("name", blocking_timeout=0.1, sleep=0.02)
    assert first.acquire(blocking=False)
    assert first.owned()
    assert not second.acquire()
    assert not second.owned()
    assert second.locked()
    with pytest.raises(LockError, match="was not acquired"), second:
        pass
    first.release()
    with second:
        assert second.owned()
    assert not first.locked()


def test_a_lock_that_is_not_held_cannot_be_released(either: Any) -> None:
    lock = either.lock("name", timeout=10)
    with pytest.raises(LockError, match="not held"):
        lock.release()
    lock.acquire()
    either.set("name", "somebody else")
    with pytest.raises(LockNotOwnedError) as caught:
        lock.release()
    assert caught.value.lock_name == "name"
    assert either.get("name") == b"somebody else"


def test_a_release_that_lost_its_connection_can_be_repeated(either: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    lock = either.lock("name", timeout=10)
    lock.acquire()
    with monkeypatch.context() as patch:
        patch.setattr(getattr(lock, "_made", lock), "lua_release", broken)
        with pytest.raises(ConnectionError):
            lock.release()
    assert lock.owned()
    lock.release()
    assert not lock.locked()


def broken(**_: object) -> None:
    raise ConnectionError("lost")


def test_a_lock_does_not_keep_the_client_of_another(port: int) -> None:
    client = Client[bytes](port=port)
    lock = client.lock("name")
    dropped = weakref.ref(client)
    del client, lock
    gc.collect()
    assert dropped() is None


def test_a_lock_ends_after_its_time(either: Any) -> None:
    with pytest.raises(LockNotOwnedError), either.lock("name", timeout=0.05):
        time.sleep(0.1)
    with either.lock("name", timeout=0.05, raise_on_release_error=False):
        time.sleep(0.1)


def test_a_lock_is_extended(either: Any) -> None:
    lock = either.lock("name", timeout=10)
    with pytest.raises(LockError, match="not held"):
        lock.extend(1)
    lock.acquire()
    lock.extend(10)
    assert 15_000 < either.execute_command("PTTL", "name") <= 20_000
    lock.extend(5, replace_ttl=True)
    assert either.execute_command("PTTL", "name") <= 5_000
    lock.reacquire()
    assert 5_000 < either.execute_command("PTTL", "name") <= 10_000
    either.execute_command("DEL", "name")
    with pytest.raises(LockNotOwnedError):
        lock.extend(1)
    with pytest.raises(LockNotOwnedError):
        lock.reacquire()
    endless = either.lock("endless")
    endless.acquire(token="mine")
    assert either.get("endless") == b"mine"
    with pytest.raises(LockError, match="no timeout"):
        endless.extend(1)


def test_a_token_is_its_threads_own_unless_it_is_shared(client: Client[bytes]) -> None:
    for thread_local, owned in ((True, False), (False, True)):
        lock = client.lock(f"name{thread_local}", thread_local=thread_local)
        lock.acquire()
        seen: list[bool] = []
        thread = threading.Thread(target=lambda lock=lock, seen=seen: seen.append(lock.owned()))
        thread.start()
        thread.join()
        assert seen == [owned]


def test_threads_exclude_each_other(client: Client[bytes]) -> None:
    inside = 0
    most = 0

    def work() -> None:
        nonlocal inside, most
        for _ in range(5):
            with client.lock("busy", sleep=0.005):
                inside += 1
                most = max(most, inside)
                time.sleep(0.001)
                inside -= 1

    threads = [threading.Thread(target=work) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1


def test_scripts_are_loaded_where_they_are_unknown(either: Any) -> None:
    script = either.register_script("return {KEYS[1], ARGV[1], redis.call('get', KEYS[1])}")
    either.set("key", "value")
    for _ in range(2):
        assert script(keys=["key"], args=[7]) == [b"key", b"7", b"value"]
    either.execute_command("SCRIPT FLUSH")
    assert script(["key"], ["x"]) == [b"key", b"x", b"value"]
    assert either.decoding(True).register_script("return 'text'")() == "text"


def test_monitor_sees_other_clients_commands(client: Client[bytes]) -> None:
    monitor = client.monitor()
    client.get("key")
    with monitor:
        client.set("key", 'say "hello" there')
        seen = monitor.next_command()
        assert seen["command"] == 'SET key say "hello" there'
        assert (seen["db"], seen["client_type"], seen["client_address"]) == (0, "tcp", "127.0.0.1")
        client.execute_command("EVAL", "redis.call('get', 'key')", 0)
        kinds = [next(monitor.listen())["client_type"] for _ in range(2)]
        assert kinds == ["tcp", "lua"]
    assert command('1.5 [3 unix:/tmp/socket] "PING"') == {
        "time": 1.5,
        "db": 3,
        "client_address": "unix",
        "client_port": "/tmp/socket",
        "client_type": "unix",
        "command": "PING",
    }


def test_a_monitor_that_is_refused_gives_its_connection_back(either: Any, kind: str, port: int) -> None:
    either.execute_command("ACL SETUSER", "watcher", "on", ">secret", "~*", "+@all", "-monitor")
    with client_of(kind, port, username="watcher", password="secret", max_connections=1) as watcher:
        for _ in range(2):
            with pytest.raises(NoPermissionError), watcher.monitor():
                pass
        assert not watcher.connection_pool._in_use_connections


def test_a_script_runs_at_once_in_a_pipeline_that_watches(either: Any) -> None:
    script = either.register_script("return redis.call('get', KEYS[1])")
    either.set("key", "value")
    pipe = either.pipeline()
    pipe.watch("key")
    # Driven, the pipeline is not what the script is to be called with.
    assert script(keys=["key"], client=getattr(pipe, "_made", pipe)) == b"value"
    pipe.reset()
