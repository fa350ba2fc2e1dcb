"""Reads and writes messages (bridge.md sections 2, 3, 5, 7, 8 and 9) in the notation of spec/vectors/README.md."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from spec.oracle.bridge import decode, kinds
from spec.oracle.bridge.cursor import Cursor
from spec.oracle.bridge.encode import encode, inline, name, names, reference, string
from spec.oracle.core.errors import SamewireError
from spec.oracle.core.primitives import varint

BYTES = {"hello": 0x01, "welcome": 0x02, "refused": 0x03, "call": 0x10, "first call": 0x11, "batch": 0x12, "nothing": 0x20,
         "return": 0x21, "first return": 0x22, "throw": 0x23, "batch return": 0x24, "blob": 0x28, "release": 0x30,
         "interrupt": 0x31, "ping": 0x32, "pong": 0x33, "bye": 0x34, "more": 0x35}  # fmt: skip
MESSAGES = {byte: message for message, byte in BYTES.items()}
CALLS = ("call", "first call")
REPLIES = ("nothing", "return", "first return", "throw")


@dataclass
class Site:
    """What a message without kinds refers to: those of its site."""

    arguments: list[str] = field(default_factory=list)
    result: str = "void"


def version(cursor: Cursor) -> None:
    at = cursor.pos
    if cursor.fixed(2) != 1:
        cursor.fail("unsupported", at)


def records(cursor: Cursor) -> list[list[str]]:
    return [[cursor.name(), cursor.take(8).hex()] for _ in range(cursor.count())]


def hello(cursor: Cursor) -> dict[str, Any]:
    if len(cursor.data) > 65_536:
        cursor.fail("limit_size", 0)
    version(cursor)
    found: dict[str, Any] = {"role": cursor.byte_below(3), "token": cursor.inline().hex()}
    at = cursor.pos
    session = cursor.inline()
    if len(session) not in ((0,), (16, 20), (16,))[found["role"]]:
        cursor.fail("malformed", at)
    found |= {"session": session.hex(), "language": cursor.name(), "process": str(cursor.fixed(8)), "wants": cursor.names()}
    found |= {"records": records(cursor), "ring": None}
    if cursor.flag():
        path, at, capacity = cursor.name(), cursor.pos, cursor.fixed(4)
        if capacity not in [1 << power for power in range(16, 25)]:
            cursor.fail("malformed", at)
        found["ring"] = {"path": path, "capacity": str(capacity), "generation": str(cursor.fixed(8))}
    return found


def put_hello(body: dict[str, Any]) -> bytes:
    out = b"\1\0" + bytes([body["role"]]) + inline(bytes.fromhex(body["token"])) + inline(bytes.fromhex(body["session"]))
    out += name(body["language"]) + int(body["process"]).to_bytes(8, "little") + names(body["wants"])
    out += put_records(body["records"])
    if body["ring"] is None:
        return out + b"\0"
    ring = body["ring"]
    out += b"\1" + name(ring["path"]) + int(ring["capacity"]).to_bytes(4, "little")
    return out + int(ring["generation"]).to_bytes(8, "little")


def put_records(given: list[list[str]]) -> bytes:
    return varint(len(given)) + b"".join(name(record) + bytes.fromhex(digest) for record, digest in given)


def welcome(cursor: Cursor) -> dict[str, Any]:
    version(cursor)
    at = cursor.pos
    session = cursor.inline()
    if len(session) != 16:
        cursor.fail("malformed", at)
    found: dict[str, Any] = {"session": session.hex(), "channel": str(cursor.fixed(4)), "language": cursor.name()}
    found |= {"process": str(cursor.fixed(8)), "takes": cursor.names(), "records": records(cursor)}
    at = cursor.pos
    found["frame_bytes"] = str(cursor.fixed(4))
    if found["frame_bytes"] == "0":
        cursor.fail("malformed", at)
    return found | {"ring": cursor.flag()}


def put_welcome(body: dict[str, Any]) -> bytes:
    out = b"\1\0" + inline(bytes.fromhex(body["session"])) + int(body["channel"]).to_bytes(4, "little")
    out += name(body["language"]) + int(body["process"]).to_bytes(8, "little") + names(body["takes"])
    return out + put_records(body["records"]) + int(body["frame_bytes"]).to_bytes(4, "little") + bytes([body["ring"]])


def definition(cursor: Cursor) -> dict[str, Any]:
    found: dict[str, Any] = {"action": cursor.byte_below(8), "class": cursor.name(), "member": cursor.name()}
    at = cursor.pos
    count = cursor.count()
    if count > 256:
        cursor.fail("limit_items", at)
    found["arguments"] = [kind(cursor, kinds.argument) for _ in range(count)]
    return found | {"result": kind(cursor, lambda text: text in ("", "value") or kinds.result(text))}


def kind(cursor: Cursor, fits: Any) -> str:
    at = cursor.pos
    text = cursor.name()
    return text if fits(text) else cursor.fail("malformed", at)


def put_definition(of: dict[str, Any]) -> bytes:
    out = bytes([of["action"]]) + name(of["class"]) + name(of["member"])
    return out + names(of["arguments"]) + name(of["result"])


def throw(cursor: Cursor) -> dict[str, Any]:
    found: dict[str, Any] = {"object": decode.reference(cursor), "type": cursor.name()}
    at = cursor.pos
    found["code"] = cursor.name()
    if found["code"]:
        cursor.pos = at
        cursor.code()
    return found | {"message": decode.value(cursor, "option<string>"), "trace": decode.value(cursor, "string")}


def put_throw(body: dict[str, Any]) -> bytes:
    out = reference(body["object"]) + name(body["type"]) + name(body["code"])
    return out + encode(body["message"], "option<string>") + string(body["trace"])


def batch(cursor: Cursor, site: Site, of: tuple[str, ...]) -> list[Any]:
    found = []
    for _ in range(cursor.charged()):
        length = cursor.varint()
        at = cursor.pos
        part = cursor.take(length)
        if not part or MESSAGES.get(part[0]) not in of:
            cursor.fail("malformed", at)
        inner = Cursor(part, cursor.limits, cursor.blob_bytes, cursor.uses, in_batch=True)
        found.append(read(inner, site))
    return found


def body(cursor: Cursor, message: str, site: Site) -> Any:
    if message in CALLS:
        found: dict[str, Any] = {"site": str(cursor.between(message == "call", 1 << 16))}
        given = site.arguments
        if message == "first call":
            found["definition"] = definition(cursor)
            given = found["definition"]["arguments"]
        return found | {"arguments": [decode.value(cursor, kind) for kind in given]}
    if message == "return":
        return decode.value(cursor, site.result)
    if message == "first return":
        of = kind(cursor, kinds.result)
        return {"kind": of, "value": decode.value(cursor, of)}
    if message == "blob":
        raw = cursor.data[1:]
        if len(raw) > 1 << 20:
            cursor.fail("limit_size", 0)
        return cursor.take(max(1, len(raw))).hex()
    if message == "release":
        return [[str(cursor.between(1, 1 << 60)), str(cursor.between(1, 1 << 64))] for _ in range(cursor.charged(6))]
    if message in ("batch", "batch return"):
        return batch(cursor, site, CALLS if message == "batch" else REPLIES)
    if message == "interrupt":
        return str(cursor.between(0, 1 << 32))
    if message in ("ping", "pong"):
        return str(cursor.fixed(8))
    if message in ("refused", "bye"):
        return {"code": cursor.code(), "text": cursor.name()}
    readers = {"hello": hello, "welcome": welcome, "throw": throw}
    return readers[message](cursor) if message in readers else None


def read(cursor: Cursor, site: Site) -> dict[str, Any]:
    """A whole message, `{its name: its body}`. Raises `SamewireError`."""
    byte = cursor.fixed(1)
    if byte not in MESSAGES:
        cursor.fail("malformed", 0)
    message = MESSAGES[byte]
    found = {message: body(cursor, message, site)}
    cursor.finish()
    return found


def write(message: dict[str, Any], site: Site) -> bytes:
    """The canonical bytes of a message."""
    ((form, found),) = message.items()
    out = bytes([BYTES[form]])
    if form in CALLS:
        given = site.arguments
        out += varint(int(found["site"]))
        if form == "first call":
            out += put_definition(found["definition"])
            given = found["definition"]["arguments"]
        return out + b"".join(encode(value, kind) for value, kind in zip(found["arguments"], given, strict=True))
    if form == "return":
        return out + encode(found, site.result)
    if form == "first return":
        return out + name(found["kind"]) + encode(found["value"], found["kind"])
    if form == "blob":
        return out + bytes.fromhex(found)
    if form == "release":
        return out + varint(len(found)) + b"".join(varint(int(number)) + varint(int(count)) for number, count in found)
    if form in ("batch", "batch return"):
        parts = [write(part, site) for part in found]
        return out + varint(len(parts)) + b"".join(varint(len(part)) + part for part in parts)
    if form == "interrupt":
        return out + varint(int(found))
    if form in ("ping", "pong"):
        return out + int(found).to_bytes(8, "little")
    if form in ("refused", "bye"):
        return out + name(found["code"]) + name(found["text"])
    writers = {"hello": put_hello, "welcome": put_welcome, "throw": put_throw}
    return out + writers[form](found) if form in writers else out


def frames(data: bytes, frame_bytes: int) -> tuple[list[bytes], SamewireError | None]:
    """The messages of a stream, and what is wrong behind them: `truncated` if it ends inside a frame."""
    found: list[bytes] = []
    pos = 0
    while pos < len(data):
        if pos + 4 > len(data):
            return found, SamewireError("truncated", len(data), None, "")
        length = int.from_bytes(data[pos : pos + 4], "little")
        if length == 0 or length > frame_bytes:
            return found, SamewireError("malformed" if length == 0 else "limit_size", pos, None, "")
        if pos + 4 + length > len(data):
            return found, SamewireError("truncated", len(data), None, "")
        found.append(data[pos + 4 : pos + 4 + length])
        pos += 4 + length
    return found, None
