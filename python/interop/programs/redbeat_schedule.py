"""celery-redbeat: entries that are stored, read again, due, locked and deleted."""

from __future__ import annotations

import datetime

import redis
from celery import Celery
from celery.schedules import schedule
from harness import URL, check, run
from redbeat import RedBeatScheduler, RedBeatSchedulerEntry
from redbeat.schedulers import get_redis

app = Celery("programs", broker=URL)
app.conf.update(
    redbeat_redis_url=URL, redbeat_key_prefix="rb:", redbeat_lock_timeout=30, redbeat_redis_options={"socket_timeout": 5}
)


@check
def stored_and_read() -> None:
    entry = RedBeatSchedulerEntry("every", "tasks.add", schedule(10), args=[1, 2], app=app)
    entry.save()
    again = RedBeatSchedulerEntry.from_key(entry.key, app=app)
    assert again.task == "tasks.add" and again.args == [1, 2] and again.schedule == schedule(10)
    again.reschedule(datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC))
    assert get_redis(app).zscore("rb::schedule", entry.key) is not None


@check
def due_entries_are_sent() -> None:
    sent = []
    scheduler = RedBeatScheduler(app, lazy=True)
    scheduler.apply_async = lambda entry, **options: sent.append(entry.name)
    scheduler.lock = get_redis(app).lock(app.redbeat_conf.lock_key, timeout=30)
    assert scheduler.lock.acquire(blocking=False)
    scheduler.tick()
    assert sent == ["every"], sent
    scheduler.lock.release()
    second = redis.from_url(URL).lock(app.redbeat_conf.lock_key, timeout=30)
    assert second.acquire(blocking=False)


@check
def deleted() -> None:
    entry = RedBeatSchedulerEntry.from_key("rb:every", app=app)
    entry.delete()
    try:
        RedBeatSchedulerEntry.from_key("rb:every", app=app)
    except KeyError:
        pass
    else:
        raise AssertionError("no KeyError")


run()
