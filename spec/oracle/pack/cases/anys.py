"""any: every tag, forms that are not canonical, and attacks."""

from __future__ import annotations

from spec.oracle.pack.cases.table import Topic, f32, f64, varint, zigzag

TOPIC = Topic("anys", "pack.md#10-any")

TOPIC.canonical("null", "any", None)
TOPIC.canonical("false", "any", False)
TOPIC.canonical("true", "any", True)
for value in (0, 1, 127, 128, -1, -64, 255, (1 << 31) - 1, (1 << 53) + 1, (1 << 63) - 1, -(1 << 63)):
    TOPIC.canonical(f"integer {value}", "any", {"int": value})
for value in (1 << 63, -(1 << 63) - 1, 10**30, -(10**30)):
    TOPIC.canonical(f"big integer {value}", "any", {"bigint": value})
for name, bits in [
    ("0.5", f64(0.5)),
    ("a whole number", f64(3.0)),
    ("minus zero", f64(-0.0)),
    ("infinity", f64(float("inf"))),
    ("not a number", "7ff8000000000000"),
]:
    TOPIC.canonical(f"f64 {name}", "any", {"f64": bits})
TOPIC.canonical("text", "any", {"string": "text"})
TOPIC.canonical("wide text", "any", {"string": "\u6587\u5b57"})
TOPIC.canonical("empty text", "any", {"string": ""})
TOPIC.canonical("bytes", "any", {"bytes": b"\x00\x01\xff"})
TOPIC.canonical("a decimal", "any", {"decimal": "-12345/3"})
TOPIC.canonical("a uuid", "any", {"uuid": "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"})
TOPIC.canonical("a date", "any", {"date": -1})
TOPIC.canonical("a time", "any", {"time": 86_399_999_999_999})
TOPIC.canonical("a timestamp", "any", {"timestamp": 1_717_171_717_171_717_171})
TOPIC.canonical("a duration", "any", {"duration": -1_500_000_000})
TOPIC.canonical("an empty list", "any", {"list": []})
TOPIC.canonical(
    "a list of each kind",
    "any",
    {"list": [None, True, False, {"int": 1}, {"f64": f64(1)}, {"string": "x"}, {"list": []}, {"map": []}]},
)
TOPIC.canonical("a list of integers stays a list", "any", {"list": [{"int": i} for i in range(20)]})
TOPIC.canonical("an empty map", "any", {"map": []})
TOPIC.canonical("a map", "any", {"map": [[{"string": "a"}, {"int": 1}], [{"string": "b"}, None]]})
TOPIC.canonical("a map with keys that spell integers", "any", {"map": [[{"string": key}, None] for key in ("5", "-5", "")]})
TOPIC.canonical(
    "a map with the extremes of integer keys",
    "any",
    {"map": [[{"int": key}, {"int": key}] for key in (-(1 << 63), -1, 0, 1, 127, 128, (1 << 63) - 1)]},
)
TOPIC.canonical(
    "keys that repeat texts",
    "any",
    {"list": [{"string": "ab"}, {"map": [[{"string": "ab"}, {"string": "\u6587"}], [{"string": "\u6587"}, {"string": "ab"}]]}]},
)
TOPIC.canonical("a long key", "any", {"map": [[{"string": "k" * 96}, None], [{"string": "\u6587" * 29}, None]]})
TOPIC.canonical("a map in a map with the same keys", "any", {"map": [[{"int": 1}, {"map": [[{"int": 1}, {"string": "1"}]]}]]})
TOPIC.canonical(
    "maps within each other with keys of each kind",
    "any",
    {
        "map": [
            [
                {"string": "ab"},
                {"map": [[{"int": 1}, None], [{"int": -1}, {"map": [[{"string": "1"}, None], [{"string": "ab"}, None]]}]]},
            ],
            [{"string": "1"}, {"int": 1}],
        ]
    },
)
TOPIC.canonical(
    "maps beside each other with keys of each kind",
    "any",
    {
        "list": [
            {"map": [[{"int": 5}, None], [{"int": 500}, None]]},
            {"map": [[{"string": "5"}, None]]},
            {"map": []},
            {"map": [[{"int": -5}, None]]},
        ]
    },
)
TOPIC.both(
    "JSON",
    "any",
    {
        "map": [
            [
                {"string": "users"},
                {
                    "list": [
                        {"map": [[{"string": "name"}, {"string": name}], [{"string": "age"}, {"int": 30 + i}]]}
                        for i, name in enumerate(["Ann", "Bob", "Ann"])
                    ]
                },
            ],
            [{"string": "total"}, {"int": 3}],
            [{"string": "ratio"}, {"f64": f64(0.75)}],
            [{"string": "more"}, False],
            [{"string": "next"}, None],
        ]
    },
)
for name, count in [("i8", 3), ("i16", 16), ("i32", 16), ("i64", 129), ("u16", 16), ("u32", 17), ("u64", 15)]:
    TOPIC.canonical(f"a numeric list of {count} {name}", "any", {f"{name}s": [i * 5 % 128 for i in range(count)]})
