"""Every case of every vector file, with all checks that follow from it (spec/vectors/README.md)."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from notation import Notations, Values
from samewire.pack import Codec, FrameScanner, Limits, SamewireError, Schema, codec, frame, types_of
from samewire.pack.introspect import native_type_of

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "spec" / "vectors"
FILES = sorted([*FOLDER.glob("pack/*.json"), *FOLDER.glob("columns/*.json")])

Case = dict[str, Any]
executed: dict[str, int] = {}


def make(schema: str, **options: Any) -> Codec[Any]:
    made = codec(types_of(schema), **options)
    assert made.schema.annotated == Schema.parse(schema).annotated
    return made


def notation(made: Any, schema: str, kind: Any) -> Any:
    return Notations().of(made, native_type_of(kind))


def refused(
    call: Callable[[], object], code: str, at: int | None = None, path: str | None = None, *, message: bool = True
) -> None:
    with pytest.raises(SamewireError) as caught:
        call()
    error = caught.value
    assert error.code == code, str(error)
    if at is not None:
        assert error.at == at, str(error)
    if path is not None:
        assert error.path == path, str(error)
    assert error.text


def canonical(case: Case) -> None:
    kind = types_of(case["schema"])
    native = native_type_of(kind)
    same = lambda value: Notations().of(value, native) == case["value"]  # noqa: E731 - as in `rewritten`
    message(case, kind, Values().of(case["value"], native), same)


def rewritten(case: Case) -> None:
    """A value that is kept in rows of the profile `fast`."""
    kind = types_of(case["schema"])
    rows = codec(kind, profile="fast", check=False)
    kept = bytes.fromhex(case["rows"])
    message(case, kind, rows.decode(kept), lambda value: rows.encode(value) == kept)


def message(case: Case, kind: Any, value: Any, same: Callable[[Any], bool]) -> None:
    """What holds for the one message of a value: `same` compares another with it."""
    data = bytes.fromhex(case["hex"])
    options: dict[str, Any] = {"profile": case["profile"], "digest": case.get("digest", False), "check": case.get("check", False)}
    own = codec(kind, **options)
    assert own.encode(value).hex() == case["hex"]
    buffer = bytearray(b"before")
    assert own.encode_into(value, buffer) == len(data)
    assert buffer == b"before" + data
    assert b"".join(own.encode_chunks(value, 7)) == data
    decoded = own.decode(data)
    assert same(decoded)
    assert own.encode(decoded) == data
    assert same(own.decode(memoryview(bytearray(data))))
    for length in range(len(data)) if len(data) < 3000 else range(0, len(data), 97):
        refused(lambda length=length: own.decode(data[:length]), "truncated", length)  # type: ignore[misc]
    refused(lambda: own.decode(data + b"\0"), "trailing", len(data), "$")
    uses = case["uses"]
    for name, code in (
        ("frame_bytes", "limit_size"),
        ("text_bytes", "limit_size"),
        ("items", "limit_items"),
        ("cells", "limit_items"),
        ("depth", "limit_depth"),
    ):
        if name not in uses:
            continue
        if uses[name] >= 1:
            fits = codec(kind, limits=Limits(**{name: uses[name]}), **options)
            assert same(fits.decode(data))
            assert fits.encode(value) == data
        if uses[name] >= 2:
            tight = codec(kind, limits=Limits(**{name: uses[name] - 1}), **options)
            refused(lambda tight=tight: tight.decode(data), code)  # type: ignore[misc]
            if name != "text_bytes":
                refused(lambda tight=tight: tight.encode(value), code)  # type: ignore[misc]
    two = frame(data) * 2
    for cut in range(len(two) + 1) if len(two) < 3000 else range(0, len(two), 197):
        scanner = FrameScanner()
        scanner.feed(two[:cut])
        messages = list(scanner)
        scanner.feed(two[cut:])
        messages += list(scanner)
        scanner.end()
        assert messages == [data, data]


def limits_of(case: Case) -> Limits:
    """The case's limits: those that it names, and defaults."""
    return Limits(**case.get("limits", {}))


def sorted_maps(case: Case) -> None:
    """Equal values, whose maps differ in the order of their entries."""
    kind = types_of(case["schema"])
    own = codec(kind, profile=case["profile"], check=False, sort_keys=True)
    plain = codec(kind, profile=case["profile"], check=False)
    data = bytes.fromhex(case["hex"])
    for notation in case["values"]:
        value = Values().of(notation, native_type_of(kind))
        assert own.encode(value) == data
        assert b"".join(own.encode_chunks(value, 7)) == data
    assert plain.encode(plain.decode(data)) == data
    assert plain.encode(Values().of(case["values"][0], native_type_of(kind))) != data


