"""python-redis-lock: waiting, expiry, renewal, foreign locks, Django's cache, processes that die, a restart."""

from __future__ import annotations

import threading
import time
from typing import Any

import redis
import redis_lock
from django.conf import settings
from harness import URL, check, eventually, process, run
from restarts import restart, restartable

settings.configure(CACHES={"default": {"BACKEND": "redis_lock.django_cache.RedisCache", "LOCATION": URL}})

client = redis.StrictRedis.from_url(URL)


def raises(kind: type[Exception], call: Any) -> None:
    try:
        call()
    except kind:
        return
    raise AssertionError(f"no {kind.__name__}")


@check
def taken_and_given_back() -> None:
    lock, other = redis_lock.Lock(client, "name", expire=60), redis_lock.Lock(client, "name", expire=60)
    assert lock.acquire() and lock.locked() and not other.acquire(blocking=False)
    raises(redis_lock.AlreadyAcquired, lock.acquire)
    raises(redis_lock.NotAcquired, other.release)
    raises(redis_lock.NotAcquired, other.extend)
    assert lock.get_owner_id() == lock.id and 50 < client.ttl("lock:name") <= 60
    lock.extend(100)
    assert client.ttl("lock:name") > 90
    assert not other.acquire(timeout=1)
    redis_lock.Lock(client, "name", id=lock.id).release()
    with other:
        assert lock.locked()
    assert not lock.locked()


@check
def waits() -> None:
    order: list[str] = []

    def second() -> None:
        with redis_lock.Lock(redis.StrictRedis.from_url(URL), "turns"):
            order.append("second")

    with redis_lock.Lock(client, "turns"):
        thread = threading.Thread(target=second)
        thread.start()
        eventually(lambda: client.info("clients")["blocked_clients"] == 1)
        order.append("first")
    thread.join(30)
    assert order == ["first", "second"]


@check
def renewed() -> None:
    lock = redis_lock.Lock(client, "renewed", expire=6, auto_renewal=True)
    with lock:
        # Renewed after two thirds of its time.
        time.sleep(4)
        eventually(lambda: client.pttl("lock:renewed") > 3_000)
        assert lock.get_owner_id() == lock.id
    assert not lock.locked()


@check
def decoded() -> None:
    text = redis.StrictRedis.from_url(URL, decode_responses=True)
    with redis_lock.Lock(text, "text", expire=10) as lock:
        assert lock.get_owner_id() == lock.id
    redis_lock.Lock(client, "left", expire=100).acquire()
    redis_lock.Lock(text, "also").acquire()
    redis_lock.reset_all(client)
    assert client.keys("lock:*") == []


@check
def freed_when_a_process_dies() -> None:
    script = (
        "import sys, time, redis, redis_lock\n"
        "redis_lock.Lock(redis.StrictRedis.from_url(sys.argv[1]), 'dies', expire=5).acquire()\n"
        "time.sleep(60)"
    )
    with process("-c", script, URL):
        eventually(lambda: client.exists("lock:dies"))
    waits = redis_lock.Lock(client, "dies", expire=60)
    assert waits.acquire(timeout=30)
    waits.release()


@check
def in_django() -> None:
    from django.core.cache import cache

    with cache.lock("locked", expire=60):
        assert client.keys("lock:*locked*")
    assert cache.get_or_set("value", lambda: 5) == 5 == cache.get("value")
    cache.reset_all()


@check
def after_a_restart() -> None:
    with restartable() as server:
        own = redis.StrictRedis(port=server.port)
        lock = redis_lock.Lock(own, "kept", expire=100)
        assert lock.acquire()
        restart(server)
        # The server has forgotten the scripts.
        assert lock.get_owner_id() == lock.id
        lock.release()
        restart(server)
        with lock:
            assert not redis_lock.Lock(own, "kept").acquire(blocking=False)


run()
