"""Lists, sets and maps: counts that lie, repeated keys, order, the limit on items."""

from __future__ import annotations

from spec.oracle.pack.cases.table import Topic, varint

TOPIC = Topic("containers", "pack.md#8-types")

TOPIC.canonical("an empty list", "list<i64>", [])
TOPIC.canonical("a list of texts", "list<string>", ["a", "b", ""])
TOPIC.canonical("a list of lists", "list<list<i32>>", [[1], [], [2, 3]])
TOPIC.canonical("a list of booleans", "list<bool>", [True, False, True, True, False, False, True, False, True])
TOPIC.canonical("eight booleans", "list<bool>", [True] * 8)
TOPIC.canonical("no booleans", "list<bool>", [])
TOPIC.canonical("a list of options", "list<option<i32>>", [1, None, 3, None, None, 6, 7, 8, 9, None])
TOPIC.canonical("a list of nulls", "list<option<string>>", [None] * 17)
TOPIC.canonical("a list of options of bool", "list<option<bool>>", [True, False, None, True])
TOPIC.canonical("a list of enums", "list<enum Suit { clubs, diamonds, hearts, spades }>", ["spades", "clubs", "spades"])
TOPIC.canonical("a list of 200 dates is no numeric row", "list<date>", [19_000 + i for i in range(200)])
TOPIC.canonical("a list of byte strings", "list<bytes>", [b"", b"\x01", b"\x02\x03"])
TOPIC.canonical("a list of tuples", "list<tuple<i32, bool>>", [[1, True], [2, False], [-3, True]])
TOPIC.canonical("a set of integers", "set<i32>", [-300, -1, 0, 5, 1000])
TOPIC.canonical("a set of unsigned integers", "set<u64>", [0, 1 << 63, (1 << 64) - 1])
TOPIC.canonical("a set of texts", "set<string>", ["", "Z", "a", "b", "\xe9", "\u4e2d", "\U0001f600", "\uffff"])
TOPIC.canonical("a set of booleans", "set<bool>", [False, True])
TOPIC.canonical("a set of big integers", "set<bigint>", [-(1 << 70), -1, 0, 1 << 70])
TOPIC.canonical(
    "a set of uuids",
    "set<uuid>",
    ["00000000-0000-0000-0000-000000000001", "7f000000-0000-0000-0000-000000000000", "80000000-0000-0000-0000-000000000000"],
)
TOPIC.canonical("a set of dates", "set<date>", [-1, 0, 20_000])
TOPIC.canonical("a set of times", "set<time>", [0, 1, 86_399_999_999_999])
TOPIC.canonical("a set of timestamps", "set<timestamp>", [-1, 0, 1, 1_000, 1_000_000_000])
TOPIC.canonical("a set of durations", "set<duration>", [-1_000_000_001, -1, 0, 999_999_999])
TOPIC.canonical("a set of enums", "set<enum Suit { clubs, diamonds, hearts, spades }>", ["clubs", "spades"])
TOPIC.canonical("a set of 40 integers is a numeric row", "set<i32>", list(range(-20, 20)))
TOPIC.canonical("an empty map", "map<string, i32>", [])
TOPIC.canonical("a map", "map<string, i32>", [["one", 1], ["two", 2], ["three", 3]])
TOPIC.canonical("a map in another order is another message", "map<string, i32>", [["three", 3], ["two", 2], ["one", 1]])
TOPIC.canonical("a map of booleans to options", "map<bool, option<i8>>", [[True, None], [False, 3]])
TOPIC.canonical("a map with 20 keys and values in numeric rows", "map<u32, i64>", [[i * 3, -i * i] for i in range(20)])
TOPIC.canonical("a map of texts to lists", "map<string, list<string>>", [["a", ["b", "c"]], ["b", []]])
TOPIC.canonical("a map of maps", "map<i32, map<i32, bool>>", [[1, [[2, True]]], [2, []]])
TOPIC.canonical("a map by date", "map<date, string>", [[20_000, "b"], [-5, "a"]])
TOPIC.canonical("a map by big integer", "map<bigint, u8>", [[1 << 80, 1], [-(1 << 80), 2], [0, 3]])
TOPIC.canonical("a map by uuid", "map<uuid, bool>", [["ffffffff-ffff-ffff-ffff-ffffffffffff", True]])

