"""Values of fixed width (bridge.md section 4)."""

from __future__ import annotations

from spec.oracle.bridge.kinds import WIDTHS
from spec.oracle.bridge.topic import Topic

TOPIC = Topic("scalars", "bridge.md#4-kinds-and-values")

INTEGERS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64}
#: A sign, infinities, a NaN, the smallest and largest, and values that two widths tell apart.
FLOATS = {
    "f32": "00000000 80000000 3f800000 bfc00000 3dcccccd 7f800000 ff800000 7fc00000 00000001 7f7fffff".split(),
    "f64": (
        "0000000000000000 8000000000000000 3ff0000000000000 bff8000000000000 3fb999999999999a 7ff0000000000000"
        " fff0000000000000 7ff8000000000000 0000000000000001 7fefffffffffffff 433fffffffffffff"
    ).split(),
}
CHARS = "0000 0041 007f 0080 00ff 0100 20ac d800 dfff ffff".split()

TOPIC.value("void", "void", None)
TOPIC.value("null", "null", None)
TOPIC.value("false", "bool", False)
TOPIC.value("true", "bool", True)
for kind, bits in INTEGERS.items():
    for number in (0, 1, -1, 42, 127, -128, 2 ** (bits - 1) - 1, -(2 ** (bits - 1))):
        if not any(case["name"] == f"{kind} {number}" for case in TOPIC.cases):
            TOPIC.value(f"{kind} {number}", kind, {kind: str(number)})
for kind, values in FLOATS.items():
    for value in values:
        TOPIC.value(f"{kind} {value}", kind, {kind: value})
for value in CHARS:
    TOPIC.value(f"char {value}", "char", {"char": value})
for kind in WIDTHS:
    zero = False if kind == "bool" else {kind: "0" if kind in INTEGERS else "00" * WIDTHS[kind]}
    TOPIC.value(f"option of {kind}, null", f"option<{kind}>", None)
    TOPIC.value(f"option of {kind}, zero", f"option<{kind}>", zero)
    TOPIC.refused(f"{kind} without bytes", kind, b"", "truncated", 0)
    TOPIC.refused(f"{kind} and a byte", kind, bytes(WIDTHS[kind] + 1), "trailing", WIDTHS[kind])
TOPIC.refused("void and a byte", "void", b"\0", "trailing", 0)
TOPIC.refused("bool 2", "bool", b"\2", "malformed", 0)
TOPIC.refused("bool 255", "bool", b"\xff", "malformed", 0)
TOPIC.refused("option with a flag 2", "option<i8>", b"\2\0", "malformed", 0)
TOPIC.refused("option of bool 2", "option<bool>", b"\1\2", "malformed", 1)
