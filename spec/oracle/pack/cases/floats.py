"""f32 and f64: extremes, signs of zero, infinities and NaN."""

from __future__ import annotations

from spec.oracle.pack.cases.table import Topic, f32, f64

TOPIC = Topic("floats", "pack.md#8-types")

for name, bits in [
    ("zero", f64(0.0)),
    ("minus zero", f64(-0.0)),
    ("one and a half", f64(1.5)),
    ("a tenth", f64(0.1)),
    ("infinity", f64(float("inf"))),
    ("minus infinity", f64(float("-inf"))),
    ("not a number", "7ff8000000000000"),
    ("least subnormal", "0000000000000001"),
    ("greatest subnormal", "000fffffffffffff"),
    ("least normal", "0010000000000000"),
    ("greatest", "7fefffffffffffff"),
    ("negative greatest", "ffefffffffffffff"),
    ("two to the 53 and one more", f64(2.0**53 + 2)),
]:
    TOPIC.canonical(f"f64 {name}", "f64", bits)
for name, bits in [
    ("zero", f32(0.0)),
    ("minus zero", f32(-0.0)),
    ("one and a half", f32(1.5)),
    ("nearest to a tenth", f32(0.1)),
    ("infinity", f32(float("inf"))),
    ("minus infinity", f32(float("-inf"))),
    ("not a number", "7fc00000"),
    ("least subnormal", "00000001"),
    ("greatest", "7f7fffff"),
    ("negative greatest", "ff7fffff"),
]:
    TOPIC.canonical(f"f32 {name}", "f32", bits)
TOPIC.canonical("optional float", "option<f64>", f64(2.5))

TOPIC.accepted("f64 NaN with a payload", "f64", "80 010000000000f87f", "7ff8000000000000")
TOPIC.accepted("f64 negative NaN", "f64", "80 000000000000f8ff", "7ff8000000000000")
TOPIC.accepted("f64 signalling NaN", "f64", "80 010000000000f07f", "7ff8000000000000")
TOPIC.accepted("f32 NaN with a payload", "f32", "80 0100c07f", "7fc00000")
TOPIC.accepted("f32 negative NaN", "f32", "80 0000c0ff", "7fc00000")
TOPIC.accepted("f32 signalling NaN", "f32", "80 0100807f", "7fc00000")

TOPIC.rejected("f64 cut", "f64", "80 000000000000f8", "truncated", 8)
TOPIC.rejected("f32 cut", "f32", "80 000000", "truncated", 4)
TOPIC.rejected("f32 with the bytes of an f64", "f32", "80 000000000000f87f", "trailing", 5)
