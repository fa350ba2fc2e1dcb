"""bytes, uuid, enum and option."""

from __future__ import annotations

from spec.oracle.pack.cases.table import Topic

TOPIC = Topic("plain", "pack.md#8-types")
SUIT = "enum Suit { spades, hearts, diamonds, clubs }"

for size in (0, 1, 127, 128, 300):
    TOPIC.canonical(f"bytes of {size}", "bytes", bytes(i * 7 % 256 for i in range(size)))
TOPIC.canonical("uuid", "uuid", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6")
TOPIC.canonical("uuid of zeros", "uuid", "00000000-0000-0000-0000-000000000000")
TOPIC.canonical("uuid of ones", "uuid", "ffffffff-ffff-ffff-ffff-ffffffffffff")
for symbol in ("clubs", "diamonds", "hearts", "spades"):
    TOPIC.canonical(f"enum {symbol}", SUIT, symbol)
TOPIC.canonical("enum of one symbol", "enum One { only }", "only")
TOPIC.canonical("enum sorted by code units", 'enum Sorted { b, B, a, "é", "\uffff", "\U0001f600" }', "\U0001f600")
MANY = "enum Many { " + ", ".join(f"s{i:03}" for i in range(200)) + " }"
TOPIC.canonical("enum with an index of two bytes", MANY, "s199")
TOPIC.canonical("null", "option<i32>", None)
TOPIC.canonical("not null", "option<i32>", -7)
TOPIC.canonical("option of bool, null", "option<bool>", None)
TOPIC.canonical("option of bool, false", "option<bool>", False)
TOPIC.canonical("option of bool, true", "option<bool>", True)
TOPIC.canonical("option of text", "option<string>", "text")
TOPIC.canonical("option of a list", "option<list<i64>>", [1, 2, 3])

TOPIC.rejected("bytes, a length that lies", "bytes", "80 05 01020304", "truncated", 6)
TOPIC.rejected("bytes, a length of 2^31 less one", "bytes", "80 ffffffff07", "truncated", 6)
TOPIC.rejected("bytes, a length of 2^31", "bytes", "80 8080808008", "bad_number", 1)
TOPIC.rejected("bytes, a length of 2^32", "bytes", "80 8080808010", "bad_number", 1)
TOPIC.rejected("bytes, an over-long length", "bytes", "80 8100 01", "bad_number", 1)
TOPIC.rejected("bytes and one more", "bytes", "80 01 0102", "trailing", 3)
TOPIC.rejected("uuid of 15 bytes", "uuid", "80 f81d4fae7dec11d0a76500a0c91e6b", "truncated", 16)
TOPIC.rejected("enum index too large", SUIT, "80 04", "malformed", 1)
TOPIC.rejected("enum index much too large", SUIT, "80 ffffffff07", "malformed", 1)
TOPIC.rejected("enum index of 2^31", SUIT, "80 8080808008", "bad_number", 1)
TOPIC.rejected("enum index over-long", SUIT, "80 8100", "bad_number", 1)
TOPIC.rejected("option without its flag", "option<i32>", "80", "truncated", 1)
TOPIC.rejected("option without its value", "option<i32>", "80 01", "truncated", 2)
TOPIC.rejected("option with an unused flag", "option<i32>", "80 03 02", "malformed", 1)
TOPIC.rejected("null and a value", "option<i32>", "80 00 02", "trailing", 2)
TOPIC.rejected("option of bool, byte 2", "option<bool>", "80 01 02", "malformed", 2)
TOPIC.rejected("option of bool, byte FF", "option<bool>", "80 01 ff", "malformed", 2)
