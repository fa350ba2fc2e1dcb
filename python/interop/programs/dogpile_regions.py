"""dogpile.cache on its Redis back end: regions, decorators, distributed locks, asynchronous creation, a restart."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import redis
from dogpile.cache import make_region
from dogpile.cache.api import NO_VALUE
from dogpile.cache.region import CacheRegion
from harness import URL, check, run
from redis.backoff import NoBackoff
from redis.retry import Retry
from restarts import restart, restartable


def region(prefix: str, address: str = URL, **arguments: Any) -> CacheRegion:
    """A region whose keys begin with a prefix."""
    expires = arguments.pop("expires", None)
    runner = arguments.pop("runner", None)
    made = make_region(key_mangler=lambda key: f"{prefix}:{key}", async_creation_runner=runner)
    return made.configure("dogpile.cache.redis", expiration_time=expires, arguments={"url": address} | arguments)


@check
def values() -> None:
    values = region("values", redis_expiration_time=60)
    values.set("one", {"a": (1, 2)})
    assert values.get("one") == {"a": (1, 2)} and values.get("absent") is NO_VALUE
    values.set_multi({"x": 1, "y": b"\x00\xff", "z": None})
    assert values.get_multi(["x", "absent", "y", "z"]) == [1, NO_VALUE, b"\x00\xff", None]
    assert redis.from_url(URL).ttl("values:x") in range(30, 61)
    values.delete("x")
    values.delete_multi(["y", "absent"])
    assert values.get_multi(["x", "y"]) == [NO_VALUE, NO_VALUE]
    assert values.get_or_create("made", lambda: 5) == 5 == values.get("made")
    made = values.get_or_create_multi(["made", "six"], lambda *keys: [6 for _ in keys])
    assert made == [5, 6]
    values.invalidate()
    assert values.get("made") is NO_VALUE and values.get("made", ignore_expiration=True) == 5


@check
def decorators() -> None:
    calls: list[Any] = []
    cached = region("decorated")

    @cached.cache_on_arguments(namespace="n")
    def double(number: int) -> int:
        calls.append(number)
        return 2 * number

    assert double(1) == double(1) == 2 and calls == [1]
    double.set(10, 1)
    assert double(1) == 10 == double.get(1)
    double.invalidate(1)
    assert double(1) == 2 and double.refresh(1) == 2 and calls == [1, 1, 1]

    @cached.cache_multi_on_arguments(namespace="m")
    def doubles(*numbers: int) -> list[int]:
        calls.append(numbers)
        return [2 * number for number in numbers]

    assert doubles(1, 2) == [2, 4] and doubles(1, 2, 3) == [2, 4, 6] and calls[3:] == [(1, 2), (3,)]


@check
def one_creates_and_the_others_wait() -> None:
    regions = [region("locked", distributed_lock=True, lock_timeout=30, lock_sleep=0.02) for _ in range(8)]
    together, calls = threading.Barrier(8), []

    def creates() -> int:
        calls.append(1)
        time.sleep(0.1)
        return 7

    def asks(one: CacheRegion) -> Any:
        together.wait()
        return one.get_or_create("key", creates)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(asks, regions)) == [7] * 8
    assert calls == [1]
    assert redis.from_url(URL).keys("_lock*") == []


@check
def mutexes() -> None:
    locked = region("mutex", distributed_lock=True, lock_timeout=30, lock_prefix="lok.")
    one, other = (locked.backend.get_mutex("key") for _ in range(2))
    assert one.acquire() and one.locked() and not other.acquire(wait=False)
    assert redis.from_url(URL).pttl("lok.key") > 20_000
    try:
        other.release()
    except redis.exceptions.LockError:
        pass
    else:
        raise AssertionError("no LockError")
    one.release()
    assert other.acquire(False) and not one.acquire(False)
    other.release()


@check
def created_behind_the_caller() -> None:
    pool, ended = ThreadPoolExecutor(1), threading.Event()

    def runner(cache: CacheRegion, key: str, creator: Any, mutex: Any) -> None:
        def creates() -> None:
            try:
                cache.set(key, creator())
            finally:
                mutex.release()
                ended.set()

        pool.submit(creates)

    stale = region("stale", distributed_lock=True, thread_local_lock=False, expires=0.1, runner=runner)
    numbers = iter(range(10))
    assert stale.get_or_create("key", lambda: next(numbers)) == 0
    time.sleep(0.15)
    assert stale.get_or_create("key", lambda: next(numbers)) == 0
    assert ended.wait(30) and stale.get("key", ignore_expiration=True) == 1
    pool.shutdown()


@check
def after_a_restart() -> None:
    with restartable() as server:
        address = f"redis://127.0.0.1:{server.port}/0"
        kept = region("kept", address, distributed_lock=True)
        pool = redis.ConnectionPool.from_url(address)
        other = make_region().configure("dogpile.cache.redis", arguments={"connection_pool": pool})
        kept.set("key", 1)
        other.set("key", 2)
        restart(server)
        assert kept.get("key") == 1 and other.get("key") == 2
        restart(server)
        assert kept.get_or_create("new", lambda: 3) == 3
        server.stop()
        once = {"retry": Retry(NoBackoff(), 0)}
        try:
            region("gone", address, connection_kwargs=once).get("key")
        except redis.ConnectionError:
            pass
        else:
            raise AssertionError("no ConnectionError")
        server.start()
        assert kept.get("new") == 3


run()
