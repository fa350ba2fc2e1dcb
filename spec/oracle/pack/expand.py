"""Expands cases to vectors: the oracle fills in what is not written by hand, and checks what is."""

from __future__ import annotations

from typing import Any

from spec.oracle.core.errors import SamewireError
from spec.oracle.core.frames import scan
from spec.oracle.core.limits import Limits
from spec.oracle.core.vector_file import Case
from spec.oracle.pack.canonical import annotated, canonical, digest
from spec.oracle.pack.decode import decode, decode_resolved
from spec.oracle.pack.difference import difference
from spec.oracle.pack.encode import encode, encode_measured
from spec.oracle.pack.notation import sort_maps
from spec.oracle.pack.parse import parse
from spec.oracle.pack.resolve import resolve
from spec.oracle.pack.schema import Type

NAMED: dict[int, dict[str, bool]] = {0: {}, 2: {"check": True}, 8: {"digest": True}}


class WrongCaseError(Exception):
    """Raised if the oracle disagrees with what a case says by hand."""


def expand(case: Case) -> Case:
    """Returns one vector (spec/vectors/README.md)."""
    return {
        "canonical": _canonical,
        "rewritten": _rewritten,
        "sorted": _sorted,
        "accepted": _accepted,
        "rejected": _rejected,
        "resolved": _resolved,
        "unresolved": _unresolved,
        "schema": _schema,
        "bad_schema": _bad_schema,
        "difference": _difference,
        "frames": _frames,
    }[case["kind"]](case)


def _check(case: Case, what: str, wanted: Any, got: Any) -> None:
    if wanted != got:
        raise WrongCaseError(f"{case['name']}: {what}: written {wanted!r}, the oracle has {got!r}")


def _read(case: Case, name: str = "schema") -> tuple[str, Type]:
    """Returns the canonical text and its type. Topics may write schemas in any form."""
    text = canonical(parse(case[name]))
    return text, parse(text)


def _read_annotated(case: Case) -> tuple[str, Type]:
    """Returns the canonical text of a reader's type with its annotations, and the type."""
    text = annotated(parse(case["schema"]))
    return text, parse(text)


def _compact_hex(text: str) -> str:
    return text.replace(" ", "").replace("\n", "")


def _canonical(case: Case) -> Case:
    text, t = _read(case)
    data, uses = encode_measured(t, case["value"], case["profile"], case["named"])
    _check(case, "decoded", case["value"], decode(t, data))
    if case["kept"] is not None:
        _check(case, "bytes", case["kept"], data.hex())
    made = {"name": case["name"], "kind": "canonical", "schema": text, "profile": case["profile"]}
    made |= NAMED[case["named"]]
    used = dict(vars(uses))
    cells = used.pop("cells")
    if case["cells"] is not None:
        _check(case, "cells", case["cells"], cells)
        used["cells"] = cells
    return made | {"hex": data.hex(), "value": case["value"], "uses": used}


def _rewritten(case: Case) -> Case:
    text, t = _read(case)
    rows = encode(t, case["value"], "fast")
    data, uses = encode_measured(t, case["value"], case["profile"], case["named"])
    _check(case, "decoded", case["value"], decode(t, data))
    _check(case, "decoded rows", case["value"], decode(t, rows))
    made = {"name": case["name"], "kind": "rewritten", "schema": text, "profile": case["profile"]}
    made |= NAMED[case["named"]]
    return made | {"rows": rows.hex(), "hex": data.hex(), "uses": vars(uses)}


def _sorted(case: Case) -> Case:
    text, t = _read(case)
    value = sort_maps(t, case["value"])
    data = encode(t, value, case["profile"])
    _check(case, "decoded", value, decode(t, data))
    values = [case["value"], *case["more"]]
    for other in values:
        _check(case, "another order", value, sort_maps(t, other))
    if value == case["value"]:
        raise WrongCaseError(f"{case['name']}: these maps are sorted")
    made = {"name": case["name"], "kind": "sorted", "schema": text, "profile": case["profile"]}
    return made | {"hex": data.hex(), "values": values}


