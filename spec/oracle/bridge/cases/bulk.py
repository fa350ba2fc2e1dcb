"""Bytes, and lists and arrays of fixed width: in the message, or as blobs (bridge.md sections 4 and 10)."""

from __future__ import annotations

from typing import Any

from spec.oracle.bridge.encode import blob
from spec.oracle.bridge.kinds import ROWS, WIDTHS
from spec.oracle.bridge.topic import Topic

TOPIC = Topic("bulk", "bridge.md#10-large-values")

SAMPLES: dict[str, list[Any]] = {
    "bool": [True, False, True],
    "i8": ["0", "-1", "127", "-128"],
    "i16": ["0", "-1", "32767", "-32768"],
    "i32": ["0", "-1", "2147483647", "-2147483648", "1000"],
    "i64": ["0", "-1", "9223372036854775807", "-9223372036854775808"],
    "f32": ["3f800000", "80000000", "7f800000", "7fc00000"],
    "f64": ["3ff8000000000000", "8000000000000000", "7ff0000000000000", "7ff8000000000000"],
    "char": ["0041", "d800", "ffff"],
}

TOPIC.value("bytes, empty", "bytes", {"bytes": ""})
TOPIC.value("bytes", "bytes", {"bytes": bytes(range(256)).hex()})
TOPIC.value("bytes, 63", "bytes", {"bytes": "ab" * 63})
TOPIC.value("bytes, 64", "bytes", {"bytes": "ab" * 64})
TOPIC.value("bytes, a blob", "bytes", {"blob": "65536"})
TOPIC.value("bytes, a small blob", "bytes", {"blob": "0"})
TOPIC.value("bytes, the largest blob", "bytes", {"blob": str(2**31 - 9)})
TOPIC.value("option of bytes, null", "option<bytes>", None)
TOPIC.value("option of bytes", "option<bytes>", {"bytes": "00ff"})
TOPIC.value("option of bytes, a blob", "option<bytes>", {"blob": "70000"})
for kind, of in ROWS.items():
    TOPIC.value(f"{kind}, empty", kind, {kind: []})
    TOPIC.value(f"{kind}", kind, {kind: SAMPLES[of]})
    TOPIC.value(f"{kind}, 100 times", kind, {kind: SAMPLES[of] * 100})
    TOPIC.value(f"{kind}, a blob", kind, {"blob": "65536"})
    TOPIC.value(f"option of {kind}, null", f"option<{kind}>", None)
    TOPIC.value(f"option of {kind}", f"option<{kind}>", {kind: SAMPLES[of][:1]})
    width = WIDTHS[of]
    TOPIC.refused(f"{kind} without bytes", kind, b"", "truncated", 0)
    TOPIC.refused(f"{kind} with a byte too few", kind, b"\x04" + bytes(2 * width - 1), "truncated", 2 * width)
    TOPIC.refused(f"{kind} with a byte too many", kind, b"\x04" + bytes(2 * width + 1), "trailing", 2 * width + 1)
    TOPIC.refused(f"{kind} of 2^62 elements", kind, b"\x80" * 9 + b"\1", "truncated", 10)
    TOPIC.refused(f"{kind} with an over-long number", kind, b"\x80\0", "bad_number", 0)
    most = (2**31 - 9) // width
    TOPIC.value(f"{kind}, the largest blob", kind, {"blob": str(most)})
    TOPIC.refused(f"{kind}, a larger blob", kind, blob(most + 1), "limit_size", 0)
for kind in ("list<bool>", "array<bool>"):
    TOPIC.refused(f"{kind} with a byte 2", kind, b"\x06\1\0\2", "malformed", 3)
    TOPIC.refused(f"{kind} with a byte 255", kind, b"\x04\xff\0", "malformed", 1)
TOPIC.refused("bytes cut", "bytes", b"\x08abc", "truncated", 4)
TOPIC.refused("bytes of 2^63 - 1", "bytes", b"\xfe" + b"\xff" * 8 + b"\1", "truncated", 10)
TOPIC.refused("blob of 2^63 - 1", "bytes", b"\xff" * 9 + b"\1", "limit_size", 0)
TOPIC.refused("blob beyond its limit", "bytes", b"\x83\x80\x08", "limit_size", 0, blob_bytes=65536)
TOPIC.refused("blob of elements beyond its limit", "list<i64>", b"\x83\x80\x01", "limit_size", 0, blob_bytes=65536)
TOPIC.refused("option of a blob beyond its limit", "option<list<i64>>", b"\1\x83\x80\x01", "limit_size", 1, blob_bytes=65536)
TOPIC.refused("option of bytes cut", "option<bytes>", b"\1\x04a", "truncated", 3)
TOPIC.value("pack message", "struct Item {id: i32}", {"pack": ["struct Item {id: i32}", "400a"]})
TOPIC.value("pack message of a list", "list<timestamp>", {"pack": ["list<timestamp>", "4000"]})
TOPIC.value("pack message of an option", "option<bigint>", {"pack": ["option<bigint>", "4000"]})
TOPIC.value("pack message, a blob", "list<struct A {}>", {"blob": "100000"})
TOPIC.refused("pack message cut", "timestamp", b"\x04a", "truncated", 2)
