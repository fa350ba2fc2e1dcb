"""gevent: what waits for the server lets other greenlets run; a Celery worker with a pool of greenlets."""

from __future__ import annotations

from gevent import monkey

monkey.patch_all()

import os  # noqa: E402
import time  # noqa: E402

os.environ["KEY_PREFIX"] = ""

import gevent  # noqa: E402
import redis  # noqa: E402
from gevent.pool import Pool  # noqa: E402
from harness import URL, check, eventually, process, run  # noqa: E402
from redis.backoff import NoBackoff  # noqa: E402
from redis.retry import Retry  # noqa: E402


@check
def a_blocking_pop_lets_others_run() -> None:
    client = redis.Redis.from_url(URL)
    waiting = gevent.spawn(client.blpop, "queue", timeout=5)
    began = time.monotonic()
    gevent.sleep(0.05)
    client.rpush("queue", "value")
    assert waiting.get(timeout=2) == (b"queue", b"value")
    assert time.monotonic() - began < 1


@check
def a_subscriber_lets_others_run() -> None:
    client = redis.Redis.from_url(URL, decode_responses=True)

    def listen() -> list[str]:
        seen: list[str] = []
        with client.pubsub(ignore_subscribe_messages=True) as pubsub:
            pubsub.subscribe("news")
            for message in pubsub.listen():
                seen.append(message["data"])
                if len(seen) == 3:
                    return seen
        return seen

    listener = gevent.spawn(listen)
    gevent.sleep(0.05)
    for number in range(3):
        assert client.publish("news", f"{number}") == 1
        gevent.sleep(0)
    assert listener.get(timeout=2) == ["0", "1", "2"]


@check
def many_greenlets_wait_at_once() -> None:
    client = redis.Redis(connection_pool=redis.BlockingConnectionPool.from_url(URL, max_connections=20, timeout=5))
    began = time.monotonic()
    replies = Pool(20).map(lambda number: client.blpop(f"none{number}", timeout=0.3), range(20))
    assert replies == [None] * 20 and time.monotonic() - began < 2
    assert Pool(100).map(lambda number: client.set(f"key:{number}", number) and client.get(f"key:{number}"), range(200)) == [
        str(number).encode() for number in range(200)
    ]
    with client.pipeline() as pipe:
        for number in range(10_000):
            pipe.set(f"p:{number}", "x" * 100)
        assert len(pipe.execute()) == 10_000


@check
def time_outs_end_what_waits() -> None:
    client = redis.Redis.from_url(URL, socket_timeout=0.1, retry=Retry(NoBackoff(), 0))
    client.ping()
    redis.Redis.from_url(URL).client_pause(500)
    try:
        client.get("key")
    except redis.TimeoutError:
        pass
    else:
        raise AssertionError("no TimeoutError")
    gevent.sleep(0.5)
    with gevent.Timeout(0.2, False):
        redis.Redis.from_url(URL, socket_timeout=None).blpop("none", timeout=0)
    assert client.ping()


@check
def a_celery_worker_of_greenlets() -> None:
    from celery_app import add, app, sleeps

    with process("-m", "celery", "-A", "celery_app", "worker", "-P", "gevent", "-c", "20", KEY_PREFIX=""):
        eventually(lambda: app.control.ping(timeout=0.3), 120)
        began = time.monotonic()
        results = [sleeps.delay(0.5) for _ in range(10)]
        assert [result.get(timeout=10) for result in results] == ["slept"] * 10
        assert time.monotonic() - began < 4
        assert add.delay(1, 2).get(timeout=10) == 3


run()
