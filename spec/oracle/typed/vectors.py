"""The vectors of typed values in a Redis or Valkey server (redis.md section 7)."""

from __future__ import annotations

from typing import Any

from spec.oracle.core.errors import SamewireError
from spec.oracle.core.vector_file import VectorFile
from spec.oracle.pack.canonical import canonical
from spec.oracle.pack.encode import encode
from spec.oracle.pack.notation import Value
from spec.oracle.pack.parse import parse
from spec.oracle.typed.judge import judge, key_of

LANGUAGES = ("python", "java")
SECTION = "redis.md#7-typed-values"


class WrongCaseError(Exception):
    """A case does not say what the oracle finds."""


class Topic(VectorFile):
    """One file of vectors."""

    def written(self, name: str, schema: str, value: Value, profile: str = "compact") -> None:
        """What a writer of this schema puts into a server: the value, and the schema under its key."""
        text = canonical(parse(schema))
        data = encode(parse(text), value, profile, named=8)
        if judge(text, data, {}) != value:
            raise WrongCaseError(f"{self.name}: {name}: it does not read as it was")
        case = {"name": name, "kind": "written", "schema": text, "profile": profile, "value": value, "hex": data.hex()}
        self.cases.append(case | {"key": key_of(text), "text": text.encode().hex()})

    def read(self, name: str, schema: str, data: bytes, keys: dict[str, bytes], value: Value) -> None:
        """Bytes that a reader of this schema reads as this value. `canonical` is how it would write that, without a digest."""
        text = canonical(parse(schema))
        if (found := judge(text, data, keys)) != value:
            raise WrongCaseError(f"{self.name}: {name}: {found!r}")
        case = {"name": name, "kind": "read", "schema": text, "hex": data.hex(), "keys": _hex(keys), "value": value}
        self.cases.append(case | {"canonical": encode(parse(text), value).hex()})

    def refused(
        self,
        name: str,
        schema: str,
        data: bytes,
        keys: dict[str, bytes],
        error: str,
        at: int | None = None,
        path: str | None = None,
    ) -> None:
        """Bytes that a reader of this schema refuses."""
        text = canonical(parse(schema))
        try:
            judge(text, data, keys)
        except SamewireError as failed:
            if (failed.code, failed.at, failed.path) != (error, at, path):
                raise WrongCaseError(f"{self.name}: {name}: {failed}") from failed
        else:
            raise WrongCaseError(f"{self.name}: {name}: it is read")
        case: dict[str, Any] = {"name": name, "kind": "refused", "schema": text, "hex": data.hex(), "keys": _hex(keys)}
        self.cases.append(case | {"error": error, "at": at, "path": path})


def _hex(keys: dict[str, bytes]) -> dict[str, str]:
    return {key: text.hex() for key, text in keys.items()}


BOOK = "struct Book { name: string, year: i32 }"
#: Reads BOOK; BOOK does not read it, since `year` is wider.
WIDER = "struct Book { year: i64, author: option<string>, name: string }"
#: Reads BOOK and WIDER.
NAMED = "struct Book { name: string }"
OTHER = "struct Film { name: string, year: i32 }"
CARRIE: Value = {"name": "Carrie", "year": "1974"}
CUJO: Value = {"year": "1981", "author": "Stephen King", "name": "Cujo"}


def _data(schema: str, value: Value, profile: str = "compact", digest: bool = True) -> bytes:
    return encode(parse(schema), value, profile, named=8 if digest else 0)


def _kept(*schemas: str) -> dict[str, bytes]:
    return {key_of(schema): schema.encode() for schema in schemas}


