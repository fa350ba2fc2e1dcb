"""A workload that is real data: read from an installed package, or generated, and shaped by the schema of an expert."""

from __future__ import annotations

import hashlib
import json
from importlib import import_module
from pathlib import Path
from typing import Any

from samewire.errors import SamewireError
from samewire.pack.schema import Schema
from samewire.schema.infer import SourceError, read

from bench.lab.data import DataError
from bench.lab.places import BUILD
from bench.lab.run import Value
from bench.lab.shaping import ShapeError, shaped
from bench.lab.suite import Workload


class FieldError(DataError):
    """The data are not installed, or not what the schema says; the text says what to do."""


def take(workload: Workload, root: Path = BUILD / "field") -> Value:
    """Writes ``value.json`` and ``schema.txt`` in a folder named after what they are made of. Raises FieldError.

    The value is JSON that spells each type in one way, with null for every missing field.
    """
    assert workload.schema is not None
    schema = _schema(workload.schema)
    digest = hashlib.sha256(workload.source.encode() + schema.text.encode())
    path = workload.schema.parents[1] / "node_modules" / workload.source
    if not workload.rows:
        if not path.is_file():
            raise FieldError(f"{workload.name} is not installed: npm ci in {workload.schema.parents[1]}, or make peers")
        digest.update(path.read_bytes())
    else:
        digest.update(f"{workload.rows}".encode() + path.parents[1].joinpath(f"{workload.source}.py").read_bytes())
    folder = root / f"{workload.name}-{digest.hexdigest()[:12]}"
    value = folder / "value.json"
    if not value.exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "schema.txt").write_text(schema.text + "\n", "utf-8")
        text = json.dumps(_value(workload, schema, path), ensure_ascii=False, separators=(",", ":"))
        fresh = value.with_suffix(".new")
        fresh.write_text(text, "utf-8")
        fresh.replace(value)
    about = {
        "file": workload.source,
        "format": "json",
        "sha256": digest.hexdigest(),
        "items": workload.items,
        "json_bytes": value.stat().st_size,
        "schema": schema.text,
        "digest": schema.digest.hex(),
    }
    return Value(value, folder / "schema.txt", about)


def _schema(path: Path) -> Schema:
    try:
        return Schema.parse(path.read_text("utf-8").strip())
    except (OSError, SamewireError) as wrong:
        raise FieldError(f"{path}: {wrong}") from None


def _value(workload: Workload, schema: Schema, path: Path) -> Any:
    if workload.rows:
        return import_module(f"bench.suites.field.{workload.source}").rows(workload.rows)
    try:
        loaded = read(path).loaded()
        return shaped(schema, loaded[workload.part] if workload.part else loaded)
    except (SourceError, ShapeError, KeyError) as wrong:
        raise FieldError(f"{path}: {wrong}") from None
