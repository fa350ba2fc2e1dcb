"""Writes the methods of Python's clients, their types and the routing facts.

usage: python -m codegen.redis.python [--out FOLDER] [--uncovered]
"""

from __future__ import annotations

import argparse
from pathlib import Path

from codegen.redis.python.check import uncovered
from codegen.redis.python.definitions import groups
from codegen.redis.python.generate import COMMANDS, generate
from codegen.redis.table import Table

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=COMMANDS)
    parser.add_argument("--uncovered", action="store_true", help="name the commands that have no method")
    given = parser.parse_args()
    if given.uncovered:
        print(", ".join(uncovered(groups(), Table())))
    generate(given.out)
