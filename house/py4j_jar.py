"""The jar with Py4J's public Java classes, which lies in the Python package `samewire.py4j`.

usage: python -m house.py4j_jar [--out FILE]      (default: python/samewire/py4j/samewire-py4j.jar)

It holds the compiled classes of `py4j` alone. Its manifest names the bridge's jar, which it finds in the folder of
`samewire.bridge`, or beside it: a class path needs no more than this one.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from house import bridge_jar

ROOT = bridge_jar.ROOT
OUT = ROOT / "python/samewire/py4j/samewire-py4j.jar"
MANIFEST = (
    b"Manifest-Version: 1.0\r\nMain-Class: py4j.GatewayServer\r\nClass-Path: ../bridge/samewire-bridge.jar samewire-bridge.jar\r\n"
    b"Automatic-Module-Name: io.samewire.py4j\r\n\r\n"
)


def entries() -> Iterator[tuple[str, bytes]]:
    """The files of the jar. Classes do not name ASM: they stay as they were compiled."""
    yield "META-INF/MANIFEST.MF", MANIFEST
    yield "META-INF/LICENSE", (ROOT / "LICENSE").read_bytes()
    classes = ROOT / "java/py4j/target/classes"
    for path in sorted(classes.rglob("*.class")):
        if path.name != "module-info.class":
            yield path.relative_to(classes).as_posix(), path.read_bytes()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=OUT)
    bridge_jar.write(parser.parse_args().out, entries())


if __name__ == "__main__":
    main()
