"""The header byte, the digest, and the limit on a message's length."""

from __future__ import annotations

from spec.oracle.pack.canonical import canonical, digest
from spec.oracle.pack.cases.table import Topic
from spec.oracle.pack.parse import parse

TOPIC = Topic("headers", "pack.md#5-message")
BOOK = "struct Book { id: string, title: string, year: i32, read: bool, note: option<string> }"
RIGHT = digest(canonical(parse("i32"))).hex()
WRONG = digest("i64").hex()

TOPIC.canonical("a digest and text", BOOK, {"id": "b", "title": "T\u4e2d", "year": 1, "read": True, "note": None}, named=8)
TOPIC.canonical("a digest in fast", "list<string>", ["ab", "ab"], "fast", named=8)
TOPIC.canonical("a check", "i32", 1, named=2)
TOPIC.canonical("a check and text", BOOK, {"id": "b", "title": "T\u4e2d", "year": 1, "read": True, "note": None}, named=2)
TOPIC.canonical("a check in fast", "list<string>", ["ab", "ab"], "fast", named=2)
TOPIC.canonical("a check and an aligned array", "list<f64>", [f"3ff{i:013x}" for i in range(16)], named=2)
TOPIC.accepted("a digest that nobody asked for, with text", "string", f"91 {digest('string').hex()} 02 6162 02", "ab")
TOPIC.accepted("a check that nobody asked for", "i32", f"c0 {RIGHT[:4]} 02", 1)
TOPIC.accepted("a check that nobody asked for, with text", "string", f"c1 {digest('string').hex()[:4]} 02 6162 02", "ab")
TOPIC.accepted(
    "all flags of a digest",
    "list<string>",
    f"bf {digest('list<string>').hex()} 02 01 03 6162 004e 616263 000000000000 04 02 63 71 80",
    ["ab", "\u4e00", "abc", "ab"],
)
TOPIC.accepted(
    "all flags of a check",
    "list<string>",
    f"ef {digest('list<string>').hex()[:4]} 02 01 03 6162 004e 616263 00000000 04 02 63 71 80",
    ["ab", "\u4e00", "abc", "ab"],
)

TOPIC.rejected("no header", "i32", "", "truncated", 0)
TOPIC.rejected("all bits clear", "i32", "00 02", "unsupported", 0)
TOPIC.rejected("all bits but the version's", "i32", "7f", "unsupported", 0)
TOPIC.rejected("a version before the first", "i32", "40 02", "unsupported", 0)
TOPIC.rejected("JSON", "i32", "7b226122", "unsupported", 0)
TOPIC.rejected("a digest and a check", "i32", f"d0 {RIGHT} {RIGHT[:4]} 02", "malformed", 0)
TOPIC.rejected("all bits set", "i32", "ff", "malformed", 0)
TOPIC.rejected("a wrong check", "i32", f"c0 {WRONG[:4]} 02", "schema_mismatch", 1)
TOPIC.rejected("a check whose second byte differs", "i32", f"c0 {int(RIGHT[:4], 16) ^ 1:04x} 02", "schema_mismatch", 1)
TOPIC.rejected("a check whose first byte differs", "i32", f"c0 {int(RIGHT[:4], 16) ^ 256:04x} 02", "schema_mismatch", 1)
TOPIC.rejected("a check cut", "i32", f"c0 {RIGHT[:2]}", "truncated", 2)
TOPIC.rejected("a check missing", "i32", "c0", "truncated", 1)
TOPIC.rejected("a wrong check comes before the lengths", "i32", f"c3 {WRONG[:4]} 00", "schema_mismatch", 1)
TOPIC.rejected("nothing after the check", "i32", f"c0 {RIGHT[:4]}", "truncated", 3)
TOPIC.rejected("a wrong digest", "i32", f"90 {WRONG} 02", "schema_mismatch", 1)
TOPIC.rejected("a digest with one bit changed", "i32", f"90 {int(RIGHT, 16) ^ 1:016x} 02", "schema_mismatch", 1)
TOPIC.rejected("a digest byte by byte reversed", "i32", f"90 {bytes.fromhex(RIGHT)[::-1].hex()} 02", "schema_mismatch", 1)
TOPIC.rejected("a digest cut", "i32", f"90 {RIGHT[:14]}", "truncated", 8)
TOPIC.rejected("a digest missing", "i32", "90", "truncated", 1)
TOPIC.rejected("a wrong digest comes before the lengths", "i32", f"93 {WRONG} 00", "schema_mismatch", 1)
TOPIC.rejected("nothing after the digest", "i32", f"90 {RIGHT}", "truncated", 9)
TOPIC.rejected("a value and one byte more", "i32", "80 02 00", "trailing", 2)
TOPIC.rejected("a value and 63 bytes more", "i32", "80 02" + "ff" * 63, "trailing", 2)
TOPIC.rejected("frame limit", "i32", "80 02", "limit_size", 0, frame_bytes=1)
TOPIC.rejected("frame limit comes first", "i32", "00 02 03 04", "limit_size", 0, frame_bytes=3)
TOPIC.rejected("Latin-1 length missing", "string", "81", "truncated", 1)
TOPIC.rejected("wide length missing", "string", "83 01", "truncated", 2)
TOPIC.rejected("UTF-8 length missing", "string", "a3 01 01", "truncated", 3)
TOPIC.rejected("no values", "string", "81 02 6162", "truncated", 4)
