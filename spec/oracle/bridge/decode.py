"""Reads values (bridge.md section 4) and descriptions of classes (section 9).

Values are in the notation of spec/vectors/README.md, so that they can be written into vectors as they are.
"""

from __future__ import annotations

from typing import Any

from spec.oracle.bridge import kinds
from spec.oracle.bridge.cursor import Cursor


def text(units: list[int]) -> dict[str, str]:
    """A string, as its units if it has a lone surrogate."""
    raw = b"".join(unit.to_bytes(2, "little") for unit in units)
    try:
        return {"string": raw.decode("utf-16-le")}
    except UnicodeDecodeError:
        return {"units": "".join(f"{unit:04x}" for unit in units)}


def scalar(of: str, raw: bytes) -> Any:
    if of == "bool":
        return raw == b"\1"
    if of[0] == "i":
        return str(int.from_bytes(raw, "little", signed=True))
    return raw[::-1].hex()


def row(cursor: Cursor, kind: str, raw: bytes) -> dict[str, Any]:
    of = kinds.ROWS[kind]
    width = kinds.WIDTHS[of]
    start = cursor.pos - len(raw)
    for index, byte in enumerate(raw):
        if of == "bool" and byte > 1:
            cursor.fail("malformed", start + index)
    return {kind: [scalar(of, raw[i : i + width]) for i in range(0, len(raw), width)]}


def reference(cursor: Cursor) -> Any:
    at = cursor.pos
    head = cursor.varint()
    if head == 0:
        return None
    if not 1 <= head // 2 < 1 << 60:
        cursor.fail("malformed", at)
    if head % 2 == 0:
        return {"receiver": str(head // 2)}
    return {"sender": [str(head // 2), str(cursor.between(0, 1 << 31))]}


def container(cursor: Cursor, kind: str, at: int) -> dict[str, Any]:
    found: list[Any] = []
    for _ in cursor.open(at):
        if kind == "map":
            found = [[value(cursor, "any"), value(cursor, "any")] for _ in range(cursor.charged(6))]
        else:
            found = [value(cursor, "any") for _ in range(cursor.charged())]
    return {kind: found}


def tagged(cursor: Cursor) -> Any:
    at = cursor.pos
    tag = cursor.fixed(1)
    if tag < 3:
        return (None, False, True)[tag]
    if tag == 0x31:
        start = cursor.pos
        schema = cursor.name()
        if kinds.is_own(schema) is not False:
            cursor.fail("malformed", start)
        return {"pack": [schema, cursor.inline().hex()]}
    if tag == 0x32:
        start = cursor.pos
        kind = cursor.name()
        if not kinds.is_own(kind) or not kind.startswith("peer "):
            cursor.fail("malformed", start)
        return {"peer": [kind, value(cursor, kind)]}
    if tag not in kinds.TAGS:
        cursor.fail("malformed", at)
    kind = kinds.TAGS[tag]
    if kind in ("list", "set", "tuple", "map"):
        return container(cursor, kind, at)
    if kind == "bytes":
        return {"bytes": cursor.inline().hex()}
    if kind in kinds.ROWS:
        return row(cursor, kind, cursor.inline(kinds.WIDTHS[kinds.ROWS[kind]]))
    return value(cursor, kind)


def described(cursor: Cursor) -> Any:
    if not cursor.flag():
        return None

    def names() -> list[str]:
        return [cursor.name() for _ in range(cursor.charged())]

    info: dict[str, Any] = {"number": str(cursor.between(1, 1 << 31)), "name": cursor.name(), "form": cursor.byte_below(7)}
    info |= {"superclass": cursor.name(), "supertypes": names(), "functional": cursor.name()}
    info["inner"] = [[cursor.name(), cursor.name()] for _ in range(cursor.charged())]
    members = []
    for _ in range(cursor.charged()):
        member: dict[str, Any] = {"what": cursor.byte_below(3), "flags": cursor.byte_below(32), "name": cursor.name()}
        members.append(member | {"parameters": names(), "result": cursor.name()})
    return {"class": info | {"members": members}}


def value(cursor: Cursor, kind: str) -> Any:
    """One value of a kind."""
    at = cursor.pos
    if kind in ("void", "null"):
        return None
    if kind in kinds.WIDTHS:
        if kind == "bool":
            return cursor.flag()
        return {kind: scalar(kind, cursor.take(kinds.WIDTHS[kind]))}
    if kind == "string":
        return text(cursor.units())
    if kind == "bytes":
        raw = cursor.bulk(1)
        return {"blob": str(raw)} if isinstance(raw, int) else {"bytes": raw.hex()}
    if kind in kinds.ROWS:
        raw = cursor.bulk(kinds.WIDTHS[kinds.ROWS[kind]])
        return {"blob": str(raw)} if isinstance(raw, int) else row(cursor, kind, raw)
    if kind == "list<string>":
        return {"list<string>": [text(cursor.units()) for _ in range(cursor.charged())]}
    if kind == "object":
        return reference(cursor)
    if kind.startswith("object "):
        found = reference(cursor)
        return found if found and "receiver" in found else cursor.fail("malformed", at)
    if kind.split(" ")[0] == "peer":
        found = reference(cursor)
        return found if found and "sender" in found else cursor.fail("malformed", at)
    if kind == "result":
        return {"result": str(cursor.varint())}
    if kind == "any":
        return tagged(cursor)
    if kind in ("list", "set", "tuple", "map"):
        return container(cursor, kind, at)
    if kind == "class":
        return described(cursor)
    if kinds.is_own(kind):
        return value(cursor, kind.removeprefix("option<").removesuffix(">")) if cursor.flag() else None
    raw = cursor.bulk(1)
    return {"blob": str(raw)} if isinstance(raw, int) else {"pack": [kind, raw.hex()]}
