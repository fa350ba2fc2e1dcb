"""The command line of Java's redis as one jar: `java -jar build/samewire-redis.jar --help`.

usage: python -m house.redis_jar [--out FILE]      (default: build/samewire-redis.jar)

It holds the compiled classes of core, pack and redis, and ASM, as the bridge's jar does. `make redis-jar` compiles them first.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from house import bridge_jar

OUT = bridge_jar.ROOT / "build/samewire-redis.jar"
MANIFEST = b"Manifest-Version: 1.0\r\nMain-Class: io.samewire.redis.cli.Main\r\n\r\n"


def entries() -> Iterator[tuple[str, bytes]]:
    """The files of the jar."""
    return bridge_jar.entries(("core", "pack", "redis"), MANIFEST)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=OUT)
    out: Path = parser.parse_args().out
    out.parent.mkdir(parents=True, exist_ok=True)
    bridge_jar.write(out, entries())


if __name__ == "__main__":
    main()
