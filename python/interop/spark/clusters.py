"""Clusters of this machine that a program can run on: threads, local-cluster, and a standalone master with two workers."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import sides

KINDS = ("local[2]", "local-cluster[2,1,1024]", "standalone")
_DEPLOY = "org.apache.spark.deploy"


@contextlib.contextmanager
def cluster(kind: str, spark: str, folder: Path) -> Iterator[str]:
    """A cluster's URL. Its processes end with the block."""
    if kind != "standalone":
        yield kind
        return
    port = _free_port()
    url = f"spark://127.0.0.1:{port}"
    with contextlib.ExitStack() as processes:
        master = ["--host", "127.0.0.1", "--port", str(port), "--webui-port", "0"]
        processes.enter_context(_process(spark, folder, "master", f"{_DEPLOY}.master.Master", *master))
        _wait_for(port)
        for number in (1, 2):
            worker = ["--host", "127.0.0.1", "--cores", "1", "--memory", "1g", "--webui-port", "0"]
            worker += ["--work-dir", str(folder / f"work{number}"), url]
            processes.enter_context(_process(spark, folder, f"worker{number}", f"{_DEPLOY}.worker.Worker", *worker))
        yield url


@contextlib.contextmanager
def _process(spark: str, folder: Path, name: str, main: str, *arguments: str) -> Iterator[None]:
    """A process of the cluster, from the jars of PySpark's package: the package has no scripts for it."""
    home = sides.home_of(spark)
    java = Path(os.environ["JAVA_HOME"], "bin/java") if "JAVA_HOME" in os.environ else "java"
    opens = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in ("java.nio", "sun.nio.ch", "java.lang", "java.util")]
    command = [str(java), *opens, "-Xmx256m", "-cp", f"{home}/jars/*", main, *arguments]
    # What Spark's scripts tell; without it a worker looks for a build of Spark's.
    (core,) = home.glob("jars/spark-core_*.jar")
    environment = sides.variables("py4j", spark) | {"SPARK_SCALA_VERSION": core.name.split("_")[1].split("-")[0]}
    with (folder / f"{name}.log").open("w") as log:
        running = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
    try:
        yield
    finally:
        running.terminate()
        try:
            running.wait(20)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()


def _free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(port: int) -> None:
    """Waits until somebody listens, at most two minutes."""
    limit = time.monotonic() + 120
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            if time.monotonic() > limit:
                raise
            time.sleep(0.1)
