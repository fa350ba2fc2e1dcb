"""Runs the matrix of every part: each folder beside this file with a module `pairs`."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from pathlib import Path

REPORT = Path(__file__).resolve().parents[2] / "build" / "executed" / "matrix.json"


class DisagreeError(Exception):
    """Raised if two languages disagree, or a peer is not built."""


def parts() -> list[str]:
    """Returns the names of the parts that have a matrix."""
    return sorted(path.parent.name for path in Path(__file__).parent.glob("*/pairs.py"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--values", type=int, default=2000, help="values a pair")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="languages, with commas between them: a part of the matrix, not counted")
    options = parser.parse_args()
    only = [name for name in options.only.split(",") if name]
    if not only:
        REPORT.unlink(missing_ok=True)
    proven = 0
    for part in parts():
        try:
            pairs: int = importlib.import_module(f"spec.matrix.{part}.pairs").prove(options.values, options.seed, only)
        except DisagreeError as error:
            sys.exit(f"{part}: {error}")
        print(f"{part}: {pairs} pairs agree on {options.values} values each")
        proven += pairs
    if not only:
        REPORT.parent.mkdir(parents=True, exist_ok=True)
        report = {"language": "matrix", "vectors": {}, "tests": proven}
        REPORT.write_text(json.dumps(report) + "\n", encoding="utf-8")
