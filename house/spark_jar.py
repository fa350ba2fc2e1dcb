"""The jar for Spark: all that its driver and executors need, in one file.

usage: python -m house.spark_jar --spark FOLDER [--out FILE]      (default: build/samewire-spark.jar)

FOLDER has Spark's jars, as the package `pyspark` does in `jars`: the classes of `java/spark` are compiled against these,
since Maven's registry has Spark as 80 MB of artefacts. It also holds the compiled classes of core and pack, and ASM as the
bridge's jar has it. Maven has compiled those.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from house import bridge_jar

ROOT = bridge_jar.ROOT
SOURCES = ROOT / "java/spark/src/main"
OUT = ROOT / "build/samewire-spark.jar"
MANIFEST = b"Manifest-Version: 1.0\r\nAutomatic-Module-Name: io.samewire.spark\r\n\r\n"


def compiled(spark: Path, out: Path) -> None:
    """Compiles the classes of `java/spark` into a folder."""
    ours = [str(ROOT / "java" / part / "target/classes") for part in ("core", "pack")]
    asm = (ROOT / "java/pack/target/classpath.txt").read_text("utf-8").strip()
    sources = [str(path) for path in sorted((SOURCES / "java").rglob("*.java"))]
    java = Path(os.environ["JAVA_HOME"], "bin/javac") if "JAVA_HOME" in os.environ else "javac"
    options = ["-proc:none", "-parameters", "--release", "17", "-Xlint:all,-serial,-classfile,-path", "-Werror"]
    command = [str(java), *options, "-cp", os.pathsep.join([*ours, asm, f"{spark}/*"]), "-d", str(out), *sources]
    subprocess.run(command, check=True)


def entries(classes: Path) -> Iterator[tuple[str, bytes]]:
    """The files of the jar."""
    yield from bridge_jar.entries(("core", "pack"), MANIFEST)
    for path in sorted(classes.rglob("*.class")):
        yield path.relative_to(classes).as_posix(), bridge_jar.relocated(path.read_bytes())
    resources = SOURCES / "resources"
    for path in sorted(path for path in resources.rglob("*") if path.is_file()):
        yield path.relative_to(resources).as_posix(), path.read_bytes()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spark", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        compiled(options.spark, Path(folder))
        options.out.parent.mkdir(parents=True, exist_ok=True)
        bridge_jar.write(options.out, entries(Path(folder)))


if __name__ == "__main__":
    main()
