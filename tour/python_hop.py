"""The first and the last hop: Python. Each is a process of its own.

usage: python -m tour.python_hop begin|finish WORK
"""

from __future__ import annotations

import importlib.util
import json
import platform
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import msgpack
import msgspec
import orjson
from samewire import pack
from samewire.schema.infer.convert import Converter

from tour.datasets import DataSet, load
from tour.plan import Plan
from tour.timing import Operation, measure


@dataclass(frozen=True)
class Way:
    """One way to write a data set. name: as shown. data: the bytes. Both functions have worked once."""

    name: str
    ours: bool
    encode: Callable[[], object]
    decode: Callable[[], object]
    data: bytes


@dataclass(frozen=True)
class Refusal:
    """A peer that cannot carry the data, and why."""

    name: str
    reason: str


def module(work: Path, name: str) -> ModuleType:
    """Imports a module of definitions from the work folder."""
    path = work / "python" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"tour_types_{name}", path)
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = made
    spec.loader.exec_module(made)
    return made


def source(work: Path, name: str) -> DataSet:
    """The data set as it was given."""
    path = json.loads((work / name / "source.json").read_text("utf-8"))["path"]
    loaded = load(Path(path), set())
    return DataSet(name, loaded.path, loaded.value)


def _way(name: str, encode: Callable[[Any], bytes], decode: Callable[[bytes], Any], value: Any) -> Way:
    data = encode(value)
    decode(data)
    return Way(name, name.startswith("Samewire"), lambda: encode(value), lambda: decode(data), data)


def _peer(name: str, encode: Callable[[Any], bytes], decode: Callable[[bytes], Any], value: Any) -> Way | Refusal:
    try:
        return _way(name, encode, decode, value)
    except Exception as error:  # a peer may raise any error: the tour goes on without it
        return Refusal(name, f"{type(error).__name__}: {error}")


def _ways(work: Path, given: DataSet) -> list[Way | Refusal]:
    types, peer_types = module(work, given.id), module(work, f"{given.id}_msgspec")
    native = Converter(given.inferred, vars(types)).to_native(given.value)
    structs = Converter(given.inferred, vars(peer_types)).to_native(given.value)
    plain = given.completed
    compact, fast = pack.codec(types.Root), pack.codec(types.Root, profile="fast")
    encoder, decoder = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(peer_types.Root)
    return [
        _way("Samewire compact", compact.encode, compact.decode, native),
        _way("Samewire fast", fast.encode, fast.decode, native),
        _peer("JSON (orjson)", orjson.dumps, orjson.loads, plain),
        _peer("msgpack", msgpack.packb, msgpack.unpackb, plain),
        _peer("msgspec structs", encoder.encode, decoder.decode, structs),
    ]


def begin(work: Path) -> None:
    """Typed values out of the source, their message for the next hop, and the times."""
    plan = Plan.read(work)
    report: dict[str, Any] = {"runtime": f"CPython {platform.python_version()}", "sets": {}}
    for planned in plan.sets:
        given = source(work, planned.id)
        try:
            ways = _ways(work, given)
        except pack.SamewireError as error:
            sys.exit(f"{planned.id}: {error}")
        report["sets"][given.id] = timed(work / given.id, ways, plan)
        shutil.copyfile(work / given.id / "python-0.bin", work / given.id / "python.pack")
    (work / "python.json").write_text(json.dumps(report) + "\n", "utf-8")


def timed(folder: Path, ways: Sequence[Way | Refusal], plan: Plan, language: str = "python") -> list[dict[str, Any]]:
    """Times every way, and returns the rows of the report."""
    encodes = {way.name: Operation(way.encode) for way in ways if isinstance(way, Way)}
    decodes = {way.name: Operation(way.decode) for way in ways if isinstance(way, Way)}
    measure([*encodes.values(), *decodes.values()], plan.warm, plan.rounds, plan.round)
    rows: list[dict[str, Any]] = []
    for number, way in enumerate(ways):
        if isinstance(way, Refusal):
            rows.append({"name": way.name, "refused": way.reason})
            continue
        file = f"{language}-{number}.bin"
        (folder / file).write_bytes(way.data)
        times = {"encode": encodes[way.name].cpu, "decode": decodes[way.name].cpu}
        rows.append({"name": way.name, "ours": way.ours, "file": file, **times})
    return rows


def finish(work: Path) -> None:
    """Decodes the last message, and proves that it has the same bytes, typed value and data."""
    for planned in Plan.read(work).sets:
        given, types = source(work, planned.id), module(work, planned.id)
        converter = Converter(given.inferred, vars(types))
        codec = pack.codec(types.Root)
        returned = (work / planned.id / "rust.pack").read_bytes()
        value = codec.decode(returned)
        if returned != (work / planned.id / "python.pack").read_bytes():
            sys.exit(f"{planned.id}: the bytes that came back are not those that went out")
        if codec.encode(value) != returned:
            sys.exit(f"{planned.id}: the value that came back encodes to other bytes")
        if value != converter.to_native(given.value):
            sys.exit(f"{planned.id}: the typed value that came back is another")
        if converter.to_json(value) != given.completed:
            sys.exit(f"{planned.id}: the data that came back is other data")


if __name__ == "__main__":
    {"begin": begin, "finish": finish}[sys.argv[1]](Path(sys.argv[2]))
