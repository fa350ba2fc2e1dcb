"""Wrote the messages and record files of version 1 that every later release reads, once and for all.

`python -m spec.oracle.pack.keep` made `cases/version_1.json` and `../records/version_1.json`, and never changes them: a
file that exists is refused. A later version of the format adds a file of its own.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from spec.oracle.core.vector_file import Case
from spec.oracle.pack.canonical import canonical
from spec.oracle.pack.cases.table import f32, f64, tidy
from spec.oracle.pack.decode import decode
from spec.oracle.pack.encode import encode
from spec.oracle.pack.notation import Value
from spec.oracle.pack.parse import parse
from spec.oracle.records.write import written

MESSAGES = Path(__file__).parent / "cases" / "version_1.json"
FILES = Path(__file__).parents[1] / "records" / "version_1.json"

SUIT = "enum Suit { clubs, diamonds, hearts, spades }"
SHAPE = "union { struct Circle { r: f64 }, struct Nothing {}, struct Square { side: i32, note: option<string> } }"
NODE = "struct Node { name: string, kids: list<Node> }"
EVERYTHING = f"""struct Everything {{
    yes: bool, a: i8, b: i16, c: i32, d: i64, e: u8, f: u16, g: u32, h: u64, big: bigint, single: f32, double: f64,
    price: decimal, name: string, raw: bytes, id: uuid, day: date, clock: time, at: timestamp, took: duration,
    suit: {SUIT}, none: option<i32>, some: option<i32>, flag: option<bool>, texts: list<string>, keys: set<i32>,
    counts: map<string, u16>, pair: tuple<i32, string>, shape: {SHAPE}, tree: {NODE}, loose: any,
    first: ref<struct Shared {{ n: i32 }}>, again: ref<Shared>
}}"""
NUMBERS = """list<struct Numbers {
    id: i64, step: i32, small: u8, price: f64, ratio: f32, cost: decimal, open: bool, count: option<i32>, at: timestamp, day: date
}>"""
TEXTS = f"""list<struct Texts {{
    name: string, side: string, wide: string, suit: {SUIT}, note: option<string>, tags: list<string>,
    pair: tuple<i32, bool>, raw: bytes, id: uuid
}}>"""


def everything(number: int, name: str) -> Value:
    """A value of each type."""
    some = number % 2 == 0
    return {
        "yes": some, "a": -number, "b": -300 - number, "c": -70_000, "d": -(2**40), "e": 255, "f": 65_535, "g": 2**32 - 1,
        "h": 2**64 - 1, "big": -(2**100) - number, "single": f32(0.1), "double": f64(-1.5 * number), "price": "1250/2",
        "name": name, "raw": bytes(range(number % 9)), "id": "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
        "day": 20_000 + number, "clock": 86_399_999_999_999, "at": 1_700_000_000_123_456_789, "took": -1_500_000_000,
        "suit": "hearts" if some else "clubs", "none": None, "some": number, "flag": some,
        "texts": [name, "a", name, ""], "keys": [-5, 0, number + 1], "counts": [["b", 1], ["a", 2]], "pair": [number, name],
        "shape": {"Circle": {"r": f64(2.0)}} if some else {"Square": {"side": 4, "note": name}},
        "tree": {"name": "root", "kids": [{"name": "leaf", "kids": []}]},
        "loose": {"list": [None, True, {"int": "5"}, {"string": name}, {"f64": f64(0.5)}, {"map": [[{"string": "k"}, {"int": "-1"}]]}]},
        "first": {"ref": 0, "value": {"n": number}}, "again": {"ref": 0},
    }  # fmt: skip


def numbers(i: int) -> Value:
    """A row of numbers."""
    return {
        "id": 10**12 + i * i, "step": 5 * i - 40, "small": i % 200, "price": f64(i * 37 % 1000 / 100), "ratio": f32(i / 3),
        "cost": f"{i * 199}/2", "open": i % 3 == 0, "count": i if i % 5 else None,
        "at": (1_700_000_000_000 + 250 * i) * 1_000_000, "day": 19_000 + i // 3,
    }  # fmt: skip


def texts(i: int) -> Value:
    """A row of texts and others."""
    return {
        "name": f"name {i}", "side": ["BUY", "SELL"][i % 2], "wide": ["東京", "Łódź", "ok"][i % 3],
        "suit": ["clubs", "hearts", "spades"][i % 3], "note": f"“{i}”" if i % 4 else None,
        "tags": [f"tag {tag}" for tag in range(i % 3)], "pair": [i * 1000, i % 2 == 0], "raw": bytes([i % 256] * (i % 4)),
        "id": f"00112233-4455-6677-8899-{i * 7:012x}",
    }  # fmt: skip


#: Name, schema, value.
VALUES: list[tuple[str, str, Value]] = [
    ("every type", EVERYTHING, everything(4, "Latin é")),
    ("every type, text of other scripts", EVERYTHING, everything(7, "日本語")),
    ("a text of each block", "list<string>", ["Latin é", "日本", "“quoted” English, which is shorter in UTF-8", "Latin é", "日本"]),
    ("integers", "list<i64>", [0, 1, -1, 2**63 - 1, -(2**63)]),
    ("numbers that are aligned", "list<f64>", [f64(i / 4) for i in range(40)]),
    ("a short list of structs, in rows", TEXTS, [texts(i) for i in range(3)]),
    ("a column of each kind of number", NUMBERS, [numbers(i) for i in range(64)]),
    ("a column of texts and others", TEXTS, [texts(i) for i in range(64)]),
    ("a map of structs, in columns", "map<string, struct P { x: i32, y: f64 }>",
     [[f"k{i}", {"x": i * 3, "y": f64(i / 8)}] for i in range(64)]),
    ("no text", "struct P { x: i32, y: i32 }", {"x": 1, "y": -1}),
]  # fmt: skip


MARKS = {0: "", 2: ", check", 8: ", digest"}


def messages() -> list[Case]:
    """Each value in both profiles, and with the digest and the check."""
    made = []
    for name, schema, value in VALUES:
        t = parse(schema)
        for profile, named in ("compact", 0), ("compact", 2), ("compact", 8), ("fast", 0):
            if named and len(str(value)) > 4000:
                continue
            data = encode(t, tidy(value), profile, named=named)
            case = {"name": f"{name} ({profile}{MARKS[named]})", "schema": canonical(t), "profile": profile}
            made.append(case | {"named": named, "hex": data.hex(), "value": decode(t, data)})
    return made


def files() -> list[Case]:
    """Record files: closed, open, empty."""
    book, node = "struct Book { name: string, year: i32 }", canonical(parse(NODE))
    books: list[Value] = [
        {"name": name, "year": year} for name, year in [("Carrie", "1974"), ("日本 é", "-1"), ("“It”", "1986"), ("Carrie", "0")]
    ]
    trees: list[Value] = [{"name": "a", "kids": [{"name": "b", "kids": []}]}, {"name": "é", "kids": []}]
    loose: list[Value] = [
        None,
        {"int": "5"},
        {"list": [True, {"string": "“x”"}]},
        {"map": [[{"string": "k"}, {"f64": f64(0.5)}]]},
    ]
    rows: list[Value] = [[f64(i / 4) for i in range(40)], []]
    made: list[Case] = []
    for name, schema, blocks, indexed in (
        ("no records", book, [], True),
        ("two blocks and an index", book, [books[:2], books[2:]], True),
        ("a file that was not closed", book, [books], False),
        ("records of a recursive struct", node, [trees], True),
        ("records of any type", "any", [loose], True),
        ("records of aligned numbers", "list<f64>", [rows], True),
    ):
        records = [record for block in blocks for record in block]
        made.append({"name": name, "schema": schema, "hex": written(schema, blocks, indexed).hex(), "records": records})
    return made


def keep(path: Path, cases: list[Case]) -> None:
    """Writes a file that is not there yet."""
    lines = ",\n".join(json.dumps(case, ensure_ascii=True) for case in cases)
    with path.open("x", encoding="utf-8") as file:
        file.write(f"[\n{lines}\n]\n")


def main() -> int:
    for path, cases in (MESSAGES, messages()), (FILES, files()):
        try:
            keep(path, cases)
        except FileExistsError:
            print(f"{path} exists, and stays as it is", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