for name in ("i8", "i16", "i32", "i64", "u16", "u32", "u64", "f32", "f64"):
    TOPIC.canonical(f"an empty numeric list of {name}", "any", {f"{name}s": []})
TOPIC.canonical("a numeric list of f32", "any", {"f32s": [f32(i / 2) for i in range(5)]})
TOPIC.canonical("a numeric list of 16 f32", "any", {"f32s": [f32(i / 2) for i in range(16)]})
TOPIC.canonical("a numeric list of 8 f64, aligned", "any", {"f64s": [f64(i / 2) for i in range(8)]})
TOPIC.canonical(
    "numeric lists and text", "any", {"list": [{"string": "abc"}, {"f64s": [f64(1)] * 9}, {"string": "abc"}, {"i64s": [-1, 1]}]}
)
TOPIC.canonical("negative numeric list", "any", {"i16s": [-i for i in range(30)]})
TOPIC.canonical("numeric list, fast", "any", {"i32s": list(range(40))}, "fast")
TOPIC.canonical("an any in a struct", "struct Row { key: string, value: any }", {"key": "ab", "value": {"string": "ab"}})
TOPIC.canonical("a map of any", "map<string, any>", [["a", {"int": 1}], ["b", {"string": "a"}], ["c", None]])
TOPIC.canonical("a list of any", "list<any>", [None, {"int": 200}, {"string": "x"}])

TOPIC.accepted("a small integer by the long tag", "any", "80 03 0a", {"int": 5})
TOPIC.accepted("zero by the long tag", "any", "80 03 00", {"int": 0})
TOPIC.accepted("a small big integer", "any", "80 04 01 05", {"int": 5})
TOPIC.accepted("zero as a big integer", "any", "80 04 00", {"int": 0})
TOPIC.accepted("the greatest i64 as a big integer", "any", "80 04 08 7fffffffffffffff", {"int": (1 << 63) - 1})
TOPIC.accepted("NaN with a payload", "any", "80 05 010000000000f8ff", {"f64": "7ff8000000000000"})
TOPIC.accepted("a key by the long tag", "any", "80 09 01 03 0a 00", {"map": [[{"int": 5}, None]]})
TOPIC.accepted("zero as a key by the long tag", "any", "80 09 01 03 00 00", {"map": [[{"int": 0}, None]]})
TOPIC.accepted("127 as a key by the long tag", "any", "80 09 01 03 fe01 00", {"map": [[{"int": 127}, None]]})
TOPIC.accepted("keys by both tags", "any", "80 09 02 03 0a 86 00 00", {"map": [[{"int": 5}, None], [{"int": 6}, None]]})
TOPIC.accepted(
    "a key in the wide block that could be Latin-1", "any", "82 01 6100 09 01 0663 00", {"map": [[{"string": "a"}, None]]}
)
TOPIC.accepted(
    "texts as keys in either block",
    "any",
    "83 01 01 61 6200 09 02 0601 0663 00 00",
    {"map": [[{"string": "a"}, None], [{"string": "b"}, None]]},
)
TOPIC.accepted(
    "integers as keys by the long tag within a map of texts",
    "any",
    "81 01 35 09 01 0601 09 02 030a 86 00 00",
    {"map": [[{"string": "5"}, {"map": [[{"int": 5}, None], [{"int": 6}, None]]}]]},
)
TOPIC.accepted(
    "a key of an inner map by the long tag",
    "any",
    "80 09 01 81 09 01 0302 0302",
    {"map": [[{"int": 1}, {"map": [[{"int": 1}, {"int": 1}]]}]]},
)
TOPIC.accepted("milliseconds as nanoseconds", "any", f"80 0e 02 {varint(2_000_000 << 2)}", {"timestamp": 1_002_000_000})

