"""What rq_worker.py's workers run."""

from __future__ import annotations

import os
import time


def double(number: int) -> int:
    return 2 * number


def fails(text: str) -> None:
    raise ValueError(text)


def sleeps(seconds: float) -> None:
    time.sleep(seconds)


def fails_until(path: str, times: int) -> int:
    """Fails so many times, counting in a file."""
    with open(path, "a+") as file:  # noqa: PTH123
        file.write("x")
        file.flush()
        file.seek(0)
        count = len(file.read())
    if count <= times:
        raise ValueError(f"time {count}")
    return count


def process_id() -> int:
    return os.getpid()
