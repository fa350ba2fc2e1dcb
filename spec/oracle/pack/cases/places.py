"""Offsets and paths of faults, in every kind of container."""

from __future__ import annotations

from spec.oracle.pack.cases.table import Topic, varint, zigzag

TOPIC = Topic("places", "pack.md#12-decoding-untrusted-bytes")
FAULTS = [
    ("an over-long number", "i32", "8000", "bad_number"),
    ("a number out of range", "u16", "ffff04", "bad_number"),
    ("a token", "string", "80", "malformed"),
    ("text that is not there", "string", "01", "malformed"),
    ("a reference without REFS", "string", "80", "malformed"),
    ("a date", "date", zigzag(2_932_897), "bad_number"),
    ("a time", "time", varint(86_400_000_000_000), "bad_number"),
    ("a timestamp", "timestamp", zigzag(2_932_897 * 86_400) + "00", "bad_number"),
    ("a big integer", "bigint", "020001", "bad_number"),
    ("a big integer over its limit", "bigint", "8120" + "01" * 4097, "limit_size"),
    ("a symbol", "enum Suit { clubs, spades }", "02", "malformed"),
    ("a member", "union { struct Dot { x: i8 } }", "01", "malformed"),
    ("a tag", "any", "7f", "malformed"),
    ("a number of a shared struct", "ref<struct Dot { x: i8 }>", "01", "malformed"),
    ("a count", "list<string>", "8100", "bad_number"),
    ("a count over the items", "list<i8>", "81808008", "limit_items"),
]
PLACES = [
    ("an element", "list<{}>", "01", "$[0]", ("i32", "u16")),
    ("the second element", "tuple<u8, {}>", "05", "$[1]", ()),
    ("an element's element", "list<tuple<u8, {}>>", "02 05", "$[0][1]", ()),
    ("an optional element", "list<option<{}>>", "03 05", "$[0]", ("any",)),
    ("a value of a map", "map<u8, tuple<{}>>", "02 0506", "$[0].value[0]", ()),
]

for fault, schema, data, error in FAULTS:
    for place, around, before, path, without in PLACES:
        # Few schemas have structs: native types are compiled for each.
        if schema not in without and ("struct" not in schema or place == "an optional element"):
            # The bytes after the fault satisfy counts; no reader reaches them.
            at = 1 + len(bytes.fromhex(before))
            TOPIC.rejected(f"{fault}: {place}", around.format(schema), f"80 {before} {data} 00000000", error, at, path)

ONE = "struct Field { n: u8, it: string }"
for name, schema, data, at, path in [
    ("a field", ONE, "05 80", 2, "$.it"),
    ("a field of an element", f"list<{ONE}>", "02 05 00 06 80", 5, "$[1].it"),
    ("a field of an optional struct", f"option<{ONE}>", "01 05 80", 3, "$.it"),
    ("a field of a member", f"union {{ {ONE} }}", "00 05 80", 3, "$.it"),
    ("a field of a shared struct", f"ref<{ONE}>", "00 05 80", 3, "$.it"),
    ("a field of a value of a map", f"map<u8, {ONE}>", "01 09 05 80", 4, "$[0].value.it"),
    ("a field of a field", f"struct Outer {{ a: u8, in: {ONE} }}", "01 05 80", 3, "$.in.it"),
    ("a key", "map<string, u8>", "01 80 00", 2, "$[0].key"),
    ("a key of a map of a list", "list<map<string, u8>>", "01 01 80 00", 3, "$[0][0].key"),
    ("a key of a set", "set<string>", "02 00 80", 3, "$[1]"),
    ("an element of an any of a field", "struct Free { it: any }", "08 02 00 06 80", 5, "$.it[1]"),
    ("a value of a map of an any", "list<any>", "01 09 01 81 06 80", 6, "$[0][0].value"),
    ("an element of an option of a list", "option<list<string>>", "01 01 80", 3, "$[0]"),
    ("an element far out", "list<string>", "8a01" + "00" * 137 + "80", 140, "$[137]"),
]:
    TOPIC.rejected(name, schema, f"80 {data}", "malformed", at, path)

for name in ("i8", "u8", "i16", "u64", "f32", "f64", "date", "time", "uuid", "string", "bytes", "bigint", "any", "decimal"):
    TOPIC.rejected(f"{name}: nothing", name, "80", "truncated", 1)