TOPIC.accepted("a set in descending order", "set<i32>", "80 03 06 04 02", [1, 2, 3])
TOPIC.accepted("a set of texts in another order", "set<string>", "81 02 6261 02 01 01", ["a", "b"])
TOPIC.accepted("a set of booleans, true first", "set<bool>", "80 02 01", [False, True])

TOPIC.rejected("a list without its count", "list<string>", "80", "truncated", 1)
TOPIC.rejected("a count that lies", "list<string>", "80 03 00 00", "truncated", 4)
TOPIC.rejected("a count of 16,777,216 and nothing", "list<string>", "80 80808008", "truncated", 5)
TOPIC.rejected("a count over the items", "list<string>", "80 81808008", "limit_items", 1)
TOPIC.rejected("a count of 2^31 less one", "list<string>", "80 ffffffff07", "limit_items", 1)
TOPIC.rejected("a count of 2^31", "list<string>", "80 8080808008", "bad_number", 1)
TOPIC.rejected("a count of 2^32", "list<string>", "80 8080808010", "bad_number", 1)
TOPIC.rejected("an over-long count", "list<string>", "80 8100 00", "bad_number", 1)
TOPIC.rejected("one element too many", "list<string>", "80 01 00 00", "trailing", 3)
TOPIC.rejected("a count of booleans that lies", "list<bool>", "80 09 ff", "truncated", 3)
TOPIC.rejected("a count of options that lies", "list<option<i32>>", "80 11 0000", "truncated", 4)
TOPIC.rejected("many nulls cost a bit each", "list<option<i32>>", "80 8020" + "00" * 511, "truncated", 514)
TOPIC.rejected("unused flags of a list", "list<bool>", "80 03 0f", "malformed", 2)
TOPIC.rejected("unused flags of options", "list<option<i32>>", "80 03 09 02 02", "malformed", 2)
TOPIC.rejected("the value of an option missing", "list<option<i32>>", "80 03 05 02", "truncated", 4, "$[2]")
TOPIC.rejected("a count of structs that lies", "list<struct Point { x: i32, y: i32 }>", "80 05 0202 0202", "truncated", 6)
TOPIC.rejected("a struct of a list cut", "list<struct Point { x: i32, y: i32 }>", "80 02 0202 02", "truncated", 5, "$[1].y")
TOPIC.rejected("a count of uuids that lies", "list<uuid>", "80 03 0102", "truncated", 4)
TOPIC.rejected("a second uuid cut", "list<uuid>", "80 02" + "11" * 31, "truncated", 33, "$[1]")
TOPIC.rejected("an inner count that lies", "list<list<string>>", "80 02 00 05 00", "truncated", 5, "$[1]")
TOPIC.rejected("counts that lie, nested three times", "list<list<list<i8>>>", "80 03 02 80808004 00", "truncated", 8, "$[0][0]")
TOPIC.rejected("inner counts over the items together", "list<list<i8>>", "80 02 01 05 02 0506", "limit_items", 4, "$[1]", items=4)
TOPIC.rejected("items, the outer count", "list<list<i8>>", "80 02 00 00", "limit_items", 1, items=1)
TOPIC.rejected("items, a set", "set<i8>", "80 02 01 02", "limit_items", 1, items=1)
TOPIC.rejected("items, a map counts its entries once", "map<i8, i8>", "80 02 01 02 03 04", "limit_items", 1, items=1)
TOPIC.rejected("items come before what is there", "list<i8>", "80 09", "limit_items", 1, items=8)
TOPIC.rejected("items, numbers", "list<f64>", "80 03" + "00" * 24, "limit_items", 1, items=2)
TOPIC.rejected(
    "items of lists within a list within a map",
    "map<i8, list<i8>>", "80 02 01 02 02 0000 02 0000", "limit_items", 7, "$[1].value", items=5,
)  # fmt: skip
TOPIC.rejected("a count of f64 that lies", "list<f64>", "80 02" + "00" * 15, "truncated", 17)
TOPIC.rejected("a count of f32 that lies", "list<f32>", "80 80808004" + "00" * 32, "truncated", 37)
TOPIC.rejected("a count of i8 that lies", "list<i8>", "80 80808004 0000", "truncated", 7)
TOPIC.rejected("a count of i32 that lies", "list<i32>", "80 80808004 01 01 ffffffff", "truncated", 11)
TOPIC.rejected("a repeated key of a set", "set<i32>", "80 03 02 04 02", "malformed", 1)
TOPIC.rejected("a repeated text of a set, by reference", "set<string>", "85 02 6162 02 02 80", "malformed", 4)
TOPIC.rejected("a repeated text of a set, in the other block", "set<string>", "83 02 02 6162 61006200 02 02 64", "malformed", 9)
TOPIC.rejected("a repeated boolean", "set<bool>", "80 02 03", "malformed", 1)
TOPIC.rejected("three booleans", "set<bool>", "80 03 02", "malformed", 1)
TOPIC.rejected(
    "a repeated moment in another unit",
    "set<timestamp>",
    f"80 02 02 {varint(2 << 2 | 2)} 02 {varint(2000 << 2 | 1)}",
    "malformed",
    1,
)
TOPIC.rejected("a repeated enum", "set<enum Suit { clubs, spades }>", "80 02 01 01", "malformed", 1)
TOPIC.rejected("a repeated key in a numeric row", "set<u16>", "80 10 01 01 0000", "malformed", 1)
TOPIC.rejected("a repeated key of a map", "map<i32, i32>", "80 02 02 02 04 06", "malformed", 1)
TOPIC.rejected("a repeated text of a map", "map<string, bool>", "85 02 6162 02 02 80 03", "malformed", 4)
TOPIC.rejected(
    "a repeated uuid of a map", "map<uuid, bool>", "80 02" + "0102030405060708090a0b0c0d0e0f10" * 2 + "00", "malformed", 1
)
TOPIC.rejected("a repeated key of an inner map", "list<map<i8, i8>>", "80 01 02 05 05 01 01", "malformed", 2, "$[0]")
TOPIC.rejected("a map's count that lies", "map<string, string>", "80 03 00 00 00 00 00", "truncated", 7)
TOPIC.rejected("a map's values missing", "map<i8, string>", "80 02 01 02 00", "truncated", 5)
TOPIC.rejected("in a key", "map<string, i32>", "81 01 61 02 01 80 00 00", "malformed", 5, "$[1].key")
TOPIC.rejected("in a value", "map<i8, string>", "80 02 01 02 00 80", "malformed", 5, "$[1].value")
TOPIC.rejected("in a numeric row of values", "map<i8, i32>", "80 02 01 02 00 8000", "bad_number", 5)
TOPIC.rejected("in a numeric row of keys", "map<i32, i8>", "80 02 8000 02 0000", "bad_number", 2)
TOPIC.rejected("in a list within a map", "map<i8, list<date>>", "80 01 05 01 8000", "bad_number", 4, "$[0].value[0]")
TOPIC.rejected("unused flags of keys", "map<bool, i8>", "80 01 02 05", "malformed", 2)
TOPIC.rejected("unused flags of values", "map<i8, bool>", "80 01 05 02", "malformed", 3)
for around in ("map<i8, i8>", "set<i8>"):
    kind = around.partition("<")[0]
    TOPIC.rejected(f"a {kind}'s count of 2^31", around, "80 8080808008", "bad_number", 1)
    TOPIC.rejected(f"a {kind}'s count of 2^31 less one", around, "80 ffffffff07", "limit_items", 1)
    TOPIC.rejected(f"items of a {kind} come before what is there", around, "80 09", "limit_items", 1, items=8)
TOPIC.rejected("a count of five bytes, a high bit in the last", "list<string>", "80 ffffffffff", "bad_number", 1)
