"""The worked examples of pack.md section 15: `python -m spec.oracle.pack.examples` writes them between the marks.

The bytes and remarks are written by hand; `rendered` refuses an example that the oracle encodes otherwise.
"""

from __future__ import annotations

import json
import textwrap
from dataclasses import dataclass
from pathlib import Path

from spec.oracle.pack.canonical import canonical
from spec.oracle.pack.cases.table import f64, tidy
from spec.oracle.pack.encode import encode
from spec.oracle.pack.notation import Value
from spec.oracle.pack.parse import parse

DOCUMENT = Path(__file__).resolve().parents[2] / "pack.md"
BEGIN, END = "<!-- examples:begin -->\n", "<!-- examples:end -->\n"
HEADER = ("80", "header: version 1")


@dataclass(frozen=True)
class Example:
    """Bytes as hexadecimal digits, each piece with its remark."""

    title: str
    schema: str
    value: Value
    pieces: list[tuple[str, str]]
    profile: str = "compact"
    named: int = 0

    def rendered(self) -> str:
        written = bytes.fromhex("".join(data for data, _ in self.pieces))
        made = encode(parse(self.schema), tidy(self.value), self.profile, self.named)
        if made != written or canonical(parse(self.schema)) != self.schema:
            raise ValueError(f"{self.title}: {self.schema}: the oracle writes {made.hex(' ')}")
        rows = [row for data, remark in self.pieces for row in _rows(bytes.fromhex(data), remark)]
        width = max(14, *(len(data) for data, _ in rows))
        lines = [f"{data.ljust(width)}  {remark}".rstrip() for data, remark in rows]
        text = json.dumps(tidy(self.value), ensure_ascii=False)
        value = "\n".join(textwrap.wrap(text, 110, initial_indent="value   ", subsequent_indent=" " * 8))
        return f"**{self.title}**\n\n```\nschema  {self.schema}\n{value}\n\n" + "\n".join(lines) + "\n```\n"


def _rows(data: bytes, remark: str) -> list[tuple[str, str]]:
    """Returns lines of 16 bytes, the remark beside the first."""
    return [(data[at : at + 16].hex(" "), "" if at else remark) for at in range(0, len(data), 16)]


