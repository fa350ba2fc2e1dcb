"""Writes the vectors: every topic of cases/ expanded, one JSON file each, those of grpc/, and MANIFEST.json with their counts."""

from __future__ import annotations

import argparse
import importlib
import json
from pathlib import Path

from spec.oracle import cases
from spec.oracle.cases.table import Case, Topic
from spec.oracle.errors import PackError
from spec.oracle.expand import WrongCaseError, expand
from spec.oracle.grpc import vectors as grpc


def topics() -> list[Topic]:
    """All topics, by name."""
    folder = Path(cases.__path__[0])
    names = sorted(path.stem for path in folder.glob("*.py") if path.stem not in ("__init__", "table"))
    return [importlib.import_module(f"spec.oracle.cases.{name}").TOPIC for name in names]


def expanded(topic: Topic) -> list[Case]:
    """The vectors of a topic; the names are distinct within it."""
    names = [case["name"] for case in topic.cases]
    if len(set(names)) < len(names):
        twice = sorted({name for name in names if names.count(name) > 1})
        raise WrongCaseError(f"{topic.name}: names used twice: {twice}")
    made: list[Case] = []
    for case in topic.cases:
        try:
            made.append(expand(case))
        except PackError as error:
            raise WrongCaseError(f"{topic.name}: {case['name']}: {error}") from error
    return made


def file_text(topic: Topic, made: list[Case]) -> str:
    """One case a line, so that a change reads well in a diff."""
    head = f'{{"format": "pack", "topic": {json.dumps(topic.name)}, "spec": {json.dumps(topic.spec)}, "cases": [\n'
    return head + ",\n".join(json.dumps(case, ensure_ascii=True) for case in made) + "\n]}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="a folder; files in it that are no longer made are removed")
    out: Path = parser.parse_args().out
    counts: dict[str, int] = {}
    (out / "pack").mkdir(parents=True, exist_ok=True)
    for topic in topics():
        made = expanded(topic)
        counts[f"pack/{topic.name}.json"] = len(made)
        write(out / "pack" / f"{topic.name}.json", file_text(topic, made))
    for path in (out / "pack").glob("*.json"):
        if f"pack/{path.name}" not in counts:
            path.unlink()
    calls: dict[str, int] = {}
    (out / "grpc").mkdir(exist_ok=True)
    for call_topic in grpc.topics():
        calls[f"grpc/{call_topic.name}.json"] = len(call_topic.cases)
        write(out / "grpc" / f"{call_topic.name}.json", grpc.file_text(call_topic))
    for path in (out / "grpc").glob("*.json"):
        if f"grpc/{path.name}" not in calls:
            path.unlink()
    manifest = {"files": counts, "cases": sum(counts.values()), "only": {"typescript": calls}}
    write(out / "MANIFEST.json", json.dumps(manifest, indent=2) + "\n")
    print(f"{sum(counts.values())} cases in {len(counts)} files, {sum(calls.values())} in {len(calls)} for TypeScript alone")


def write(path: Path, text: str) -> None:
    """Leaves a file alone that already says so: builds depend on its time."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
