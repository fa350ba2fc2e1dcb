"""Values that say what they are, and containers of them (bridge.md section 4)."""

from __future__ import annotations

from typing import Any

from spec.oracle.bridge.cases.bulk import SAMPLES
from spec.oracle.bridge.kinds import ROWS, TAGS
from spec.oracle.bridge.topic import Topic

TOPIC = Topic("anys", "bridge.md#4-kinds-and-values")


def text(value: str) -> dict[str, str]:
    return {"string": value}


def nested(depth: int, form: str = "list") -> Any:
    value: Any = {form: []}
    for _ in range(depth - 1):
        value = {form: [[text("k"), value]] if form == "map" else [value]}
    return value


LEAVES: dict[str, Any] = {
    "null": None,
    "false": False,
    "true": True,
    "i64": {"i64": "-9223372036854775808"},
    "i64 that is small": {"i64": "5"},
    "i32": {"i32": "-2147483648"},
    "f64": {"f64": "3fb999999999999a"},
    "f32": {"f32": "3dcccccd"},
    "char": {"char": "20ac"},
    "string": text("hello"),
    "wide string": text("\u20ac"),
    "string with a lone surrogate": {"units": "d800"},
    "bytes": {"bytes": "00ff10"},
    "receiver's object": {"receiver": "9"},
    "sender's object": {"sender": ["9", "4"]},
    "peer of an interface": {"peer": ["peer java.lang.Runnable", {"sender": ["3", "0"]}]},
    "peer of interfaces": {"peer": ["peer A$B \u20ac", {"sender": ["1152921504606846975", "0"]}]},
    "pack value": {"pack": ["timestamp", "4001"]},
    "pack value of a record": {"pack": ["struct P {x: f64, y: f64}", "40" + "00" * 16]},
}
for kind, of in ROWS.items():
    if kind != "list<char>":
        LEAVES[kind] = {kind: SAMPLES[of]}
        LEAVES[f"{kind}, empty"] = {kind: []}

for name, value in LEAVES.items():
    TOPIC.value(name, "any", value)
for form in ("list", "set", "tuple"):
    TOPIC.value(f"{form}, empty", form, {form: []})
    TOPIC.value(f"{form} of leaves", form, {form: list(LEAVES.values())})
    TOPIC.value(f"any of a {form}", "any", {form: [{"i32": "1"}, {form: [None]}, {"map": []}]})
    TOPIC.value(f"{form} of 300 nulls", form, {form: [None] * 300})
    TOPIC.value(f"{form} nested 64 deep", form, nested(64, form))
TOPIC.value("map, empty", "map", {"map": []})
TOPIC.value("map", "map", {"map": [[text("a"), {"i32": "1"}], [{"i64": "2"}, {"list": [True]}], [None, None]]})
TOPIC.value("map with keys of any sort", "map", {"map": [[value, value] for value in LEAVES.values()]})
TOPIC.value("map with a key twice", "map", {"map": [[text("a"), True], [text("a"), False]]})
TOPIC.value("any of a map", "any", {"map": [[text("k"), {"set": [text("v")]}]]})
TOPIC.value("map nested 64 deep", "map", nested(64, "map"))
TOPIC.value("any nested 64 deep", "any", nested(64))
TOPIC.value("wide lists", "list", {"list": [{"list": [{"list": []}] * 5}] * 5})

TOPIC.refused("no bytes", "any", b"", "truncated", 0)
for tag in range(256):
    if tag > 2 and tag not in (0x31, 0x32) and tag not in TAGS:
        TOPIC.refused(f"tag {tag:02x}", "any", bytes([tag, 0, 0, 0, 0, 0, 0, 0, 0]), "malformed", 0)
