"""APScheduler 3 on its Redis job store: triggers, changes, pauses, another scheduler that reads the jobs, a restart."""

from __future__ import annotations

import datetime
import logging
from typing import Any

from apscheduler.events import EVENT_JOB_ERROR, EVENT_JOB_EXECUTED, JobExecutionEvent
from apscheduler.jobstores.base import ConflictingIdError, JobLookupError
from apscheduler.jobstores.redis import RedisJobStore
from apscheduler.schedulers.background import BackgroundScheduler
from harness import URL, check, eventually, run
from restarts import restart, restartable
from scheduled_jobs import fails, noted, notes

HOST, PORT = URL.removeprefix("redis://").split("/")[0].split(":")
UTC = datetime.UTC
FUTURE = datetime.datetime(2100, 1, 1, tzinfo=UTC)


def scheduler(port: int = int(PORT), **options: Any) -> BackgroundScheduler:
    """A scheduler on the job store, which has not begun."""
    store = RedisJobStore(host=HOST, port=port, jobs_key="test.jobs", run_times_key="test.run_times")
    return BackgroundScheduler(
        {"apscheduler.jobstore_retry_interval": "0.1"},
        jobstores={"default": store},
        timezone=UTC,
        job_defaults={"misfire_grace_time": None},
        **options,
    )


@check
def runs_jobs() -> None:
    runs = scheduler()
    events: list[JobExecutionEvent] = []
    runs.add_listener(events.append, EVENT_JOB_EXECUTED | EVENT_JOB_ERROR)
    runs.start()
    try:
        runs.add_job(notes, args=["now"])
        runs.add_job(notes, "interval", seconds=0.05, args=["often"], id="often")
        runs.add_job(fails, id="fails")
        eventually(lambda: noted.count("often") >= 3 and "now" in noted and len(events) >= 5)
        runs.remove_job("often")
        assert any(event.exception for event in events)
        eventually(lambda: not runs.get_jobs())
    finally:
        runs.shutdown()


@check
def changes_jobs() -> None:
    changes = scheduler()
    changes.start(paused=True)
    try:
        changes.add_job(notes, "cron", hour=3, args=["a"], id="a", name="first")
        changes.add_job(notes, "date", run_date=FUTURE, args=["b"], id="b")
        changes.add_job(notes, "interval", hours=1, args=["c"], id="c")
        assert [job.id for job in sorted(changes.get_jobs(), key=lambda job: job.id)] == ["a", "b", "c"]
        try:
            changes.add_job(notes, "date", run_date=FUTURE, args=["b"], id="b")
        except ConflictingIdError:
            pass
        else:
            raise AssertionError("no ConflictingIdError")
        changes.modify_job("a", name="changed", args=["other"])
        changes.reschedule_job("c", trigger="date", run_date=FUTURE)
        assert changes.pause_job("a").next_run_time is None
        again = {"args": ["again"], "id": "b", "replace_existing": True}
        changes.add_job(notes, "date", run_date=FUTURE, **again)
    finally:
        changes.shutdown()
    reads = scheduler()
    reads.start(paused=True)
    try:
        job = reads.get_job("a")
        assert job is not None and (job.name, job.args, job.next_run_time) == ("changed", ["other"], None), job.args
        assert [reads.get_job(name).next_run_time for name in "bc"] == [FUTURE, FUTURE]
        assert reads.get_job("b").args == ("again",) and reads.get_jobs()[-1].id == "a"
        assert reads.resume_job("a").next_run_time.hour == 3
        reads.remove_job("b")
        try:
            reads.remove_job("b")
        except JobLookupError:
            pass
        else:
            raise AssertionError("no JobLookupError")
        reads.remove_all_jobs()
        assert reads.get_jobs() == []
    finally:
        reads.shutdown()


@check
def goes_on_after_a_restart() -> None:
    logging.getLogger("apscheduler").setLevel(logging.CRITICAL)
    with restartable() as server:
        lasts = scheduler(server.port)
        lasts.start()
        try:
            lasts.add_job(notes, "interval", seconds=0.1, args=["lasts"], id="lasts")
            eventually(lambda: noted.count("lasts"))
            restart(server)
            before = noted.count("lasts")
            eventually(lambda: noted.count("lasts") > before + 2)
            assert lasts.get_job("lasts") is not None
        finally:
            lasts.shutdown()


run()
