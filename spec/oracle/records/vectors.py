"""The vectors of record files (records.md)."""

from __future__ import annotations

import json
from pathlib import Path

from spec.oracle.core.frames import frame
from spec.oracle.core.primitives import varint
from spec.oracle.core.vector_file import VectorFile
from spec.oracle.pack.encode import encode
from spec.oracle.pack.notation import Value
from spec.oracle.pack.parse import parse
from spec.oracle.records.topic import Topic
from spec.oracle.records.write import INDEX, MAGIC, RECORDS, SCHEMA, block, index_body, records_body, written

LANGUAGES: tuple[str, ...] = ("java", "python", "rust", "typescript")

BOOK = "struct Book { name: string, year: i32 }"
#: Reads BOOK by resolution.
WIDER = "struct Book { year: i64, author: option<string>, name: string }"
OTHER = "struct Film { name: string, year: i32 }"
NODE = "struct Node { name: string, kids: list<Node> }"

CARRIE: Value = {"name": "Carrie", "year": "1974"}
CUJO: Value = {"name": "Cujo", "year": "1981"}
MISERY: Value = {"name": "Misery", "year": "1987"}
JAPAN: Value = {"name": "日本 é", "year": "-1"}


def _message(schema: str, value: Value, profile: str = "compact", digest: bool = False) -> bytes:
    return encode(parse(schema), value, profile, named=8 if digest else 0)


def _start(schema: str) -> bytes:
    return MAGIC + block(SCHEMA, schema.encode())


HEAD = _start(BOOK)
ONE = _message(BOOK, CARRIE)


def _files() -> Topic:
    topic = Topic("files", "records.md#1-the-file")
    topic.written("no records", BOOK, [])
    topic.written("no records, no index", BOOK, [], indexed=False)
    topic.written("one record", BOOK, [[CARRIE]])
    topic.written("one record, no index", BOOK, [[CARRIE]], indexed=False)
    topic.written("two blocks", BOOK, [[CARRIE, CUJO], [MISERY]])
    topic.written("text beyond Latin-1", BOOK, [[JAPAN], [CARRIE, JAPAN]])
    topic.written("integers", "i32", [["0", "-1"], ["2147483647"]])
    topic.written("empty lists", "list<i32>", [[[], ["1"], []]])
    topic.written("a recursive struct", NODE, [[{"name": "a", "kids": [{"name": "b", "kids": []}]}]])
    topic.written("any", "any", [[None, {"int": "5"}, {"list": [True]}]])
    topic.written("aligned numbers", "list<f64>", [[["3ff0000000000000"] * 9], [["4000000000000000"] * 20]])
    topic.written("a block of more than 127 records and bytes", "i32", [[str(value) for value in range(300)]])

    topic.read(
        "messages of the other profile", BOOK, HEAD + block(RECORDS, records_body([_message(BOOK, CARRIE, "fast")])), [CARRIE]
    )
    digested = records_body([_message(BOOK, CARRIE, digest=True), ONE])
    topic.read("a message with the schema's digest", BOOK, HEAD + block(RECORDS, digested), [CARRIE, CARRIE])
    wide = {"year": "1974", "author": None, "name": "Carrie"}
    topic.read("a newer reader", BOOK, written(BOOK, [[CARRIE]], indexed=True), [wide], WIDER)
    topic.read(
        "an index, and blocks behind it",
        BOOK,
        written(BOOK, [[CARRIE]], indexed=True) + block(RECORDS, records_body([ONE])),
        [CARRIE, CARRIE],
    )
    short = written(BOOK, [[CARRIE]], indexed=False)
    topic.read("an index that leaves out a block", BOOK, short + block(INDEX, index_body([], len(short))), [CARRIE])

    topic.appended("to an empty file", BOOK, HEAD, [CARRIE])
    topic.appended("to a file with an index", BOOK, written(BOOK, [[CARRIE, CUJO]], indexed=True), [MISERY])
    topic.appended("to a file without an index", BOOK, written(BOOK, [[CARRIE, CUJO]], indexed=False), [MISERY])
    twice = written(BOOK, [[CARRIE]], indexed=True) + block(RECORDS, records_body([ONE]))
    topic.appended("to a file whose index is not at its end", BOOK, twice, [MISERY])
    for cut in (1, 4, 5, 12):
        unfinished = block(RECORDS, records_body([ONE, ONE]))[:cut]
        topic.appended(f"after {cut} bytes of a block", BOOK, written(BOOK, [[CUJO]], indexed=True) + unfinished, [MISERY], cut)
    return topic