def _values() -> Topic:
    topic = Topic("values", SECTION)
    topic.written("a struct", BOOK, CARRIE)
    topic.written("a struct, fast", BOOK, CARRIE, "fast")
    topic.written("an integer", "i64", "-1")
    topic.written("text beyond Latin-1", "string", "日本 é")
    topic.written("an empty list", "list<i32>", [])
    topic.written("numbers, aligned", "list<f64>", ["3ff0000000000000"] * 9)
    topic.written("a quoted name", 'struct "a b" { "ß": bool }', {"ß": True})
    topic.read("of its own schema", BOOK, _data(BOOK, CARRIE), {}, CARRIE)
    topic.read("of its own schema, fast", BOOK, _data(BOOK, CARRIE, "fast"), {}, CARRIE)
    topic.read("of its own schema, whatever its key holds", BOOK, _data(BOOK, CARRIE), {key_of(BOOK): b"i32"}, CARRIE)
    topic.read("of an older schema", WIDER, _data(BOOK, CARRIE), _kept(BOOK), {"year": "1974", "author": None, "name": "Carrie"})
    topic.read("of a newer schema", NAMED, _data(WIDER, CUJO), _kept(BOOK, WIDER), {"name": "Cujo"})
    topic.read("of a newer schema, fast", NAMED, _data(WIDER, CUJO, "fast"), _kept(WIDER), {"name": "Cujo"})
    topic.read("widened", "i64", _data("i8", "-1"), _kept("i8"), "-1")
    topic.read("of a type that became optional", "option<i32>", _data("i32", "7"), _kept("i32"), "7")
    return topic


def _refusals() -> Topic:
    topic = Topic("refusals", SECTION)
    good = _data(BOOK, CARRIE)
    name = key_of(BOOK)
    for title, data, error, at in [
        ("no bytes", b"", "truncated", 0),
        ("another version", bytes([good[0] & 0x7F]) + good[1:], "unsupported", 0),
        ("a version before the first", b"\x51" + good[1:], "unsupported", 0),
        ("another version and no digest", b"\x00", "unsupported", 0),
        ("JSON", b'{"name": "Carrie"}', "unsupported", 0),
        ("no digest", _data(BOOK, CARRIE, digest=False), "malformed", 0),
        ("no digest, one byte", b"\x80", "malformed", 0),
        ("a check, no digest", b"\xc0\0\0\0", "malformed", 0),
        ("a digest that is cut", good[:8], "truncated", 8),
        ("a digest that is cut at once", good[:1], "truncated", 1),
    ]:
        topic.refused(title, BOOK, data, _kept(BOOK), error, at)
    topic.refused("a digest and a check", BOOK, bytes([good[0] | 0x40]) + good[1:], {}, "malformed", 0, "$")
    topic.refused("a value that is cut", BOOK, good[:-1], {}, "truncated", len(good) - 1, "$.year")
    topic.refused("a byte too many", BOOK, good + b"\0", {}, "trailing", len(good), "$")
    topic.refused("a digest alone", BOOK, good[:9], {}, "truncated", 9, "$")
    topic.refused("an unknown digest", BOOK, _data(WIDER, CUJO), _kept(BOOK), "schema_mismatch")
    topic.refused("an unknown digest and nothing else", BOOK, b"\x90" + bytes(8), {}, "schema_mismatch")
    topic.refused("a narrower field", BOOK, _data(WIDER, CUJO), _kept(WIDER), "schema_mismatch", None, "$.year")
    topic.refused("another struct", BOOK, _data(OTHER, CARRIE), _kept(OTHER), "schema_mismatch", None, "$")
    topic.refused("a field that is missing", BOOK, _data(NAMED, {"name": "x"}), _kept(NAMED), "schema_mismatch", None, "$.year")
    topic.refused("a resolved value that is cut", WIDER, good[:-1], _kept(BOOK), "truncated", len(good) - 1, "$.year")
    topic.refused("a resolved value and a byte too many", WIDER, good + b"\0", _kept(BOOK), "trailing", len(good), "$")
    topic.refused("a schema without its text", WIDER, good, {name: b""}, "malformed", 0)
    topic.refused("a schema that ends early", WIDER, good, {name: b"struct Book {"}, "malformed", 13)
    topic.refused("a schema of another digest", WIDER, good, {name: OTHER.encode()}, "malformed")
    topic.refused("a schema that is not canonical", WIDER, good, {name: BOOK.replace(" ", "  ").encode()}, "malformed")
    topic.refused("a schema that is not UTF-8", WIDER, good, {name: b"struct \xff"}, "bad_utf8", 7)
    return topic


def files() -> list[VectorFile]:
    """All vector files, by name."""
    return [_refusals(), _values()]
