"""Writes the vectors of every part, one JSON file a topic, and MANIFEST.json with their counts.

A part is a folder beside this file with a module `vectors`: `files()` returns its vector files, and `LANGUAGES` names the
languages that must execute them (empty: all of them). If its files are not all of the same languages, a part names them by
file (empty: none yet).
"""

from __future__ import annotations

import argparse
import importlib
import json
from pathlib import Path
from typing import Any

from spec.oracle.core.vector_file import VectorFile, write

Languages = tuple[str, ...] | dict[str, tuple[str, ...]]


def parts() -> list[str]:
    """Returns the names of all parts."""
    return sorted(path.parent.name for path in Path(__file__).parent.glob("*/vectors.py"))


def languages(part: str) -> Languages:
    """Returns the languages that must execute a part's vectors, or those of each file."""
    found: Languages = importlib.import_module(f"spec.oracle.{part}.vectors").LANGUAGES
    return found


def files(part: str) -> list[VectorFile]:
    """Returns a part's vector files."""
    found: list[VectorFile] = importlib.import_module(f"spec.oracle.{part}.vectors").files()
    return found


def manifest(made: dict[str, list[VectorFile]]) -> dict[str, Any]:
    """Returns the counts of cases: of files for every language, and by language of files that only some execute."""
    every: dict[str, int] = {}
    only: dict[str, dict[str, int]] = {}
    for part, vector_files in made.items():
        named = languages(part)
        for file in vector_files:
            count = {f"{part}/{file.name}.json": len(file.cases)}
            for language in named[file.name] if isinstance(named, dict) else named:
                only.setdefault(language, {}).update(count)
            if not named:
                every |= count
    return {"files": every, "cases": sum(every.values()), "only": only}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="a folder; files in it that are no longer made are removed")
    out: Path = parser.parse_args().out
    made = {part: files(part) for part in parts()}
    for part, vector_files in made.items():
        folder = out / part
        folder.mkdir(parents=True, exist_ok=True)
        for file in vector_files:
            write(folder / f"{file.name}.json", file.text(part))
        for path in folder.glob("*.json"):
            if path.stem not in {file.name for file in vector_files}:
                path.unlink()
        print(f"{part}: {sum(len(file.cases) for file in vector_files)} cases in {len(vector_files)} files")
    write(out / "MANIFEST.json", json.dumps(manifest(made), indent=2) + "\n")
