"""dramatiq: broker, results and rate limits on Redis, with a worker in threads."""

from __future__ import annotations

import dramatiq
from dramatiq.brokers.redis import RedisBroker
from dramatiq.rate_limits import ConcurrentRateLimiter, WindowRateLimiter
from dramatiq.rate_limits.backends import RedisBackend as LimitBackend
from dramatiq.results import ResultFailure, Results
from dramatiq.results.backends import RedisBackend
from harness import URL, check, eventually, run

broker = RedisBroker(url=URL)
broker.add_middleware(Results(backend=RedisBackend(url=URL)))
dramatiq.set_broker(broker)
tries: list[int] = []


@dramatiq.actor(store_results=True)
def add(a: int, b: int) -> int:
    return a + b


@dramatiq.actor(max_retries=5, min_backoff=10, max_backoff=20)
def third_time() -> None:
    tries.append(len(tries))
    if len(tries) < 3:
        raise ValueError("not yet")


@dramatiq.actor(store_results=True, max_retries=0)
def fails() -> None:
    raise ValueError("wrong")


@check
def results() -> None:
    messages = [add.send(i, i) for i in range(20)]
    assert [message.get_result(block=True, timeout=10_000) for message in messages] == [2 * i for i in range(20)]


@check
def failures_and_retries() -> None:
    try:
        fails.send().get_result(block=True, timeout=10_000)
    except ResultFailure as error:
        assert "wrong" in str(error)
    else:
        raise AssertionError("no ResultFailure")
    third_time.send()
    eventually(lambda: len(tries) == 3)


@check
def groups_and_pipelines() -> None:
    assert list(dramatiq.group([add.message(i, 1) for i in range(5)]).run().get_results(block=True, timeout=10_000)) == [
        1,
        2,
        3,
        4,
        5,
    ]
    pipe = add.message(1, 2) | add.message(3)
    assert pipe.run().get_result(block=True, timeout=10_000) == 6


@check
def delayed() -> None:
    assert add.send_with_options(args=(1, 1), delay=100).get_result(block=True, timeout=10_000) == 2


@check
def rate_limits() -> None:
    backend = LimitBackend(url=URL)
    mutex = ConcurrentRateLimiter(backend, "mutex", limit=1)
    with mutex.acquire() as first, mutex.acquire(raise_on_failure=False) as second:
        assert first is True and second is False
    window = WindowRateLimiter(backend, "window", limit=2, window=30)
    taken = []
    for _ in range(3):
        with window.acquire(raise_on_failure=False) as acquired:
            taken.append(acquired)
    assert taken == [True, True, False]


@check
def flush() -> None:
    add.send_with_options(args=(1, 1), delay=60_000)
    broker.flush_all()
    broker.join("default", timeout=5_000)


worker = dramatiq.Worker(broker, worker_timeout=100, worker_threads=4)
worker.start()
try:
    run()
finally:
    worker.stop()
