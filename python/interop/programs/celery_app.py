"""The application that celery_worker.py's worker runs."""

from __future__ import annotations

import os
import time
from typing import Any

from celery import Celery

URL = os.environ["REDIS_URL"]
PREFIX = os.environ.get("KEY_PREFIX", "")

app = Celery("programs", broker=URL, backend=URL)
app.conf.update(
    broker_connection_retry_on_startup=True,
    broker_transport_options={"global_keyprefix": PREFIX, "polling_interval": 0.1} if PREFIX else {"polling_interval": 0.1},
    result_backend_transport_options={"global_keyprefix": PREFIX} if PREFIX else {},
    task_track_started=True,
    worker_send_task_events=True,
    task_default_retry_delay=0,
)


@app.task
def add(a: int, b: int) -> int:
    return a + b


@app.task
def total(numbers: list[int]) -> int:
    return sum(numbers)


@app.task
def fails(text: str) -> None:
    raise ValueError(text)


@app.task(bind=True, max_retries=3)
def third_time(self: Any) -> int:
    if self.request.retries < 2:
        raise self.retry(countdown=0)
    return int(self.request.retries)


@app.task
def sleeps(seconds: float) -> str:
    time.sleep(seconds)
    return "slept"


@app.task(bind=True)
def progress(self: Any) -> str:
    self.update_state(state="PROGRESS", meta={"done": 1})
    time.sleep(0.3)
    return "done"
