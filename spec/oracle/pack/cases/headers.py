"""The header byte, the digest, and the limit on a message's length."""

from __future__ import annotations

from spec.oracle.pack.canonical import canonical, digest
from spec.oracle.pack.cases.table import Topic
from spec.oracle.pack.parse import parse

TOPIC = Topic("headers", "pack.md#5-message")
BOOK = "struct Book { id: string, title: string, year: i32, read: bool, note: option<string> }"
RIGHT = digest(canonical(parse("i32"))).hex()
WRONG = digest("i64").hex()

TOPIC.canonical("a digest and text", BOOK, {"id": "b", "title": "T\u4e2d", "year": 1, "read": True, "note": None}, digest=True)
TOPIC.canonical("a digest in fast", "list<string>", ["ab", "ab"], "fast", digest=True)
TOPIC.accepted("a digest that nobody asked for, with text", "string", f"51 {digest('string').hex()} 02 6162 02", "ab")
TOPIC.accepted(
    "all flags", "list<string>", f"7f {digest('list<string>').hex()} 02 01 6162 004e 0000 03 02 63 80", ["ab", "\u4e00", "ab"]
)

TOPIC.rejected("no header", "i32", "", "truncated", 0)
TOPIC.rejected("version 0", "i32", "00 02", "unsupported", 0)
TOPIC.rejected("version 2", "i32", "80 02", "unsupported", 0)
TOPIC.rejected("version 3", "i32", "c0 02", "unsupported", 0)
TOPIC.rejected("all bits set", "i32", "ff", "unsupported", 0)
TOPIC.rejected("JSON", "i32", "7b226122", "truncated", 4)
TOPIC.rejected("a wrong digest", "i32", f"50 {WRONG} 02", "schema_mismatch", 1)
TOPIC.rejected("a digest with one bit changed", "i32", f"50 {int(RIGHT, 16) ^ 1:016x} 02", "schema_mismatch", 1)
TOPIC.rejected("a digest byte by byte reversed", "i32", f"50 {bytes.fromhex(RIGHT)[::-1].hex()} 02", "schema_mismatch", 1)
TOPIC.rejected("a digest cut", "i32", f"50 {RIGHT[:14]}", "truncated", 8)
TOPIC.rejected("a digest missing", "i32", "50", "truncated", 1)
TOPIC.rejected("a wrong digest comes before the lengths", "i32", f"53 {WRONG} 00", "schema_mismatch", 1)
TOPIC.rejected("nothing after the digest", "i32", f"50 {RIGHT}", "truncated", 9)
TOPIC.rejected("a value and one byte more", "i32", "40 02 00", "trailing", 2)
TOPIC.rejected("a value and 63 bytes more", "i32", "40 02" + "ff" * 63, "trailing", 2)
TOPIC.rejected("frame limit", "i32", "40 02", "limit_size", 0, frame_bytes=1)
TOPIC.rejected("frame limit comes first", "i32", "00 02 03 04", "limit_size", 0, frame_bytes=3)
TOPIC.rejected("Latin-1 length missing", "string", "41", "truncated", 1)
TOPIC.rejected("wide length missing", "string", "43 01", "truncated", 2)
TOPIC.rejected("no values", "string", "41 02 6162", "truncated", 4)