for tag in (0x19, 0x1A, 0x20, 0x2F, 0x40, 0x7F):
    TOPIC.rejected(f"tag {tag:02X}", "any", f"80 {tag:02x} 00 00", "malformed", 1)
for tag in range(0x30, 0x40):
    TOPIC.rejected(f"extension {tag:02X}", "any", f"80 {tag:02x} 00 00", "unsupported", 1)
TOPIC.rejected("an extension that ends there", "any", "80 30", "unsupported", 1)
TOPIC.rejected("an extension in a list", "any", "80 08 02 00 3f", "unsupported", 4, "$[1]")
TOPIC.rejected("an extension as a map's value", "any", "80 09 01 81 30", "unsupported", 4, "$[0].value")
TOPIC.rejected("an extension in a list of any", "list<any>", "80 02 00 35", "unsupported", 3, "$[1]")
TOPIC.rejected("an extension in a field", "struct Row { key: string, value: any }", "80 00 3f", "unsupported", 2, "$.value")
TOPIC.rejected("an extension as a value of a map of any", "map<i8, any>", "80 01 05 30", "unsupported", 3, "$[0].value")
for tag in (0x2F, 0x30, 0x3F, 0x40):
    TOPIC.rejected(f"a key with the tag {tag:02X}", "any", f"80 09 01 {tag:02x} 00", "malformed", 3, "$[0].key")
TOPIC.rejected("no tag", "any", "80", "truncated", 1)
TOPIC.rejected("an integer cut", "any", "80 03 80", "truncated", 3)
TOPIC.rejected("an integer over-long", "any", "80 03 8000", "bad_number", 2)
TOPIC.rejected("an integer of 65 bits", "any", "80 03 ffffffffffffffffff02", "bad_number", 2)
TOPIC.rejected("a big integer with a spare byte", "any", "80 04 02 0005", "bad_number", 2)
TOPIC.rejected("a big integer of 4,097 bytes", "any", "80 04 8120 01" + "00" * 4096, "limit_size", 2)
TOPIC.rejected("a float cut", "any", "80 05 000000", "truncated", 5)
TOPIC.rejected("a text that is not there", "any", "80 06 02", "malformed", 2)
TOPIC.rejected("a reference without REFS", "any", "80 06 80", "malformed", 2)
TOPIC.rejected("bytes that are not there", "any", "80 07 05 00", "truncated", 4)
TOPIC.rejected("a decimal with a spare byte", "any", "80 0a 02 02 0005", "bad_number", 3)
TOPIC.rejected("a uuid cut", "any", "80 0b 0011", "truncated", 4)
TOPIC.rejected("a date out of range", "any", f"80 0c {zigzag(2_932_897)}", "bad_number", 2)
TOPIC.rejected("a time out of range", "any", f"80 0d {varint(86_400_000_000_000)}", "bad_number", 2)
TOPIC.rejected("a timestamp out of range", "any", f"80 0e {zigzag(2_932_897 * 86_400)} 00", "bad_number", 2)
TOPIC.rejected("a duration of unit 3", "any", "80 0f 00 07", "bad_number", 3)
TOPIC.rejected("a list's count that lies", "any", "80 08 05 00 00", "truncated", 5)
TOPIC.rejected("a list's count of 16 million", "any", "80 08 80808008", "truncated", 6)
TOPIC.rejected("a list's count over the items", "any", "80 08 ffffffff07", "limit_items", 2)
TOPIC.rejected("nested counts that lie", "any", "80 08 02 08 02 08 80808004 00", "truncated", 11, "$[0][0]")
TOPIC.rejected("a map's count that lies", "any", "80 09 02 81 82 00", "truncated", 6)
TOPIC.rejected("a map's value missing", "any", "80 09 02 0302 82 00", "truncated", 7, "$[1].value")
TOPIC.rejected("a repeated key", "any", "80 09 02 81 81 00 00", "malformed", 2)
TOPIC.rejected("a repeated key by two tags", "any", "80 09 02 85 030a 00 00", "malformed", 2)
TOPIC.rejected("a repeated text", "any", "85 02 6162 09 02 0602 0680 00 00", "malformed", 5)
TOPIC.rejected("a repeated key of an inner map", "any", "80 08 01 09 02 81 81 00 00", "malformed", 4, "$[0]")
TOPIC.rejected("a repeated text in the other block", "any", "83 02 01 6161 6100 09 03 0601 0663 0601 00 00 00", "malformed", 8)
for bad_key, what in [
    ("00", "null"),
    ("01", "false"),
    ("02", "true"),
    ("0400", "zero as a big integer"),
    ("040105", "a small big integer"),
    ("0409008000000000000000", "a big integer"),
    ("048120", "a big integer of 4,097 bytes"),
    ("05" + "00" * 8, "a float"),
    ("0700", "bytes"),
    ("0800", "a list"),
    ("0900", "a map"),
    ("0a0000", "a decimal"),
    ("0b" + "00" * 16, "a uuid"),
    ("0c00", "a date"),
    ("0d00", "a time"),
    ("0e0000", "a timestamp"),
    ("0f0000", "a duration"),
    ("1000", "a numeric list"),
    ("1800", "a numeric list of f64"),
]:
    TOPIC.rejected(f"a key that is {what}", "any", f"80 09 01 {bad_key} 00", "malformed", 3, "$[0].key")
