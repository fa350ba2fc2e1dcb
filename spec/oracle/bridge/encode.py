"""Writes values in their canonical form (bridge.md section 4), and descriptions of classes (section 9)."""

from __future__ import annotations

from typing import Any

from spec.oracle.bridge import kinds
from spec.oracle.core.primitives import varint

TAGS = {kind: tag for tag, kind in kinds.TAGS.items()}


def units(given: list[int]) -> bytes:
    if all(unit < 256 for unit in given):
        return varint(2 * len(given)) + bytes(given)
    return varint(2 * len(given) + 1) + b"".join(unit.to_bytes(2, "little") for unit in given)


def name(text: str) -> bytes:
    raw = text.encode("utf-16-le")
    return units([int.from_bytes(raw[i : i + 2], "little") for i in range(0, len(raw), 2)])


def names(texts: list[str]) -> bytes:
    return varint(len(texts)) + b"".join(map(name, texts))


def string(value: dict[str, str]) -> bytes:
    if "string" in value:
        return name(value["string"])
    return units([int(value["units"][i : i + 4], 16) for i in range(0, len(value["units"]), 4)])


def scalar(of: str, value: Any) -> bytes:
    if of == "bool":
        return bytes([value])
    if of[0] == "i":
        return int(value).to_bytes(kinds.WIDTHS[of], "little", signed=True)
    return bytes.fromhex(value)[::-1]


def blob(elements: int) -> bytes:
    return varint(2 * elements + 1)


def inline(raw: bytes, width: int = 1) -> bytes:
    return varint(2 * (len(raw) // width)) + raw


def row(kind: str, values: list[Any]) -> bytes:
    of = kinds.ROWS[kind]
    return inline(b"".join(scalar(of, value) for value in values), kinds.WIDTHS[of])


def reference(value: Any) -> bytes:
    if value is None:
        return b"\0"
    if "receiver" in value:
        return varint(2 * int(value["receiver"]))
    number, of_class = value["sender"]
    return varint(2 * int(number) + 1) + varint(int(of_class))


def entries(kind: str, values: list[Any]) -> bytes:
    flat = [part for entry in values for part in entry] if kind == "map" else values
    return varint(len(values)) + b"".join(map(tagged, flat))


def tagged(value: Any) -> bytes:
    if value is None or isinstance(value, bool):
        return bytes([1 + value if value is not None else 0])
    ((kind, inner),) = value.items()
    if kind == "pack":
        return b"\x31" + name(inner[0]) + inline(bytes.fromhex(inner[1]))
    if kind == "peer":
        return b"\x32" + name(inner[0]) + reference(inner[1])
    kind = {"units": "string", "receiver": "object", "sender": "object"}.get(kind, kind)
    return bytes([TAGS[kind]]) + encode(value, kind)


def described(value: Any) -> bytes:
    if value is None:
        return b"\0"
    info = value["class"]
    out = b"\1" + varint(int(info["number"])) + name(info["name"]) + bytes([info["form"]]) + name(info["superclass"])
    out += names(info["supertypes"]) + name(info["functional"])
    out += varint(len(info["inner"])) + b"".join(name(simple) + name(full) for simple, full in info["inner"])
    out += varint(len(info["members"]))
    for member in info["members"]:
        out += bytes([member["what"], member["flags"]]) + name(member["name"])
        out += names(member["parameters"]) + name(member["result"])
    return out


def encode(value: Any, kind: str) -> bytes:
    """The canonical bytes of a value in the notation of vectors."""
    if kind in ("void", "null"):
        return b""
    if kind == "any":
        return tagged(value)
    if kind == "class":
        return described(value)
    if kind.split(" ")[0] in ("object", "peer"):
        return reference(value)
    if kind.startswith("option<") and kinds.is_own(kind):
        return b"\0" if value is None else b"\1" + encode(value, kind.removeprefix("option<").removesuffix(">"))
    if kind == "bool":
        return scalar(kind, value)
    ((shape, inner),) = value.items()
    if shape == "blob":
        return blob(int(inner))
    if kind in kinds.WIDTHS:
        return scalar(kind, inner)
    if kind == "string":
        return string(value)
    if kind == "bytes":
        return inline(bytes.fromhex(inner))
    if kind in kinds.ROWS:
        return row(kind, inner)
    if kind == "list<string>":
        return varint(len(inner)) + b"".join(map(string, inner))
    if kind == "result":
        return varint(int(inner))
    if kind in ("list", "set", "tuple", "map"):
        return entries(kind, inner)
    return inline(bytes.fromhex(inner[1]))
