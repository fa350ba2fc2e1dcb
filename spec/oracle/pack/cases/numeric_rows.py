"""Numeric rows: few numbers, packed blocks, raw runs and their alignment."""

from __future__ import annotations

from spec.oracle.pack.cases.table import Topic, f32, f64, varint
from spec.oracle.pack.schema import INTEGERS, SIGNED

TOPIC = Topic("numeric_rows", "pack.md#9-numeric-rows")


def mixed(count: int, bits: int, signed: bool) -> list[int]:
    """Returns numbers that look random, most of them small."""
    numbers, state = [], 12345
    for i in range(count):
        state = (state * 1103515245 + 12345) % (1 << 31)
        number = (state >> 8) % (1 << min(bits - 1, 3 + i % 11))
        numbers.append(-number if signed and state & 1 else number)
    return numbers


for name, bits in INTEGERS.items():
    low, high = (-1 << bits - 1, (1 << bits - 1) - 1) if name in SIGNED else (0, (1 << bits) - 1)
    signed = name in SIGNED
    for count in (15, 16, 127, 128, 129):
        TOPIC.canonical(f"{count} of {name}", f"list<{name}>", mixed(count, bits, signed))
    TOPIC.canonical(f"16 extremes of {name}", f"list<{name}>", [low, high] * 8)
    TOPIC.canonical(f"15 extremes of {name}", f"list<{name}>", [low, high] * 7 + [low])
    TOPIC.canonical(f"40 of {name}, fast", f"list<{name}>", mixed(40, bits, signed), "fast")
for count in (0, 1, 15, 16, 17):
    TOPIC.canonical(f"{count} of f32", "list<f32>", [f32(i + 0.5) for i in range(count)])
for count in (0, 1, 7, 8, 9):
    TOPIC.canonical(f"{count} of f64", "list<f64>", [f64(i + 0.5) for i in range(count)])
TOPIC.both("floats without numbers among them", "list<f64>", [f64(float("inf")), "7ff8000000000000", f64(-0.0)] * 4)
TOPIC.canonical("f32 likewise", "list<f32>", [f32(float("-inf")), "7fc00000", f32(-0.0), "00000001"] * 5)

I64 = "list<i64>"
TOPIC.canonical("zeros take one bit each", I64, [0] * 300)
TOPIC.canonical("ones", I64, [1] * 128)
TOPIC.canonical("minus ones", I64, [-1] * 128)
TOPIC.canonical("one negative turns the row", I64, [5] * 127 + [-1])
TOPIC.canonical("one exception", I64, [3] * 20 + [1 << 40] + [3] * 20)
TOPIC.canonical("an exception at each end", I64, [1 << 50] + [1] * 126 + [(1 << 63) - 1])
TOPIC.canonical("exceptions in the second block only", I64, [7] * 128 + [7, 7, 100_000, 7])
TOPIC.canonical("blocks of three widths and a last one of one", I64, [1] * 128 + [1000] * 128 + [70_000] * 128 + [5])
TOPIC.canonical("an exception of the greatest u64", "list<u64>", [1] * 100 + [(1 << 64) - 1])
TOPIC.canonical("an exception of the least i64", I64, [1] * 100 + [-(1 << 63)])
TOPIC.canonical("32 bits wide", "list<u32>", [(1 << 32) - 1 - i for i in range(9)] + [0] * 119)
TOPIC.canonical("33 bits are exceptions to 32", "list<u64>", [(1 << 33) - 1 - i for i in range(20)])
TOPIC.canonical("34 bits, all exceptions or raw", "list<i64>", [(1 << 34) + i for i in range(130)])
TOPIC.canonical("wide numbers are raw", "list<u64>", [(1 << 63) + i * 7919 for i in range(130)])
TOPIC.canonical("packed would be as long as raw", "list<u16>", [65535 - i for i in range(16)])
TOPIC.canonical("raw below 64 bytes is not aligned", "list<u16>", [65535 - i for i in range(31)])
TOPIC.canonical("raw of 64 bytes is aligned", "list<u16>", [65535 - i for i in range(32)])
TOPIC.canonical("a tie takes the least width", "list<u16>", [1] * 15 + [2])
# A writer that stops searching once no smaller width can win must not stop while one can still tie.
for kind in ("u16", "u32", "u64"):
    TOPIC.canonical(f"a tie with the least width of all, {kind}", f"list<{kind}>", [0] * 8 + [1] * 10 + [4, 4])
for kind in ("i32", "i64"):
    TOPIC.canonical(f"a tie with the least width of all, {kind}", f"list<{kind}>", [0] * 8 + [-1] * 10 + [2, 2])