def _accepted(case: Case) -> Case:
    text, t = _read(case)
    data = bytes.fromhex(_compact_hex(case["hex"]))
    _check(case, "decoded", case["value"], decode(t, data))
    again = encode(t, case["value"])
    if again == data:
        raise WrongCaseError(f"{case['name']}: these are the canonical bytes")
    made = {"name": case["name"], "kind": "accepted", "schema": text, "hex": data.hex()}
    return made | {"value": case["value"], "canonical": again.hex()}


def _failure(case: Case, writer: Type, reader: Type, data: bytes, limits: Limits) -> SamewireError:
    try:
        value = decode_resolved(writer, reader, data, limits)
    except SamewireError as error:
        return error
    raise WrongCaseError(f"{case['name']}: decodes to {value!r}")


def _limits(case: Case) -> Case:
    return {"limits": case["limits"]} if case["limits"] else {}


def _rejected(case: Case) -> Case:
    text, t = _read(case)
    data = bytes.fromhex(_compact_hex(case["hex"]))
    error = _failure(case, t, t, data, Limits(**case["limits"]))
    _check(case, "error", (case["error"], case["at"], case["path"]), (error.code, error.at, error.path))
    made = {"name": case["name"], "kind": "rejected", "schema": text, "hex": data.hex()}
    made |= {"error": error.code, "at": error.at, "path": error.path}
    return made | _limits(case)


def _resolved(case: Case) -> Case:
    writer_text, writer = _read(case, "writer")
    text, reader = _read_annotated(case)
    resolve(writer, reader)
    data = encode(writer, case["written"], case["profile"])
    _check(case, "decoded", case["value"], decode_resolved(writer, reader, data, Limits(**case["limits"])))
    made = {"name": case["name"], "kind": "resolved", "writer": writer_text, "schema": text}
    return made | {"hex": data.hex(), "value": case["value"]} | _limits(case)


def _unresolved(case: Case) -> Case:
    writer_text, writer = _read(case, "writer")
    text, reader = _read_annotated(case)
    made = {"name": case["name"], "kind": "unresolved", "writer": writer_text, "schema": text}
    if "hex" in case:
        resolve(writer, reader)
        data = bytes.fromhex(_compact_hex(case["hex"]))
        error = _failure(case, writer, reader, data, Limits(**case["limits"]))
        _check(case, "error", (case["error"], case["at"], case["path"]), (error.code, error.at, error.path))
        return made | {"hex": data.hex(), "error": error.code, "at": error.at, "path": error.path} | _limits(case)
    try:
        resolve(writer, reader)
    except SamewireError as error:
        _check(case, "error", (case["error"], case["path"]), (error.code, error.path))
        return made | {"error": error.code, "path": error.path}
    raise WrongCaseError(f"{case['name']}: resolves")


def _schema(case: Case) -> Case:
    t = parse(case["text"])
    text = canonical(t)
    _check(case, "canonical", case["canonical"], text)
    _check(case, "canonical again", text, canonical(parse(text)))
    if case["digest"] is not None:
        _check(case, "digest", case["digest"], digest(text).hex())
    made = {"name": case["name"], "kind": "schema", "text": case["text"], "canonical": text}
    if "annotated" in case:
        _check(case, "annotated", case["annotated"], annotated(t))
        made["annotated"] = case["annotated"]
    return made | {"digest": digest(text).hex()}


def _bad_schema(case: Case) -> Case:
    try:
        t = parse(case["text"])
    except SamewireError as error:
        _check(case, "error", (case["error"], case["at"]), (error.code, error.at))
        return case
    raise WrongCaseError(f"{case['name']}: reads as {canonical(t)}")


def _difference(case: Case) -> Case:
    here, there = parse(case["here"]), parse(case["there"])
    found = difference(here, there)
    _check(case, "difference", case["difference"], found and found._asdict())
    _check(case, "whether there is one", canonical(here) == canonical(there), found is None)
    return case


def _frames(case: Case) -> Case:
    data = bytes.fromhex(_compact_hex(case["hex"]))
    messages, error = scan(data, Limits(**case["limits"]))
    _check(case, "messages", case["messages"], [message.hex() for message in messages])
    _check(case, "error", (case["error"], case["at"]), (error.code, error.at) if error else (None, None))
    made: Case = {"name": case["name"], "kind": "frames", "hex": data.hex()} | _limits(case)
    made["messages"] = case["messages"]
    if error:
        made |= {"error": error.code, "at": error.at}
        if error.code == "truncated":
            made["at_end"] = True
    return made
