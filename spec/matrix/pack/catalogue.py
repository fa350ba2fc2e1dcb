"""Lists the schemas that every language has native types for.

The distinct readers' schemas of the vectors come first, in order of appearance, then random ones. The list is always
the same, so that native types are compiled once.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from spec.matrix.pack.random_schemas import random_schemas
from spec.oracle.core.vector_file import write
from spec.oracle.pack.canonical import canonical
from spec.oracle.pack.parse import parse

ROOT = Path(__file__).resolve().parents[3]
READ = ("canonical", "rewritten", "sorted", "accepted", "rejected", "resolved", "unresolved")


def vector_schemas() -> list[str]:
    """Returns the distinct schemas of readers in spec/vectors, in order of appearance."""
    found: dict[str, None] = {}
    for part in ("pack", "columns"):
        for path in sorted((ROOT / "spec" / "vectors" / part).glob("*.json")):
            for case in json.loads(path.read_text(encoding="utf-8"))["cases"]:
                if case["kind"] in READ:
                    found[case["schema"]] = None
    return list(found)


def all_schemas() -> dict[str, str]:
    """Returns canonical texts by name: `s0`, `s1`, …"""
    texts = dict.fromkeys(vector_schemas() + [canonical(parse(text)) for text in random_schemas()])
    return {f"s{i}": text for i, text in enumerate(texts)}


def file_text() -> str:
    lines = [json.dumps({"id": name, "schema": text}) for name, text in all_schemas().items()]
    return "[\n" + ",\n".join(lines) + "\n]\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    out: Path = parser.parse_args().out
    out.parent.mkdir(parents=True, exist_ok=True)
    write(out, file_text())
