"""Every case of the vectors of record files, with all checks that follow from it (spec/vectors/README.md)."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from notation import Notations, Values
from samewire.errors import SamewireError
from samewire.limits import Limits
from samewire.pack import Codec, RecordReader, RecordWriter, codec, types_of
from samewire.pack.introspect import native_type_of

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "spec" / "vectors"
FILES = sorted(FOLDER.glob("records/*.json"))

Case = dict[str, Any]
executed: dict[str, int] = {}


class Kind:
    """A schema's Python type, and records of it from and to their notation."""

    def __init__(self, schema: str) -> None:
        kind = types_of(schema)
        self.native = native_type_of(kind)
        self.codec: Codec[Any] = codec(kind)

    def values(self, notations: list[Any]) -> list[Any]:
        return [Values().of(notation, self.native) for notation in notations]

    def notations(self, values: list[Any]) -> list[Any]:
        return [Notations().of(value, self.native) for value in values]


class Unhurried(io.RawIOBase):
    """A file that comes in two pieces: no reader may depend on where it is cut."""

    def __init__(self, data: bytes, first: int) -> None:
        self.data, self.end = memoryview(data), first or len(data)

    def readable(self) -> bool:
        return True

    def read(self, _: int = -1) -> bytes:
        piece, self.data = bytes(self.data[: self.end]), self.data[self.end :]
        self.end = len(self.data)
        return piece


def read(file: BinaryIO, kind: Kind, growing: bool = False, **limits: int) -> tuple[list[Any], SamewireError | None]:
    """The notations of all records before the first error, and that error."""
    found: list[Any] = []
    own: Codec[Any] = codec(types_of(kind.codec.schema), limits=Limits(**limits)) if limits else kind.codec
    try:
        with RecordReader(file, own, growing=growing, limits=Limits(**limits)) as reader:
            found.extend(reader)
    except SamewireError as error:
        return kind.notations(found), error
    return kind.notations(found), None


def written(case: Case) -> None:
    kind = Kind(case["schema"])
    data, ends = bytes.fromhex(case["hex"]), case["ends"]
    blocks = [kind.values(block) for block in case["blocks"]]
    records = [record for block in case["blocks"] for record in block]
    file = io.BytesIO()
    writer = RecordWriter(file, kind.codec)
    for block in blocks:
        writer.write_many(block)
        writer.flush()
    if case["indexed"]:
        writer.close()
    assert file.getvalue().hex() == case["hex"]
    assert read(io.BytesIO(data), kind) == (records, None)
    for cut in range(len(data)):
        assert read(Unhurried(data, cut), kind) == (records, None)  # type: ignore[arg-type]
        whole = sum(1 for end in ends[1:] if end <= cut)
        before = [record for block in case["blocks"][:whole] for record in block]
        found, error = read(io.BytesIO(data[:cut]), kind)
        assert found == before
        assert (error is None) == (cut in ends)
        if error is not None:
            assert (error.code, error.at, error.path) == ("truncated", cut, None)
        if cut >= ends[0]:
            assert read(io.BytesIO(data[:cut]), kind, growing=True) == (before, None)
    with RecordReader(io.BytesIO(data), kind.codec) as reader:
        assert reader.count() == len(records)
        for number in range(len(records), -1, -1):
            reader.seek(number)
            assert kind.notations(list(reader)) == records[number:]


def appended(case: Case) -> None:
    kind = Kind(case["schema"])
    file = io.BytesIO(bytes.fromhex(case["before"]))
    with RecordWriter(file, kind.codec, append=True) as writer:
        writer.write_many(kind.values(case["records"]))
    assert file.getvalue().hex() == case["hex"]


def accepted(case: Case) -> None:
    kind = Kind(case["schema"])
    assert read(io.BytesIO(bytes.fromhex(case["hex"])), kind) == (case["records"], None)


def refused(case: Case) -> None:
    kind = Kind(case["schema"])
    data = bytes.fromhex(case["hex"])
    for cut in range(len(data) + 1):
        found, error = read(Unhurried(data, cut), kind, **case.get("limits", {}))  # type: ignore[arg-type]
        assert error is not None
        assert (found, error.code, error.at, error.path) == (case["records"], case["error"], case["at"], case["path"])
        assert error.text


KINDS: dict[str, Callable[[Case], None]] = {"written": written, "appended": appended, "read": accepted, "refused": refused}


def cases() -> Iterator[Any]:
    for file in FILES:
        for case in json.loads(file.read_text(encoding="utf-8"))["cases"]:
            yield pytest.param(f"records/{file.name}", case, id=f"{file.stem}-{case['name']}")


@pytest.mark.parametrize(("file", "case"), list(cases()))
def test_case(file: str, case: Case) -> None:
    KINDS[case["kind"]](case)
    executed[file] = executed.get(file, 0) + 1


def test_every_case_was_executed() -> None:
    manifest = json.loads((FOLDER / "MANIFEST.json").read_text(encoding="utf-8"))
    report = ROOT / "build" / "executed" / "python-records.json"
    report.parent.mkdir(parents=True, exist_ok=True)
    report.write_text(json.dumps({"language": "python", "vectors": executed}), encoding="utf-8")
    every = manifest["files"] | manifest["only"].get("python", {})
    assert executed == {file: count for file, count in every.items() if file.startswith("records/")}
