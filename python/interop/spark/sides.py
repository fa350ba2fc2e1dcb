"""The two sides of a comparison: PySpark with Py4J, and PySpark with samewire.py4j and its jar in Py4J's place."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[3]
SIDES = ("py4j", "samewire")
SPARKS = ("4.3", "3.5")
_OURS = ROOT / "python/samewire"
_JARS = (_OURS / "py4j/samewire-py4j.jar", _OURS / "bridge/samewire-bridge.jar")


def environment_of(spark: str) -> Path:
    """The virtual environment with a version of PySpark."""
    return ROOT / "build/spark" / spark


def python_of(spark: str) -> Path:
    """The Python with a version of PySpark."""
    return environment_of(spark) / "bin/python"


def home_of(spark: str) -> Path:
    """The folder of the package `pyspark`, which is also Spark's home: it holds the jars."""
    (home,) = environment_of(spark).glob("lib/python3*/site-packages/pyspark")
    return home


def archive_of(side: str, spark: str) -> Path:
    """The archive of classes that a side's drivers load; a JVM with another class path ignores it."""
    return environment_of(spark) / f"{side}.jsa"


def make_archive(side: str, spark: str) -> None:
    """Makes the archive of a side, once, by a short program."""
    archive = archive_of(side, spark)
    if archive.exists() and all(archive.stat().st_mtime > jar.stat().st_mtime for jar in _JARS):
        return
    # The launcher's JVM writes one as well, before the driver's does.
    made = archive.with_suffix(".new")
    settings = variables(side, spark)
    settings["JAVA_TOOL_OPTIONS"] = f"-XX:+UseSerialGC -XX:ArchiveClassesAtExit={made}"
    program = (
        "from pyspark.sql import SparkSession; spark = SparkSession.builder.master('local[2]').getOrCreate(); "
        "spark.range(10).selectExpr('sum(id)').collect(); process = spark.sparkContext._gateway.proc; spark.stop(); "
        "process.stdin.close(); process.wait()"
    )
    with tempfile.TemporaryDirectory() as folder:
        command = [str(python_of(spark)), "-c", program]
        subprocess.run(command, cwd=folder, env=settings, check=True, capture_output=True, timeout=1800)
    made.replace(archive)


def variables(side: str, spark: str) -> dict[str, str]:
    """The environment of a process of one side."""
    python = str(python_of(spark))
    settings = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("SPARK_", "PYSPARK_", "SAMEWIRE_"))},
        "PYSPARK_PYTHON": python,
        "PYSPARK_DRIVER_PYTHON": python,
        "SPARK_HOME": str(home_of(spark)),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_LOCAL_HOSTNAME": "localhost",
        # As PySpark's own runs of its tests.
        "PYARROW_IGNORE_TIMEZONE": "1",
        "TZ": "America/Los_Angeles",
        # Half the CPU of a short program is the JVM's compiler, and half of the rest is loading Spark's classes.
        "JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    }
    if archive_of(side, spark).exists():
        settings["JAVA_TOOL_OPTIONS"] += f" -XX:SharedArchiveFile={archive_of(side, spark)}"
    settings.pop("PYTHONPATH", None)
    if side == "samewire":
        missing = [jar for jar in _JARS if not jar.exists()]
        if missing:
            raise FileNotFoundError(f"{missing[0]} is not there: run `make build-python` first")
        settings["PYTHONPATH"] = os.pathsep.join([str(_OURS / "py4j/shadow"), str(ROOT / "python")])
    return settings
