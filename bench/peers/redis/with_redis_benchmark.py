"""redis-benchmark: the server's own generator of load, one connection, a thousand commands at a time."""

from __future__ import annotations

import csv
import re
import resource
import subprocess

from bench.peers.redis import program
from bench.peers.redis.peer import PIPELINES, Row, Task, Window, WrongReply
from bench.peers.redis.server import HOST, Server

AT_ONCE = 1_000
LEAST = 100_000
"""It counts whole milliseconds, and tells an infinite rate where a window ends within the first one."""


def _version() -> str:
    if program.found("redis-benchmark"):
        return ""
    said = subprocess.run(["redis-benchmark", "--version"], capture_output=True, text=True, check=False).stdout
    return "".join(re.findall(r"\d+\.\d+\.\d+", said)[:1])


def start(workload: str, server: Server) -> Task:
    """Its CPU time is that of the whole process, which is long beside its start."""
    fixed = ["redis-benchmark", "-h", HOST, "-p", str(server.port), "-c", "1", "-P", str(AT_ONCE), "--csv", "-n"]

    def window(count: int) -> Window:
        count = max(count, LEAST)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([*fixed, str(count), "SET", "newkey", "abc"], capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        lines = list(csv.reader(done.stdout.splitlines()))
        if done.returncode or not lines:
            raise WrongReply((done.stderr or done.stdout)[-300:])
        cpu = (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)
        return Window(cpu * 1e9 / count, 1e9 / float(lines[-1][1]))

    return Task(window, lambda: None)


ROWS = {
    "redis-benchmark": Row(_version(), "limit", "whether a reply is an error", PIPELINES, start, program.found("redis-benchmark"))
}