TOPIC.rejected("a key with a tag that is none", "any", "80 09 01 7f 00", "malformed", 3, "$[0].key")
TOPIC.rejected("true beside 1 as a key", "any", "80 09 02 81 02 00 00", "malformed", 4, "$[1].key")
TOPIC.rejected("a big integer beside the integer that it is", "any", "80 09 02 85 040105 00 00", "malformed", 4, "$[1].key")
TOPIC.rejected("a bool as a key after a text", "any", "81 01 61 09 02 0601 01 00 00", "malformed", 7, "$[1].key")
TOPIC.rejected("a bool as a key after a repeated key", "any", "80 09 03 81 81 01 00 00 00", "malformed", 5, "$[2].key")
TOPIC.rejected("a bool as a key of an inner map", "any", "80 09 01 81 09 01 02 00", "malformed", 6, "$[0].value[0].key")
for data, at, path, what in [
    ("81 01 35 09 02 0601 85 00 00", 7, "$[1].key", "an integer as a key after a text"),
    ("81 01 35 09 02 0601 030a 00 00", 7, "$[1].key", "an integer by the long tag as a key after a text"),
    # The bytes after the tag would be valid as a text, and so would the message.
    ("81 02 6162 09 02 0601 0301 00 00", 8, "$[1].key", "an integer by the long tag where a text would do"),
    ("81 01 61 09 02 0601 0100 00 00", 7, "$[1].key", "a bool as a key where a text would do"),
    ("81 01 35 09 02 0601 038000 00 00", 7, "$[1].key", "an over-long integer as a key after a text"),
    ("81 01 35 09 02 85 0601 00 00", 6, "$[1].key", "a text as a key after an integer"),
    ("81 01 35 09 02 030a 0601 00 00", 7, "$[1].key", "a text as a key after an integer by the long tag"),
    ("80 09 02 85 0601 00 00", 4, "$[1].key", "a text that is not there as a key after an integer"),
    ("85 02 6162 08 02 0602 09 02 81 0680 00 00", 11, "$[1][1].key", "a reference to a text as a key after an integer"),
    ("82 01 8765 09 02 81 0663 00 00", 7, "$[1].key", "a wide text as a key after an integer"),
    ("80 09 03 81 82 0600 00 00 00", 5, "$[2].key", "a text as the last key after integers"),
    ("80 09 03 0600 81 0600 00 00 00", 5, "$[1].key", "an integer as a key between texts"),
    ("80 09 03 81 0600 02 00 00 00", 4, "$[1].key", "a text as a key before a bool"),
    ("80 09 03 81 02 0600 00 00 00", 4, "$[1].key", "a bool as a key before a text"),
    ("80 09 03 0600 0600 81 00 00 00", 7, "$[2].key", "an integer as a key after a repeated text"),
    ("80 09 03 81 81 0600 00 00 00", 5, "$[2].key", "a text as a key after a repeated integer"),
    ("80 09 01 0600 09 02 0600 81 00 00", 9, "$[0].value[1].key", "an integer as a key after a text, in a map of texts"),
    ("80 09 01 81 09 02 82 0600 00 00", 7, "$[0].value[1].key", "a text as a key after an integer, in a map of integers"),
    ("80 08 02 09 01 81 00 09 02 0600 81 00 00", 11, "$[1][1].key", "an integer as a key after a text, after a map of integers"),
]:
    TOPIC.rejected(what, "any", data, "malformed", at, path)