for width in range(1, 33):
    TOPIC.canonical(f"width {width}", "list<u64>", [(1 << width) - 1 - i % 2 for i in range(24)])
TOPIC.canonical("10,000 ids, the first 2,000", "list<i32>", [i * i % 7919 for i in range(2000)])
TOPIC.canonical("9 f64 after text of each length", "tuple<string, list<f64>>", ["abc", [f64(i) for i in range(9)]])
for length in (4, 5, 6, 7, 8):
    TOPIC.canonical(f"aligned after {length} characters", "tuple<string, list<f64>>", ["a" * length, [f64(i) for i in range(8)]])
for length in range(7):
    TOPIC.canonical(
        f"padding before the run, {length} bytes of blob", "tuple<bytes, list<f64>>", [b"\x07" * length, [f64(1)] * 8]
    )
TOPIC.canonical("aligned with a digest", "list<f64>", [f64(i) for i in range(8)], named=8)
TOPIC.canonical("aligned behind wide text", "tuple<string, list<f32>>", ["\u4e2d\u6587!", [f32(i) for i in range(16)]])
TOPIC.canonical(
    "two aligned runs", "tuple<list<f32>, i8, list<f64>>", [[f32(i) for i in range(17)], 1, [f64(i) for i in range(8)]]
)
EMPTY = [part for kind in (*INTEGERS, "f32", "f64") for part in (f"list<{kind}>", "u8")]
TOPIC.both("empty rows of every kind, a byte after each", f"tuple<{', '.join(EMPTY)}>", [[], 7] * (len(EMPTY) // 2))
TOPIC.canonical("an empty row before an aligned run", "tuple<list<f64>, list<f64>, i8>", [[], [f64(i) for i in range(8)], 1])
TOPIC.canonical("runs within a list", "list<list<f64>>", [[f64(i)] * (6 + i) for i in range(5)])
TOPIC.canonical("a map to floats", "map<i8, f64>", [[i, f64(i / 4)] for i in range(12)])
TOPIC.canonical("a map from u64 to f32, fast", "map<u64, f32>", [[i << 40, f32(i)] for i in range(20)], "fast")
TOPIC.both("a list of u8 has the bytes of bytes", "list<u8>", list(range(0, 255, 5)))
TOPIC.canonical("dates are no numeric row", "list<date>", list(range(40)))

# 1 byte of header, count 16, mode, head of a block
TOPIC.accepted("wider than needed", "list<u16>", "80 10 01 08" + "05" * 16, [5] * 16)
TOPIC.accepted("32 bits for an i16", "list<i16>", "80 10 01 20" + "05000000" * 16, [5] * 16)
TOPIC.accepted("zigzag without a negative", "list<i32>", "80 10 02 08" + "04" * 16, [2] * 16)
TOPIC.accepted("raw though packed is shorter", "list<u16>", "80 10 00" + "0500" * 16, [5] * 16)
TOPIC.accepted("raw and aligned", "list<i32>", "88 10 00 0000000000" + "05000000" * 16, [5] * 16)
TOPIC.accepted("exceptions that are not needed", "list<u16>", "80 10 01 81 01" + "ffff" + "00" + "01", [3] + [1] * 15)
TOPIC.accepted("unused bits at the end", "list<u16>", "80 11 01 01 0000fe", [0] * 17)
TOPIC.accepted("unused bits after five bits each", "list<u16>", "80 11 01 05" + "00" * 10 + "f0", [0] * 16 + [16])
TOPIC.accepted("every one an exception", "list<u16>", "80 10 01 81 10 0000" + bytes(range(16)).hex() + "01" * 16, [2] * 16)
TOPIC.accepted("ALIGNED before short floats", "list<f64>", "88 02" + "00" * 16, [f64(0)] * 2)

TOPIC.rejected("15 numbers, one over-long", "list<i32>", "80 0f" + "02" * 13 + "8000" + "02", "bad_number", 15)
TOPIC.rejected("15 numbers, one beyond i16", "list<i16>", "80 0f" + "02" * 12 + "808004" + "0202", "bad_number", 14)
TOPIC.rejected("15 numbers, the last cut", "list<i32>", "80 0f" + "02" * 14 + "80", "truncated", 17)
TOPIC.rejected("mode 3", "list<i32>", "80 10 03" + "00" * 20, "malformed", 2)
TOPIC.rejected("mode 255", "list<i32>", "80 10 ff" + "00" * 20, "malformed", 2)
TOPIC.rejected("zigzag for an unsigned type", "list<u32>", "80 10 02 08" + "04" * 16, "malformed", 2)
TOPIC.rejected("width 0", "list<u16>", "80 10 01 00" + "00" * 20, "malformed", 3)
TOPIC.rejected("width 33", "list<u64>", "80 10 01 21" + "00" * 80, "malformed", 3)
TOPIC.rejected("width 63", "list<u64>", "80 10 01 3f" + "00" * 130, "malformed", 3)
TOPIC.rejected("bit 6 of a block's head", "list<u16>", "80 10 01 48" + "00" * 20, "malformed", 3)
TOPIC.rejected("bit 6 and exceptions", "list<u16>", "80 10 01 c8 01" + "00" * 20, "malformed", 3)
TOPIC.rejected("no exceptions though announced", "list<u16>", "80 10 01 81 00 0000", "malformed", 3)
TOPIC.rejected("17 exceptions among 16", "list<u16>", "80 10 01 81 11 0000" + "00" * 40, "malformed", 3)
TOPIC.rejected("129 exceptions among 128", "list<u16>", "80 8001 01 81 81" + "00" * 300, "malformed", 4)
TOPIC.rejected("a position out of range", "list<u16>", "80 10 01 81 01 0000 10 01", "malformed", 3)
TOPIC.rejected("a position out of the last block", "list<u16>", "80 8201 01 01" + "00" * 16 + "81 01 00 02 01", "malformed", 21)
TOPIC.rejected("positions that repeat", "list<u16>", "80 10 01 81 02 0000 0505 0101", "malformed", 3)
TOPIC.rejected("positions that descend", "list<u16>", "80 10 01 81 02 0000 0605 0101", "malformed", 3)
TOPIC.rejected("an exception of zero", "list<u16>", "80 10 01 81 01 0000 00 00", "malformed", 3)
TOPIC.rejected("an exception over-long", "list<u16>", "80 10 01 81 01 0000 00 8100", "bad_number", 8)
TOPIC.rejected(
    "an exception beyond 64 bits of its own", "list<u64>", "80 10 01 81 01 0000 00 ffffffffffffffffff02", "bad_number", 8
)
TOPIC.rejected(
    "an exception beyond 64 bits with its low ones", "list<u64>", "80 10 01 81 01 0000 00" + varint(1 << 63), "bad_number", 3
)
TOPIC.rejected("an exception beyond u16", "list<u16>", "80 10 01 81 01 0000 00" + varint(1 << 15), "bad_number", 3)
TOPIC.rejected("a plain value beyond i16", "list<i16>", "80 10 01 10 0080" + "0000" * 15, "bad_number", 3)
TOPIC.rejected("a plain value beyond i64", "list<i64>", "80 10 01 81 01 0000 00" + varint(1 << 62), "bad_number", 3)
TOPIC.rejected("a plain value beyond u16", "list<u16>", "80 10 01 11 000001" + "00" * 31, "bad_number", 3)
TOPIC.rejected("a zigzag value beyond i16", "list<i16>", "80 10 02 11 000001" + "00" * 31, "bad_number", 3)
TOPIC.rejected("a zigzag value beyond i32", "list<i32>", "80 10 02 81 01 0000 00" + varint(1 << 31), "bad_number", 3)
TOPIC.rejected("in the second block", "list<u16>", "80 8101 01 01" + "00" * 16 + "00 00", "malformed", 21)
TOPIC.rejected("a mode missing", "list<i32>", "80 10", "truncated", 2)
TOPIC.rejected("a count of 16 that lies", "list<i32>", "80 10 01 01", "truncated", 4)
TOPIC.rejected("a block cut", "list<i32>", "80 10 01 08" + "05" * 15, "truncated", 19)
TOPIC.rejected("positions cut", "list<u16>", "80 10 01 81 03 0000 00", "truncated", 8)
TOPIC.rejected("exceptions cut", "list<u16>", "80 10 01 81 02 0000 0001 01", "truncated", 10)
TOPIC.rejected("the second block missing", "list<u16>", "80 8101 01 01" + "00" * 16, "truncated", 21)
TOPIC.rejected("a run cut", "list<u16>", "80 10 00" + "00" * 31, "truncated", 34)
TOPIC.rejected("numbers of a mode 0 that lies", "list<u64>", "88 80808002 00 0000" + "00" * 100, "truncated", 108)
TOPIC.rejected("packed numbers of a count that lies", "list<u64>", "80 80808002 01 01" + "00" * 100, "truncated", 107)
TOPIC.rejected("8 f64 without ALIGNED", "list<f64>", "80 08" + "00" * 64, "malformed", 0)
TOPIC.rejected("16 f32 without ALIGNED", "list<f32>", "80 10" + "00" * 64, "malformed", 0)
TOPIC.rejected("32 raw u16 without ALIGNED", "list<u16>", "80 20 00" + "00" * 64, "malformed", 0)
TOPIC.rejected("8 f64 in a field without ALIGNED", "struct S { xs: list<f64> }", "80 08" + "00" * 64, "malformed", 0, "$.xs")
TOPIC.rejected("padding before a run not zero", "list<f64>", "88 08 00 00 00 01 00 00" + "00" * 64, "malformed", 5)
TOPIC.rejected("padding before a run missing", "list<u64>", "88 10 00 00 00", "truncated", 5)
TOPIC.rejected("padding before a run of mode 0 not zero", "list<u64>", "88 10 00 00 00 00 00 ff" + "00" * 128, "malformed", 7)
TOPIC.rejected("an aligned run cut", "list<f64>", "88 08 00 00 00 00 00 00" + "00" * 63, "truncated", 71)
TOPIC.rejected("padding after the blocks not zero", "string", "89 02 6162 00 00 01 00 00 02", "malformed", 6)
TOPIC.rejected("padding after the blocks missing", "string", "89 02 6162 00 00", "truncated", 6)
TOPIC.rejected("numbers left over", "list<i8>", "80 01 05 05", "trailing", 3)

# Each part is checked before the next is read.
TOPIC.rejected("no exceptions though announced, and nothing", "list<u16>", "80 10 01 81 00", "malformed", 3)
TOPIC.rejected("17 exceptions among 16, and nothing", "list<u16>", "80 10 01 81 11", "malformed", 3)
TOPIC.rejected("a width of 33 and nothing", "list<u64>", "80 10 01 21 00", "malformed", 3)
TOPIC.rejected("positions that descend, the third missing", "list<u16>", "80 10 01 81 03 0000 0605", "truncated", 9)
TOPIC.rejected("a position out of range, the second missing", "list<u16>", "80 10 01 81 02 0000 10", "truncated", 8)
BEYOND_64, BEYOND_16 = varint(1 << 63), varint(1 << 15)
for name, kind, exceptions, error, at in [
    ("of zero, the second missing", "u16", "00", "malformed", 3),
    ("of zero before one over-long", "u16", "00 8000", "malformed", 3),
    ("over-long before one of zero", "u16", "8000 00", "bad_number", 9),
    ("beyond 64 bits before one of zero", "u64", f"{BEYOND_64} 00", "bad_number", 3),
    ("beyond 64 bits, the second missing", "u64", BEYOND_64, "bad_number", 3),
    ("beyond 64 bits before one over-long", "u64", f"{BEYOND_64} 8000", "bad_number", 3),
    ("beyond u16 before one of zero", "u16", f"{BEYOND_16} 00", "malformed", 3),
    ("beyond u16, the second missing", "u16", BEYOND_16, "truncated", 12),
]:
    TOPIC.rejected(f"an exception {name}", f"list<{kind}>", f"80 10 01 81 02 0000 0001 {exceptions}", error, at)
WIDE = "80 8101 01 11 000001" + "00" * 269
TOPIC.rejected("a value beyond u16 before a bad block", "list<u16>", WIDE + "00", "bad_number", 4)
TOPIC.rejected("a value beyond u16 before a block that is missing", "list<u16>", WIDE, "bad_number", 4)
TOPIC.rejected("32 raw u16 without ALIGNED, cut", "list<u16>", "80 20 00" + "00" * 10, "malformed", 0)
TOPIC.rejected("8 f64 without ALIGNED, cut", "list<f64>", "80 08" + "00" * 63, "truncated", 65)
TOPIC.rejected("16 f32 without ALIGNED, cut", "list<f32>", "80 10" + "00" * 63, "truncated", 65)
TOPIC.rejected("8 f64 of an any without ALIGNED, cut", "any", "80 18 08" + "00" * 63, "truncated", 66)
TOPIC.rejected("padding not zero before a run that is cut", "list<f64>", "88 08 01" + "00" * 63, "malformed", 2)
TOPIC.rejected("padding not zero before numbers of a mode 0 that are cut", "list<u64>", "88 10 00 01" + "00" * 4, "malformed", 3)

# Around the length at which packing stops saving bytes.
TOPIC.canonical("packed would be one byte shorter than raw", "list<u16>", [(1 << 15) - 1 - i for i in range(16)])
for kind, numbers in [
    ("u16", [(1 << 14) - 1 - i for i in range(15)] + [(1 << 16) - 1]),
    ("u32", [(1 << 30) - 1 - i for i in range(15)] + [(1 << 32) - 1]),
    ("i16", [i - (1 << 13) for i in range(15)] + [(1 << 15) - 1]),
]:
    TOPIC.canonical(f"packed would be exactly as long as raw, {kind}", f"list<{kind}>", numbers)