def accepted(case: Case) -> None:
    kind = types_of(case["schema"])
    own = codec(kind, check=False)
    decoded = own.decode(bytes.fromhex(case["hex"]))
    assert Notations().of(decoded, native_type_of(kind)) == case["value"]
    assert own.encode(decoded).hex() == case["canonical"]


def rejected(case: Case) -> None:
    own = make(case["schema"], limits=limits_of(case))
    data = bytes.fromhex(case["hex"])
    refused(lambda: own.decode(data), case["error"], case["at"], case["path"])


def resolved(case: Case) -> None:
    kind = types_of(case["schema"])
    decoder = codec(kind, limits=limits_of(case)).resolve(case["writer"])
    decoded = decoder.decode(bytes.fromhex(case["hex"]))
    assert Notations().of(decoded, native_type_of(kind)) == case["value"]


def unresolved(case: Case) -> None:
    own = make(case["schema"], limits=limits_of(case))
    if "hex" not in case:
        refused(lambda: own.resolve(case["writer"]), case["error"], None, case["path"])
        return
    decoder = own.resolve(case["writer"])
    data = bytes.fromhex(case["hex"])
    refused(lambda: decoder.decode(data), case["error"], case["at"], case["path"])


def schema(case: Case) -> None:
    read = Schema.parse(case["text"])
    assert read.text == case["canonical"]
    assert read.digest.hex() == case["digest"]
    annotated: str = case.get("annotated") or case["canonical"]
    assert read.annotated == Schema.parse(annotated).annotated == annotated
    own = codec(types_of(case["text"]))
    assert own.schema.text == case["canonical"]
    assert own.digest.hex() == case["digest"]


def bad_schema(case: Case) -> None:
    refused(lambda: Schema.parse(case["text"]), case["error"], case["at"])


def difference(case: Case) -> None:
    here, there = Schema.parse(case["here"]), Schema.parse(case["there"])
    found = here.difference(there)
    assert (found and dataclasses.asdict(found)) == case["difference"]
    assert (here == there) is (found is None) is (there.difference(here) is None)


def frames(case: Case) -> None:
    data = bytes.fromhex(case["hex"])
    limits = limits_of(case)
    wanted = [bytes.fromhex(message) for message in case["messages"]]

    def take(scanner: FrameScanner) -> Iterator[bytes]:
        while (message := scanner.next()) is not None:
            yield message

    for cut in range(len(data) + 1):
        scanner = FrameScanner(limits)
        messages: list[bytes] = []
        failed: SamewireError | None = None
        try:
            for piece in (data[:cut], data[cut:]):
                scanner.feed(piece)
                messages += take(scanner)
            if not case.get("error") or case.get("at_end"):
                scanner.end()
        except SamewireError as error:
            failed = error
        assert messages == wanted
        if "error" not in case:
            assert failed is None
            continue
        assert failed is not None
        assert (failed.code, failed.at) == (case["error"], case["at"])
        refused(scanner.next, case["error"], case["at"])
    if wanted:
        scanner = FrameScanner(limits)
        scanner.feed(data)
        refused(scanner.end, "misuse", None)
        assert [scanner.next() for _ in wanted] == wanted


KINDS: dict[str, Callable[[Case], None]] = {
    "canonical": canonical,
    "rewritten": rewritten,
    "sorted": sorted_maps,
    "accepted": accepted,
    "rejected": rejected,
    "resolved": resolved,
    "unresolved": unresolved,
    "schema": schema,
    "bad_schema": bad_schema,
    "difference": difference,
    "frames": frames,
}


def cases() -> Iterator[Any]:
    for file in FILES:
        for case in json.loads(file.read_text(encoding="utf-8"))["cases"]:
            yield pytest.param(f"{file.parent.name}/{file.name}", case, id=f"{file.stem}-{case['name']}")


@pytest.mark.parametrize(("file", "case"), list(cases()))
def test_case(file: str, case: Case) -> None:
    KINDS[case["kind"]](case)
    executed[file] = executed.get(file, 0) + 1


def test_every_case_was_executed() -> None:
    manifest = json.loads((FOLDER / "MANIFEST.json").read_text(encoding="utf-8"))
    report = ROOT / "build" / "executed" / "python.json"
    report.parent.mkdir(parents=True, exist_ok=True)
    report.write_text(json.dumps({"language": "python", "vectors": executed}), encoding="utf-8")
    columns = {file: count for file, count in manifest["only"]["python"].items() if file.startswith("columns/")}
    assert executed == manifest["files"] | columns
