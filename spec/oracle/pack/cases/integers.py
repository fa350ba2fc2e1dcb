"""Booleans and integers of fixed width."""

from __future__ import annotations

from spec.oracle.pack.cases.table import Topic

TOPIC = Topic("integers", "pack.md#8-types")

for bits in (8, 16, 32, 64):
    low, high, top = -(1 << bits - 1), (1 << bits - 1) - 1, (1 << bits) - 1
    for value in dict.fromkeys([0, 1, -1, 63, 64, -64, -65, 100, 127, -128, low, high]):
        TOPIC.canonical(f"i{bits} {value}", f"i{bits}", value)
    for value in dict.fromkeys([0, 1, 127, 128, 255, high, high + 1, top]):
        if value <= top:
            TOPIC.canonical(f"u{bits} {value}", f"u{bits}", value)

TOPIC.canonical("true", "bool", True)
TOPIC.canonical("false", "bool", False)
TOPIC.canonical("fast differs in the header alone", "i32", 5, "fast")
TOPIC.canonical("header with a digest", "i32", 5, named=8)
TOPIC.canonical("header with a digest, fast", "u64", (1 << 64) - 1, "fast", named=8)

TOPIC.rejected("bool with an unused flag", "bool", "80 02", "malformed", 1)
TOPIC.rejected("bool with all flags", "bool", "80 ff", "malformed", 1)
TOPIC.rejected("bool missing", "bool", "80", "truncated", 1)
TOPIC.rejected("i64 over-long zero", "i64", "80 8000", "bad_number", 1)
TOPIC.rejected("i64 over-long one", "i64", "80 828000", "bad_number", 1)
TOPIC.rejected("i64 of eleven bytes", "i64", "80 ffffffffffffffffffff01", "bad_number", 1)
TOPIC.rejected("i64 beyond 64 bits", "i64", "80 ffffffffffffffffff02", "bad_number", 1)
TOPIC.rejected("u64 beyond 64 bits", "u64", "80 80808080808080808002", "bad_number", 1)
TOPIC.rejected("u64 over-long in ten bytes", "u64", "80 80808080808080808000", "bad_number", 1)
TOPIC.rejected("i32 beyond 32 bits", "i32", "80 ffffffff1f", "bad_number", 1)
TOPIC.rejected("i32 of six bytes", "i32", "80 ffffffffff01", "bad_number", 1)
TOPIC.rejected("u32 beyond 32 bits", "u32", "80 8080808010", "bad_number", 1)
TOPIC.rejected("u32 over-long", "u32", "80 ffff00", "bad_number", 1)
TOPIC.rejected("i16 beyond 16 bits", "i16", "80 808004", "bad_number", 1)
TOPIC.rejected("u16 beyond 16 bits", "u16", "80 808004", "bad_number", 1)
TOPIC.rejected("u16 of four bytes", "u16", "80 ffffff01", "bad_number", 1)
TOPIC.rejected("i16 over-long", "i16", "80 818000", "bad_number", 1)
TOPIC.rejected("i8 missing", "i8", "80", "truncated", 1)
TOPIC.rejected("u64 cut inside", "u64", "80 ffffff", "truncated", 4)
TOPIC.rejected("i8 and a byte more", "i8", "80 0101", "trailing", 2)
TOPIC.rejected("i64 and a byte more", "i64", "80 0100", "trailing", 2)
TOPIC.rejected("i64 of ten bytes, a high bit in the last", "i64", "80" + "ff" * 10, "bad_number", 1)
TOPIC.rejected("u64 of ten bytes, a high bit in the last", "u64", "80" + "80" * 10, "bad_number", 1)
TOPIC.rejected("i32 of five bytes, a high bit in the last", "i32", "80" + "ff" * 5, "bad_number", 1)
TOPIC.rejected("u32 of five bytes, a high bit in the last", "u32", "80" + "80" * 5, "bad_number", 1)
TOPIC.rejected("i16 of three bytes, a high bit in the last", "i16", "80" + "ff" * 3, "bad_number", 1)
TOPIC.rejected("u16 of three bytes, a high bit in the last", "u16", "80" + "80" * 3, "bad_number", 1)
