"""redis-rs: blocking, and asynchronous on one connection that multiplexes calls; `bench/peers/rust-redis`."""

from __future__ import annotations

import functools
import tomllib
from pathlib import Path

from bench.peers.redis import program
from bench.peers.redis.peer import CALLERS, CALLS, PIPELINES, UNIX, Row

LOCK = Path(__file__).resolve().parents[1] / "rust-redis" / "Cargo.lock"


def _version() -> str:
    packages = tomllib.loads(LOCK.read_text("utf-8"))["package"]
    return str(next(package["version"] for package in packages if package["name"] == "redis"))


ROWS = {
    "redis-rs": Row(
        _version(),
        "client",
        "every reply, by its type",
        (*CALLS, *UNIX, *PIPELINES, CALLERS),
        functools.partial(program.task, "redis-rs"),
        program.missing("redis-rs"),
    )
}