TOPIC.refused("tag in a list", "list", b"\x02\x00\x04", "malformed", 2)
TOPIC.refused("nothing in a list", "list", b"\x01", "truncated", 1)
TOPIC.refused("list of more than its bytes", "any", b"\x08\x03\0\0", "truncated", 4)
TOPIC.refused("map of more than its bytes", "any", b"\x09\x02\0\0\0", "truncated", 5)
TOPIC.refused("map without its last value", "map", b"\x02\0\0\0", "truncated", 4)
TOPIC.refused("list nested 65 deep", "list", b"\1\x08" * 64 + b"\0", "limit_depth", 127)
TOPIC.refused("any nested 65 deep", "any", b"\x08\1" * 65 + b"\0", "limit_depth", 128)
TOPIC.refused("any nested 1,025 deep, whatever the limit", "any", b"\x08\1" * 1025 + b"\0", "limit_depth", 2048, depth=10**6)
TOPIC.refused("two deep with a limit of one", "any", b"\x1d\2\0\x09\0", "limit_depth", 3, depth=1)
TOPIC.refused("map beyond the depth, before its count", "map", b"\1\0\x09\xff", "limit_depth", 2, depth=1)
TOPIC.refused("items, all containers together", "list", b"\2\x08\2\0\0\x08\2\0\0", "limit_items", 6, items=5)
TOPIC.refused("cells, all containers together", "list", b"\2\x08\2\0\0\x08\2\0\0", "limit_items", 6, cells=11)
TOPIC.refused("cells of a map", "map", b"\2\0\0\0\0", "limit_items", 0, cells=11)
TOPIC.refused("count beyond every limit", "any", b"\x08" + b"\xff" * 9 + b"\1", "limit_items", 1)
TOPIC.refused("count of a map beyond every limit", "any", b"\x09" + b"\xff" * 9 + b"\1", "limit_items", 1)
TOPIC.refused("over-long count", "any", b"\x08\x80\0", "bad_number", 1)
TOPIC.refused("blob of bytes", "any", b"\x07\1", "malformed", 1)
TOPIC.refused("blob of numbers", "any", b"\x12\3", "malformed", 1)
TOPIC.refused("blob of an array", "list", b"\1\x23\3", "malformed", 2)
TOPIC.refused("blob of a pack message", "any", b"\x31\x12timestamp\3", "malformed", 11)
TOPIC.refused("list<bool> with a byte 2", "any", b"\x1a\x04\1\2", "malformed", 3)
TOPIC.refused("array<bool> with a byte 2", "any", b"\x20\x04\2\1", "malformed", 2)
TOPIC.refused("pack value with a kind of the bridge's", "any", b"\x31\x06i32\x08\0\0\0\0", "malformed", 1)
TOPIC.refused("pack value with an empty kind", "any", b"\x31\0\0", "malformed", 1)
TOPIC.refused("pack value with an option of the bridge's", "any", b"\x31\x16option<i32>\0", "malformed", 1)
TOPIC.refused("pack value with a lone surrogate", "any", b"\x31\x03\0\xd8\0", "bad_utf8", 1)
RUNNABLE = b"\x32\x2epeer java.lang.Runnable"
TOPIC.refused("peer without an interface", "any", b"\x32\x08peer\3\0", "malformed", 1)
TOPIC.refused("peer with two spaces", "any", b"\x32\x0epeer  A\3\0", "malformed", 1)
TOPIC.refused("peer that is an object", "any", b"\x32\x0cobject\3\0", "malformed", 1)
TOPIC.refused("peer that is a schema", "list", b"\1\x32\x12timestamp\3\0", "malformed", 2)
TOPIC.refused("peer with an empty kind", "any", b"\x32\0\3\0", "malformed", 1)
TOPIC.refused("peer with a lone surrogate", "any", b"\x32\x03\0\xd8\3\0", "bad_utf8", 1)
TOPIC.refused("peer of the receiver's in a list", "list", b"\1" + RUNNABLE + b"\4", "malformed", 26)
TOPIC.refused("peer that is null in any", "any", RUNNABLE + b"\0", "malformed", 25)
TOPIC.refused("peer of an interface, cut", "any", RUNNABLE + b"\3", "truncated", 26)
TOPIC.refused("peer cut in its kind", "any", RUNNABLE[:9], "truncated", 9)
TOPIC.refused("reference with a number 0", "any", b"\x30\1\0", "malformed", 1)
TOPIC.refused("string cut", "any", b"\x06\x08abc", "truncated", 5)
TOPIC.refused("i64 cut", "any", b"\x03\0\0\0\0\0\0\0", "truncated", 8)
TOPIC.refused("null and a byte", "any", b"\0\0", "trailing", 1)
