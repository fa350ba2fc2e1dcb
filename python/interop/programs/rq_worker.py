"""RQ: workers in processes of their own that fork for each job; dependencies, failures, retries, schedules, commands."""

from __future__ import annotations

import datetime
import os
import tempfile

import rq_jobs
from harness import URL, check, eventually, process, run
from redis import Redis
from rq import Queue, Retry, SimpleWorker, Worker
from rq.command import send_shutdown_command, send_stop_job_command
from rq.exceptions import NoSuchJobError
from rq.job import Job
from rq.registry import FailedJobRegistry, FinishedJobRegistry

connection = Redis.from_url(URL)
queue = Queue("default", connection=connection)


@check
def results() -> None:
    jobs = [queue.enqueue(rq_jobs.double, i) for i in range(10)]
    assert [eventually(job.latest_result).return_value for job in jobs] == [2 * i for i in range(10)]
    assert jobs[0].get_status() == "finished" and jobs[0].id in FinishedJobRegistry(queue=queue)
    other = queue.enqueue(rq_jobs.process_id)
    assert eventually(other.latest_result).return_value != os.getpid()


@check
def failures() -> None:
    job = queue.enqueue(rq_jobs.fails, "wrong")
    result = eventually(job.latest_result)
    assert result.type.name == "FAILED" and "ValueError: wrong" in result.exc_string
    registry = FailedJobRegistry(queue=queue)
    assert job.id in registry
    registry.remove(job.id, delete_job=True)
    try:
        Job.fetch(job.id, connection=connection)
    except NoSuchJobError:
        pass
    else:
        raise AssertionError("the job is still there")


@check
def retries() -> None:
    with tempfile.NamedTemporaryFile() as file:
        job = queue.enqueue(rq_jobs.fails_until, file.name, 2, retry=Retry(max=3))
        assert eventually(lambda: job.get_status() == "finished" and job.latest_result()).return_value == 3


@check
def dependencies() -> None:
    first = queue.enqueue(rq_jobs.sleeps, 0.2)
    second = queue.enqueue(rq_jobs.double, 21, depends_on=first)
    assert second.get_status() == "deferred"
    assert eventually(second.latest_result).return_value == 42


@check
def schedules() -> None:
    soon = queue.enqueue_in(datetime.timedelta(seconds=1), rq_jobs.double, 4)
    assert soon.id in queue.scheduled_job_registry
    assert eventually(soon.latest_result).return_value == 8


@check
def many_at_once() -> None:
    with connection.pipeline() as pipe:
        jobs = queue.enqueue_many([Queue.prepare_data(rq_jobs.double, (i,)) for i in range(5)], pipeline=pipe)
        pipe.execute()
    assert [eventually(job.latest_result).return_value for job in jobs] == [0, 2, 4, 6, 8]


@check
def cancelled_and_deleted() -> None:
    idle = Queue("idle", connection=connection)
    job = idle.enqueue(rq_jobs.double, 1)
    assert idle.count == 1 and idle.job_ids == [job.id]
    job.cancel()
    assert idle.count == 0 and job.get_status() == "canceled"
    job.delete()
    assert not Job.exists(job.id, connection=connection)


@check
def a_job_that_is_stopped() -> None:
    job = queue.enqueue(rq_jobs.sleeps, 60)
    eventually(lambda: job.get_status() == "started")
    send_stop_job_command(connection, job.id)
    eventually(lambda: job.get_status(refresh=True) == "stopped")


@check
def a_burst_in_this_process() -> None:
    burst = Queue("burst", connection=connection)
    job = burst.enqueue(rq_jobs.double, 5)
    assert SimpleWorker([burst], connection=connection).work(burst=True) and job.return_value() == 10


@check
def the_worker_goes_when_told() -> None:
    (worker,) = Worker.all(connection=connection)
    assert worker.successful_job_count > 10 and worker.failed_job_count >= 1
    send_shutdown_command(connection, worker.name)
    eventually(lambda: Worker.all(connection=connection) == [])


with process("-m", "rq.cli", "worker", "--url", URL, "--with-scheduler", "--quiet", "default"):
    eventually(lambda: Worker.all(connection=connection), 120)
    run()