EXAMPLES = [
    Example("bool", "bool", True, [HEADER, ("01", "flags of the row of one slot: bit 0 is the value; the slot is empty")]),
    Example("i8", "i8", -2, [HEADER, ("fe", "one byte, two's complement")]),
    Example("u8", "u8", 200, [HEADER, ("c8", "one byte")]),
    Example(
        "i16, i32, i64", "i32", -300, [HEADER, ("d704", "zigzag 599 = 0b100_1010111 as a varint: 57 with the high bit, then 04")]
    ),
    Example("u16, u32, u64", "u64", 300, [HEADER, ("ac02", "varint: 300 = 2 × 128 + 2c")]),
    Example("bigint", "bigint", 1 << 64, [HEADER, ("09", "length"), ("010000000000000000", "two's complement, big-endian")]),
    Example("f32", "f32", "3fc00000", [HEADER, ("0000c03f", "1.5, little-endian")]),
    Example("f64", "f64", "8000000000000000", [HEADER, ("0000000000000080", "−0.0, little-endian")]),
    Example(
        "decimal",
        "decimal",
        "-105/2",
        [HEADER, ("04", "scale 2, zigzag"), ("01", "length of the unscaled value"), ("97", "−105")],
    ),
    Example(
        "string, Latin-1",
        "string",
        "h\xe9llo",
        [
            ("81", "header: version 1, TEXT"),
            ("05", "Latin-1 length"),
            ("68e96c6c6f", "Latin-1 block"),
            ("05", "token: the next 5 characters"),
        ],
    ),
    Example(
        "string, wide, and a back reference",
        "list<string>",
        ["ab", "\u65e5\u672c", "ab"],
        [
            ("87", "header: version 1, TEXT, WIDE, REFS"),
            ("02", "Latin-1 length"),
            ("02", "wide length, in units"),
            ("6162", "Latin-1 block"),
            ("e5652c67", "wide block, UTF-16LE"),
            ("03", "count"),
            ("02", "token: the next 2 Latin-1 characters; text number 0"),
            ("64", "token: the next 2 wide units; text number 1"),
            ("80", "token: text number 0 again"),
        ],
    ),
    Example(
        "string, UTF-8",
        "string",
        "\u20ac 5",
        [
            ("a0", "header: version 1, UTF8"),
            ("05", "UTF-8 length, in bytes"),
            ("e282ac2035", "UTF-8 block: in UTF-16 they were 6 bytes"),
            ("73", "token: the next 5 bytes of UTF-8"),
        ],
    ),
    Example("bytes", "bytes", b"\x00\xff", [HEADER, ("02", "length"), ("00ff", "the bytes")]),
    Example(
        "uuid",
        "uuid",
        "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
        [HEADER, ("f81d4fae7dec11d0a76500a0c91e6bf6", "16 bytes in the order of the text")],
    ),
    Example("date", "date", 20_000, [HEADER, ("c0b802", "2024-10-04: zigzag 40,000")]),
    Example("time", "time", 1_000_000, [HEADER, ("c0843d", "00:00:00.001: nanoseconds")]),
    Example(
        "timestamp",
        "timestamp",
        1_500_000_000,
        [HEADER, ("02", "one second, zigzag"), ("d20f", "500 << 2 | 2: 500 milliseconds")],
    ),
    Example(
        "duration",
        "duration",
        -1,
        [HEADER, ("01", "−1 second: rounded down"), ("fccfacf30e", "999,999,999 << 2 | 0: nanoseconds")],
    ),
    Example("enum", "enum Suit { clubs, diamonds, hearts, spades }", "hearts", [HEADER, ("02", "index in the sorted order")]),
    Example("option, null", "option<i32>", None, [HEADER, ("00", "flags: not there")]),
    Example("option", "option<bool>", False, [HEADER, ("01", "flags: there"), ("00", "false, in the slot")]),
    Example(
        "list",
        "list<option<u8>>",
        [7, None, 9],
        [
            HEADER,
            ("03", "count"),
            ("05", "flags of the row: 0b101"),
            ("07", "first slot"),
            ("09", "third slot; the second is empty"),
        ],
    ),
    Example("list of numbers, few", "list<i32>", [1, -1], [HEADER, ("02", "count"), ("02 01", "zigzag varints")]),
    Example(
        "list of numbers, packed",
        "list<u16>",
        [1, 2, 3, 0] * 4 + [1000],
        [
            HEADER,
            ("11", "count 17"),
            ("01", "mode 1: packed"),
            ("82", "the only block: width 2, exceptions"),
            ("01", "one exception"),
            ("3939393900", "17 times 2 bits: 1, 2, 3, 0 is 0b00_11_10_01; of 1000 the low bits 00"),
            ("10", "position 16"),
            ("fa01", "1000 >> 2 = 250"),
        ],
    ),
    Example(
        "list of numbers, raw and aligned",
        "list<f64>",
        [f64(1.0)] * 8,
        [
            ("88", "header: version 1, ALIGNED"),
            ("08", "count"),
            ("000000000000", "padding until offset 8"),
            ("000000000000f03f" * 8, "8 times 1.0"),
        ],
    ),
    Example("set", "set<i32>", [-1, 3, 5], [HEADER, ("03", "count"), ("01 06 0a", "keys in ascending order")]),
    Example(
        "map",
        "map<string, bool>",
        [["b", True], ["a", False]],
        [
            ("81", "header: version 1, TEXT"),
            ("02", "Latin-1 length"),
            ("6261", "Latin-1 block"),
            ("02", "count"),
            ("01 01", "the row of keys, in the map's order: two texts of one character"),
            ("01", "the row of values: flags 0b01"),
        ],
    ),
    Example("tuple", "tuple<i8, bool, u16>", [1, True, 300], [HEADER, ("01", "flags: the bool"), ("01", "i8"), ("ac02", "u16")]),
    Example(
        "struct",
        "struct Book { title: string, year: i32, read: bool, note: option<string> }",
        {"title": "Ubik", "year": 1969, "read": True, "note": None},
        [
            ("81", "header: version 1, TEXT"),
            ("04", "Latin-1 length"),
            ("5562696b", "Latin-1 block"),
            ("01", "flags: bit 0 read, bit 1 note is not there"),
            ("04", "title"),
            ("e21e", "year, zigzag 3938"),
        ],
    ),
    Example(
        "union",
        "union { struct Circle { r: u8 }, struct Point {}, struct Rect { w: u8, h: u8 } }",
        {"Rect": {"w": 3, "h": 4}},
        [HEADER, ("02", "index of Rect in the sorted order"), ("03 04", "its row")],
    ),
    Example(
        "any",
        "any",
        {"map": [[{"string": "n"}, {"list": [None, True, {"int": 5}, {"int": -1}, {"i8s": [-1, 1]}]}]]},
        [
            ("81", "header: version 1, TEXT"),
            ("01", "Latin-1 length"),
            ("6e", "Latin-1 block"),
            ("09 01", "map of one entry"),
            ("06 01", "its key: a string, token 01"),
            ("08 05", "its value: a list of five"),
            ("00", "null"),
            ("02", "true"),
            ("85", "integer 5"),
            ("03 01", "integer −1"),
            ("10 02 ff 01", "list of i8, two numbers"),
        ],
    ),
    Example(
        "ref",
        "list<ref<struct Tag { id: u8 }>>",
        [{"ref": 0, "value": {"id": 7}}, {"ref": 0}, {"ref": 1, "value": {"id": 7}}],
        [
            HEADER,
            ("03", "count"),
            ("00", "a struct follows"),
            ("07", "its row; it gets number 0"),
            ("01", "number 0 again"),
            ("00 07", "an equal struct that is not shared: number 1"),
        ],
    ),
    Example(
        "a digest, profile `fast`",
        "list<string>",
        ["ab", "ab"],
        [
            ("91", "header: version 1, DIGEST, TEXT"),
            ("d8e4c1a588e3a824", "digest of `list<string>`"),
            ("04", "Latin-1 length"),
            ("61626162", "Latin-1 block: nothing is looked up"),
            ("02", "count"),
            ("02 02", "two new texts"),
        ],
        "fast",
        8,
    ),
    Example(
        "a check",
        "i32",
        1,
        [("c0", "header: version 1, CHECK"), ("2af2", "the first two bytes of the digest of `i32`"), ("02", "1, zigzag")],
        named=2,
    ),
]


def section() -> str:
    """Returns the text between the marks."""
    return "\n" + "\n".join([example.rendered() for example in EXAMPLES]) + "\n"


def main() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    DOCUMENT.write_text(before + BEGIN + section() + END + after, encoding="utf-8")


if __name__ == "__main__":
    main()