TOPIC.rejected(
    "a text as a key after an integer, in a field",
    "struct Row { key: string, value: any }",
    "80 00 09 02 81 0600 00 00",
    "malformed",
    5,
    "$.value[1].key",
)
TOPIC.rejected("an integer as a key cut", "any", "80 09 01 03 80", "truncated", 5, "$[0].key")
TOPIC.rejected("an integer as a key over-long", "any", "80 09 01 03 8000 00", "bad_number", 4, "$[0].key")
TOPIC.rejected("an integer of 65 bits as a key", "any", "80 09 01 03 ffffffffffffffffff02 00", "bad_number", 4, "$[0].key")
TOPIC.rejected("a text as a key that is not there", "any", "80 09 01 06 02 00", "malformed", 4, "$[0].key")
TOPIC.rejected(
    "a bool as a key in a field",
    "struct Row { key: string, value: any }",
    "80 00 09 01 01 00",
    "malformed",
    4,
    "$.value[0].key",
)
TOPIC.rejected("in a list", "any", "80 08 02 00 7f", "malformed", 4, "$[1]")
TOPIC.rejected("in a map's value", "any", "80 09 01 81 7f", "malformed", 4, "$[0].value")
TOPIC.rejected("in a field", "struct Row { key: string, value: any }", "80 00 08 01 7f", "malformed", 4, "$.value[0]")
TOPIC.rejected("a numeric list's count that lies", "any", "80 18 02" + "00" * 15, "truncated", 18)
TOPIC.rejected("a numeric list of i8 that lies", "any", "80 10 80808004 00", "truncated", 7)
TOPIC.rejected("a numeric list of i32 that lies", "any", "80 12 80808004 01 01", "truncated", 8)
TOPIC.rejected("a numeric list with mode 3", "any", "80 12 10 03 0000", "malformed", 3)
TOPIC.rejected("an unsigned list with zigzag", "any", "80 15 10 02 0000", "malformed", 3)
TOPIC.rejected("a numeric list without ALIGNED", "any", "80 18 08" + "00" * 64, "malformed", 0)
TOPIC.rejected("a numeric list of i16 with a value too large", "any", "80 11 01 808004", "bad_number", 3)
TOPIC.rejected(
    "items of lists, maps and numbers together", "any", "80 08 03 0800 0901 81 00 1002 0506", "limit_items", 10, "$[2]", items=5
)
TOPIC.rejected("a byte after the value", "any", "80 00 00", "trailing", 2)
for head, what in [
    ("08", "list"),
    ("09", "map"),
    ("10", "numeric list of i8"),
    ("12", "numeric list of i32"),
    ("18", "numeric list of f64"),
]:
    TOPIC.rejected(f"a {what}'s count of 2^31", "any", f"80 {head} 8080808008", "bad_number", 2)
    TOPIC.rejected(f"a {what}'s count of 2^31 less one", "any", f"80 {head} ffffffff07", "limit_items", 2)
    TOPIC.rejected(f"items of a {what} come before what is there", "any", f"80 {head} 02", "limit_items", 2, items=1)
TOPIC.rejected("a repeated key before a value that is none", "any", "80 09 02 81 81 7f 00", "malformed", 2)
TOPIC.rejected("a repeated text before a value that is none", "any", "85 02 6162 09 02 0602 0680 7f 00", "malformed", 5)
