"""huey: a consumer in threads on the Redis storages."""

from __future__ import annotations

import time

from harness import URL, check, eventually, run
from huey import PriorityRedisHuey, RedisHuey, crontab
from huey.exceptions import TaskException

huey = RedisHuey("programs", url=URL)
priorities = PriorityRedisHuey("priorities", url=URL)
tries: list[float] = []
order: list[int] = []


@huey.task()
def add(a: int, b: int) -> int:
    return a + b


@huey.task(retries=2)
def third_time() -> int:
    tries.append(time.monotonic())
    if len(tries) < 3:
        raise ValueError("not yet")
    return len(tries)


@huey.task()
def fails() -> None:
    raise ValueError("wrong")


@huey.periodic_task(crontab(minute="*"))
def every_minute() -> None:
    pass


@priorities.task()
def note(number: int) -> None:
    order.append(number)


@check
def results() -> None:
    assert [add(i, i)(blocking=True, timeout=10) for i in range(10)] == [2 * i for i in range(10)]


@check
def failures_and_retries() -> None:
    result = fails()
    try:
        result(blocking=True, timeout=10)
    except TaskException as error:
        assert "wrong" in str(error)
    else:
        raise AssertionError("no TaskException")
    third_time()
    eventually(lambda: len(tries) >= 3)


@check
def schedules() -> None:
    result = add.schedule((2, 2), delay=1)
    assert huey.scheduled_count() >= 0
    assert result(blocking=True, timeout=10) == 4


@check
def revoked() -> None:
    result = add.schedule((1, 1), delay=60)
    result.revoke()
    assert result.is_revoked()


@check
def locks_and_results_that_stay() -> None:
    with huey.lock_task("lock"):
        assert huey.is_locked("lock")
    assert not huey.is_locked("lock")
    huey.put("kept", {"a": 1})
    assert huey.get("kept", peek=True) == {"a": 1} == huey.get("kept") and huey.get("kept") is None


@check
def by_priority() -> None:
    for number in (1, 3, 2):
        note.s(number)
        priorities.enqueue(note.s(number, priority=number))
    while (task := priorities.dequeue()) is not None:
        priorities.execute(task)
    assert order == [3, 2, 1], order


consumer = huey.create_consumer(workers=2, periodic=True, initial_delay=0.02, max_delay=0.1, scheduler_interval=1)
consumer.start()
try:
    run()
finally:
    consumer.stop(graceful=True)
