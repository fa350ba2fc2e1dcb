"""A count is compared with the bytes that remain before the row is read: the least bytes of each kind of row.

Each row begins with a fault. With one byte less than R (pack.md section 12) the message is truncated; with R bytes the
fault is found.
"""

from __future__ import annotations

from spec.oracle.pack.cases.table import Topic

TOPIC = Topic("counts", "pack.md#12-decoding-untrusted-bytes")

POINTS = "list<struct Point { x: i32, y: i32 }>"
PAIRS = "list<tuple<i32, bool>>"
# A schema, the bytes before the row, R, the fault that begins the row, its code and path.
ROWS = [
    ("list<string>", "03", 3, "80", "malformed", "$[0]"),
    ("list<bytes>", "03", 3, "8000", "bad_number", "$[0]"),
    ("list<bigint>", "03", 3, "0100", "bad_number", "$[0]"),
    ("list<decimal>", "03", 3, "8000", "bad_number", "$[0]"),
    ("list<date>", "03", 3, "8000", "bad_number", "$[0]"),
    ("list<time>", "03", 3, "8000", "bad_number", "$[0]"),
    ("list<timestamp>", "03", 3, "8000", "bad_number", "$[0]"),
    ("list<duration>", "03", 3, "8000", "bad_number", "$[0]"),
    ("list<enum Suit { clubs, diamonds, hearts, spades }>", "02", 2, "04", "malformed", "$[0]"),
    ("list<list<string>>", "03", 3, "8000", "bad_number", "$[0]"),
    ("list<any>", "02", 2, "7f", "malformed", "$[0]"),
    (POINTS, "03", 3, "8000", "bad_number", "$[0].x"),
    (PAIRS, "02", 2, "02", "malformed", "$[0]"),
    ("list<ref<struct Dot { x: i8 }>>", "02", 2, "01", "malformed", "$[0]"),
    ("list<union { struct Nil {} }>", "02", 2, "01", "malformed", "$[0]"),
    ("list<i32>", "0f", 15, "8000", "bad_number", "$"),
    ("list<i32>", "10", 3, "03", "malformed", "$"),
    ("list<u64>", "11", 4, "02", "malformed", "$"),
    ("list<i16>", "8101", 18, "03", "malformed", "$"),
    ("list<f32>", "10", 64, "00", "malformed", "$"),
    ("list<f64>", "08", 64, "00", "malformed", "$"),
    ("set<string>", "02", 2, "80", "malformed", "$[0]"),
    ("set<u16>", "10", 3, "02", "malformed", "$"),
    ("map<string, string>", "02", 4, "80", "malformed", "$[0].key"),
    ("map<string, bool>", "09", 11, "80", "malformed", "$[0].key"),
    ("map<bool, string>", "01", 2, "02", "malformed", "$"),
    ("map<string, f64>", "02", 18, "80", "malformed", "$[0].key"),
    ("map<u32, i64>", "10", 6, "02", "malformed", "$"),
    ("map<string, any>", "01", 2, "80", "malformed", "$[0].key"),
    ("any", "08 02", 2, "7f", "malformed", "$[0]"),
    ("any", "09 02", 4, "7f", "malformed", "$[0].key"),
    ("any", "12 10", 3, "03", "malformed", "$"),
    ("any", "12 0f", 15, "8000", "bad_number", "$"),
    ("any", "17 10", 64, "00", "malformed", "$"),
    ("any", "18 08", 64, "00", "malformed", "$"),
]
for schema, before, least, fault, error, path in ROWS:
    start = 1 + len(bytes.fromhex(before))
    # The only possible fault of floats is that their run is not aligned, and that is an error at the header.
    at = 0 if least == 64 else start
    row = fault + "00" * (least - len(bytes.fromhex(fault)))
    name = f"{schema}, {before.replace(' ', '')}"
    TOPIC.rejected(f"{name}: a byte short of the least", schema, f"80 {before} {row[:-2]}", "truncated", start + least - 1)
    TOPIC.rejected(f"{name}: the least", schema, f"80 {before} {row}", error, at, path)
