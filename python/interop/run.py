"""Runs programs that import redis-py, unmodified, on samewire.redis: each with real packages, on a server of its own.

usage: run.py [--incumbent] [--only TEXT]...     --incumbent runs them on redis-py instead, which they must pass as well

It runs in the environment of requirements.txt (`make test-interop-python`). Programs get samewire.redis as users give it to
them, by `python -m samewire.redis`; they and the workers that they start find it by their PYTHONPATH. Besides, scripts of
`compared` run on both clients, and must print the same lines but for those of differences.py.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import json
import re
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from clusters import Cluster, Watched, cluster, watched
from differences import DIFFERENCES
from processes import HERE, ROOT, run

#: As many as make the cores of the smallest machine busy.
AT_ONCE = 2

#: Program and its arguments, the longest first.
PROGRAMS: tuple[tuple[str, ...], ...] = (
    ("celery_worker",),
    ("gevent_greenlets",),
    ("fastapi_web",),
    ("celery_worker", "prefix."),
    ("celery_worker", "password"),
    ("huey_consumer",),
    ("rq_worker",),
    ("dramatiq_worker",),
    ("arq_worker",),
    ("channels_layers",),
    ("taskiq_tasks",),
    ("redis_lock_locks",),
    ("cashews_cache",),
    ("apscheduler_jobs",),
    ("dogpile_regions",),
    ("pottery_containers",),
    ("walrus_containers",),
    ("redbeat_schedule",),
    ("redis_om_models",),
    ("flask_cache",),
    ("django_cache",),
    ("limits_storages",),
    ("opentelemetry_spans",),
    ("aiocache_caches",),
)
COMPARED = tuple(path.stem for path in sorted((HERE / "compared").glob("*.py")))


#: What scripts need besides a server of their own, shared by both clients.
SERVERS: dict[str, Callable[[], contextlib.AbstractContextManager[Any]]] = {
    "cluster_client": cluster,
    "sentinel_client": watched,
}


def addresses(servers: Cluster | Watched) -> dict[str, str]:
    """Where the servers are, as variables of the environment."""
    if isinstance(servers, Cluster):
        return {"CLUSTER": str(servers.masters[0].port)}
    return {"SENTINELS": " ".join([servers.service, *(str(port) for _, port in servers.addresses())])}


@dataclass(frozen=True)
class Outcome:
    """How many checks or lines were right; what was not, empty if everything was; what the program printed."""

    title: str
    right: int
    problem: str
    output: str
    seconds: float


def program(name: str, *arguments: str, incumbent: bool) -> Outcome:
    """Runs a program: it must say on which client it runs, and pass all its checks."""
    began = time.monotonic()
    ended = run(HERE / f"programs/{name}.py", *arguments, incumbent=incumbent)
    passed = re.findall(r"^passed \w+$", ended.output, re.MULTILINE)
    expected = f"redis is {'redis' if incumbent else 'samewire'} "
    problem = ""
    if f"\n{expected}" not in f"\n{ended.output}":
        problem = f"it did not say '{expected.strip()}'"
    elif ended.status or not passed:
        problem = f"exit status {ended.status}, {len(passed)} checks passed"
    return Outcome(" ".join([name, *arguments]), len(passed), problem, ended.output, time.monotonic() - began)


def compared(name: str) -> Outcome:
    """Runs a script on both clients: lines that differ must be in the list, and all of the list must differ."""
    began = time.monotonic()
    comparison, script = HERE / "side_by_side.py", str(HERE / f"compared/{name}.py")
    with SERVERS.get(name, contextlib.nullcontext)() as servers:
        variables = {} if servers is None else addresses(servers)
        theirs, ours = (run(comparison, script, incumbent=incumbent, **variables) for incumbent in (True, False))
    lines, others = theirs.output.splitlines(), ours.output.splitlines()
    surprises = []
    expected = set(DIFFERENCES.get(name, {}))
    for line in difflib.ndiff(lines, others):
        statement = re.split(r" -> | !! ", line[2:])[0]
        if line[0] in "+-" and statement in DIFFERENCES.get(name, {}):
            expected.discard(statement)
        elif line[0] in "+-":
            surprises.append(line)
    surprises += [f"no longer different: {statement}" for statement in sorted(expected)]
    if theirs.status or ours.status:
        surprises.append(f"exit status {theirs.status} on redis-py, {ours.status} on samewire.redis")
    same = len(set(lines) & set(others))
    problem = f"{len(surprises)} lines differ" if surprises else ""
    return Outcome(f"compared {name}", same, problem, "\n".join(surprises), time.monotonic() - began)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--incumbent", action="store_true")
    parser.add_argument("--only", action="append", metavar="TEXT", default=[])
    options = parser.parse_args()
    jobs: dict[str, Callable[[], Outcome]] = {
        " ".join(row): lambda row=row: program(*row, incumbent=options.incumbent)  # type: ignore[misc]
        for row in PROGRAMS
    }
    if not options.incumbent:
        jobs |= {f"compared {name}": lambda name=name: compared(name) for name in COMPARED}  # type: ignore[misc]
    wanted = [job for title, job in jobs.items() if not options.only or any(text in title for text in options.only)]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        outcomes = list(pool.map(lambda job: job(), wanted))
    for outcome in outcomes:
        if outcome.problem:
            print(f"\n== {outcome.title}: {outcome.problem}\n{outcome.output}")
    for outcome in outcomes:
        print(f"{'FAILED' if outcome.problem else 'passed'}  {outcome.title}: {outcome.right}, {outcome.seconds:.1f} s")
    right, failed = sum(outcome.right for outcome in outcomes), sum(bool(outcome.problem) for outcome in outcomes)
    on = "redis-py" if options.incumbent else "samewire.redis"
    print(f"programs on {on}: {right} checks and lines right, {failed} of {len(outcomes)} programs failed")
    if failed or not outcomes:
        return 1
    if not options.incumbent and not options.only:
        executed = ROOT / "build/executed"
        executed.mkdir(parents=True, exist_ok=True)
        (executed / "interop-python.json").write_text(json.dumps({"language": "interop", "vectors": {}, "tests": right}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
