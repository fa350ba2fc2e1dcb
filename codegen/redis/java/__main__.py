"""Writes the commands of Java's client into a root of sources. A file that is already right is left alone.

usage: python -m codegen.redis.java FOLDER
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path


def main() -> None:
    """The program. Maven runs it by the interpreter that it is told, or that it finds, so its version is looked at first."""
    if sys.version_info < (3, 11):  # noqa: UP036
        found = ".".join(map(str, sys.version_info[:3]))
        sys.exit(f"codegen.redis.java needs Python 3.11 or newer; {sys.executable} is {found}: set PYTHON to a newer one")
    from codegen.redis.java.generate import generate

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    generate(parser.parse_args().folder)


if __name__ == "__main__":
    main()