def _broken() -> Topic:
    topic = Topic("broken", "records.md#3-reading")
    topic.refused("nothing", BOOK, b"", [], "truncated", 0)
    topic.refused("another magic", BOOK, b'[{"name"', [], "malformed", 0)
    topic.refused("a magic that went through a text editor", BOOK, MAGIC.replace(b"\r\n", b"\n") + b"\0", [], "malformed", 4)
    topic.refused("another version", BOOK, MAGIC[:7] + b"\2", [], "unsupported", 7)
    topic.refused("no schema", BOOK, MAGIC, [], "truncated", 8)
    topic.refused("no schema but records", BOOK, MAGIC + block(RECORDS, records_body([ONE])), [], "malformed", 8)
    topic.refused("two schemas", BOOK, HEAD + HEAD[8:], [], "malformed", len(HEAD))
    topic.refused("an unknown kind", BOOK, HEAD + b"\5", [], "unsupported", len(HEAD))
    topic.refused("kind 0", BOOK, HEAD + b"\0", [], "unsupported", len(HEAD))
    topic.refused("schema text that is not canonical", "i32", _start(" i32"), [], "malformed", 10)
    topic.refused("schema text that is none", "i32", _start("i33"), [], "malformed", 10)
    topic.refused("schema text that is not UTF-8", "i32", MAGIC + block(SCHEMA, b"\xff"), [], "bad_utf8", 10)
    topic.refused("another schema", OTHER, written(BOOK, [[CARRIE]], indexed=True), [], "schema_mismatch", None, "$")
    topic.refused("a size that is not in its shortest form", BOOK, HEAD + b"\2\x80\0", [], "bad_number", len(HEAD) + 1)
    topic.refused(
        "a size over the limit", BOOK, HEAD + b"\2" + varint(4097), [], "limit_size", len(HEAD) + 1, buffered_bytes=4096
    )
    good = block(RECORDS, records_body([ONE]))
    for name, at in (("kind's", 0), ("body's", 5), ("checksum's", len(good) - 1)):
        flip = 6 if at == 0 else 1
        bad = bytearray(good)
        bad[at] ^= flip
        data = HEAD + good + bytes(bad)
        expected = len(data) - 4
        topic.refused(f"one bit of the {name} last byte is another", BOOK, data, [CARRIE], "malformed", expected)
    body = len(HEAD) + 2

    def body_refused(name: str, kind: int, body_bytes: bytes) -> None:
        topic.refused(name, BOOK, HEAD + block(kind, body_bytes), [], "malformed", body)

    body_refused("an empty body", RECORDS, b"")
    body_refused("no records", RECORDS, b"\0")
    body_refused("an empty message", RECORDS, b"\1\0")
    body_refused("fewer records than announced", RECORDS, b"\2" + frame(ONE))
    body_refused("more records than announced", RECORDS, b"\1" + frame(ONE) * 2)
    body_refused("a frame beyond the body", RECORDS, b"\1" + frame(ONE)[:-1])
    body_refused("an index of another place", INDEX, index_body([], 7))
    body_refused("an index with bytes behind it", INDEX, b"\0" + index_body([], len(HEAD)))
    body_refused("an index without its start", INDEX, b"\0")

    def index_refused(name: str, *blocks: tuple[int, int]) -> None:
        """An index behind two blocks of records, of which each is as long as `good`."""
        before = HEAD + good * 2
        data = before + block(INDEX, index_body(blocks, len(before)))
        topic.refused(name, BOOK, data, [CARRIE, CARRIE], "malformed", len(before) + 2)

    end = len(HEAD) + 2 * len(good)
    index_refused("an index of a block within the schema's", (len(HEAD) - 1, 1))
    index_refused("an index of a block without records", (len(HEAD), 0))
    index_refused("an index of a block closer than the smallest", (len(HEAD), 1), (len(HEAD) + 8, 1))
    index_refused("an index of a block that would reach into it", (len(HEAD), 1), (end - 8, 1))
    index_refused("an index of a block behind it", (len(HEAD), 1), (2**40, 1))

    def size_refused(name: str, kind: int, size: int, rest: bytes) -> None:
        topic.refused(name, BOOK, HEAD + good + bytes([kind]) + varint(size) + rest, [CARRIE], "malformed", len(HEAD + good) + 1)

    # Were these unfinished blocks, appending would cut them off, and all blocks behind them.
    size_refused("a size of records beyond the file's end, whose frames end before it", RECORDS, 8192, good[2:] + good)
    size_refused("a size of records beyond the file's end, and no records", RECORDS, 8192, b"\0")
    size_refused("a size of records beyond the file's end, and an empty frame", RECORDS, 8192, b"\2" + frame(ONE) + b"\0")
    size_refused("a size of records that is less than a frame within it", RECORDS, 20, b"\1\x7f")
    size_refused("a size of records beyond the file's end, and a count that is not one", RECORDS, 8192, b"\x80\0")
    index = index_body([(len(HEAD), 1)], len(HEAD + good))
    size_refused("a size of an index beyond the file's end, whose fields end before it", INDEX, 8192, index + bytes(4) + good)
    begun = HEAD + good + bytes([RECORDS]) + varint(8192) + b"\3" + frame(ONE) + b"\x80\1"
    topic.refused("a block whose second frame is not whole", BOOK, begun, [CARRIE], "truncated", len(begun))
    wrong = records_body([ONE, b"\x80", ONE])
    topic.refused(
        "a message that ends too early", BOOK, HEAD + good + block(RECORDS, wrong), [CARRIE, CARRIE], "truncated", 1, "$.name"
    )
    other = records_body([_message(OTHER, CARRIE, digest=True)])
    topic.refused("a message of another digest", BOOK, HEAD + block(RECORDS, other), [], "schema_mismatch", 1, "$")
    big = records_body([_message(BOOK, {"name": "x" * 90, "year": "1"})])
    topic.refused("a message over the limit", BOOK, HEAD + block(RECORDS, big), [], "limit_size", 0, "$", frame_bytes=80)
    return topic


def _version_1() -> Topic:
    """Files of version 1, as the release that froze it wrote them. `version_1.json` was made once, and is kept."""
    topic = Topic("version_1", "records.md#1-the-file")
    for case in json.loads((Path(__file__).parent / "version_1.json").read_text(encoding="utf-8")):
        topic.read(case["name"], case["schema"], bytes.fromhex(case["hex"]), case["records"])
    return topic


def files() -> list[VectorFile]:
    """All vector files, by name."""
    return [_broken(), _files(), _version_1()]
