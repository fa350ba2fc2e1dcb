"""What the programs share: checks that print a line each, and processes that end with the program.

A program registers checks with `@check` and ends with `run()`. Each check prints `passed NAME` or `FAILED NAME` with the
traceback; the exit status says whether all passed. The server's address is in the environment (`REDIS_URL`).
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import os
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

URL = os.environ.get("REDIS_URL", "redis://127.0.0.1:6379/0")

_CHECKS: list[tuple[str, Callable[[], Any]]] = []


def check(function: Callable[[], Any]) -> Callable[[], Any]:
    """Registers a function without arguments, plain or `async`: it passes if it returns."""
    _CHECKS.append((function.__name__, function))
    return function


def url(database: int) -> str:
    """The server's URL with another database."""
    return f"{URL.rsplit('/', 1)[0]}/{database}"


def eventually(condition: Callable[[], Any], seconds: float = 30.0) -> Any:
    """Returns the first true value of a condition. Raises AssertionError if there is none in time."""
    end = time.monotonic() + seconds
    while True:
        if value := condition():
            return value
        assert time.monotonic() < end, f"not within {seconds} s: {inspect.getsource(condition).strip()}"
        time.sleep(0.02)


@contextlib.contextmanager
def process(*command: str, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """Runs a Python module or script (the interpreter's arguments) beside the program; prints its output if a check failed."""
    with tempfile.TemporaryFile() as output:
        arguments = [sys.executable, *command]
        path = os.pathsep.join([str(Path(sys.argv[0]).parent), os.environ.get("PYTHONPATH", "")])
        environment = {**os.environ, "PYTHONPATH": path, **environment}
        child = subprocess.Popen(arguments, env=environment, stdout=output, stderr=subprocess.STDOUT)
        try:
            yield child
        except BaseException as ended:
            if isinstance(ended, SystemExit) and not ended.code:
                raise
            output.seek(0)
            print(f"--- {' '.join(command)}:\n{output.read().decode(errors='replace')[-6000:]}\n---")
            raise
        finally:
            child.terminate()
            try:
                child.wait(10)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()


def run() -> None:
    """Runs the checks in order and exits."""
    import redis

    print(f"redis is {redis.Redis.__module__.partition('.')[0]} {redis.__version__}")
    failed = 0
    for name, function in _CHECKS:
        try:
            result = function()
            if inspect.iscoroutine(result):
                asyncio.run(result)
        except Exception:
            failed += 1
            print(f"FAILED {name}\n{traceback.format_exc()}", flush=True)
        else:
            print(f"passed {name}", flush=True)
    sys.stdout.flush()
    sys.exit(1 if failed else 0)
