"""Error texts of the mistakes that are made most, as their users read them: `error_texts.txt` has them all.

A text says what was expected, what came, where, and what to do. `REWRITE=1 pytest -k error_texts` writes the file anew.
"""

from __future__ import annotations

import array
import datetime
import enum
import gzip
import os
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

from samewire import pack

KEPT = Path(__file__).with_name("error_texts.txt")
UTC = datetime.UTC


class Color(enum.Enum):
    RED = 1
    GREEN = 2


@dataclass
class Book:
    id: str
    name: str
    year: Annotated[int, pack.I32]


@dataclass
class Shelf:
    color: Color
    since: datetime.datetime
    price: Decimal
    tags: set[str]
    sizes: dict[str, int]


class Undeclared:
    id: int


books: Any = pack.codec(list[Book])
shelf: Any = pack.codec(Shelf)
anything: Any = pack.codec(Any)
shallow: Any = pack.codec(Any, limits=pack.Limits(depth=3))
MESSAGE: bytes = books.encode([Book("1001", "Carrie", 1974)])


def a_shelf(**changed: Any) -> bytes:
    fields: dict[str, Any] = {"color": Color.RED, "since": datetime.datetime(1974, 4, 5, tzinfo=UTC), "price": Decimal("5.95")}
    made: bytes = shelf.encode(Shelf(**{**fields, "tags": set(), "sizes": {}, **changed}))
    return made


def a_cycle() -> list[Any]:
    items: list[Any] = []
    items.append(items)
    return items


MISTAKES: dict[str, Callable[[], object]] = {
    "a number beyond its type": lambda: books.encode([Book("1", "a", 2**40)]),
    "a negative number in an unsigned type": lambda: pack.codec(Annotated[int, pack.U8]).encode(-1),
    "a number beyond the widest integer": lambda: pack.codec(int).encode(2**70),
    "a float beyond f32": lambda: pack.codec(Annotated[float, pack.F32]).encode(1e300),
    "a text where a number is due": lambda: books.encode([Book("1", "a", "1974")]),  # type: ignore[arg-type]
    "a float where an int is due": lambda: books.encode([Book("1", "a", 1974.0)]),  # type: ignore[arg-type]
    "a number where a text is due": lambda: books.encode([Book(1001, "a", 1)]),  # type: ignore[arg-type]
    "None where it is not allowed": lambda: books.encode([Book("1", None, 1)]),  # type: ignore[arg-type]
    "bytes where a text is due": lambda: books.encode([Book("1", b"Carrie", 1)]),  # type: ignore[arg-type]
    "a long text where a number is due": lambda: books.encode([Book("1", "a", "x" * 1000)]),  # type: ignore[arg-type]
    "a lone surrogate": lambda: books.encode([Book("1", "\ud83d", 1)]),
    "a dict where an instance is due": lambda: books.encode([{"id": "1", "name": "a", "year": 1}]),
    "one value where a list is due": lambda: books.encode(Book("1", "a", 1)),
    "a text where a list is due": lambda: pack.codec(list[str]).encode("Carrie"),  # type: ignore[arg-type]
    "a list where a set is due": lambda: a_shelf(tags=["a"]),
    "a key of another type": lambda: a_shelf(sizes={1: 2}),
    "a member's name where the member is due": lambda: a_shelf(color="RED"),
    "a datetime without a zone": lambda: a_shelf(since=datetime.datetime(1974, 4, 5)),
    "a date where a datetime is due": lambda: a_shelf(since=datetime.date(1974, 4, 5)),
    "a float where a Decimal is due": lambda: a_shelf(price=5.95),
    "a Decimal that is not a number": lambda: a_shelf(price=Decimal("NaN")),
    "a tuple of another length": lambda: pack.codec(tuple[int, str]).encode((1,)),  # type: ignore[arg-type]
    "an object in Any": lambda: anything.encode(Book("1", "a", 1)),
    "a list that contains itself": lambda: shallow.encode(a_cycle()),
    "a message beyond its limit": lambda: pack.codec(bytes, limits=pack.Limits(frame_bytes=10)).encode(bytes(100)),
    "JSON to decode": lambda: books.decode(b'[{"id": "1001", "name": "Carrie", "year": 1974}]'),
    "a JSON object to decode": lambda: books.decode(b'{"id": "1001"}\n'),
    "a pickle to decode": lambda: books.decode(pickle.dumps([1])),
    "compressed bytes to decode": lambda: books.decode(gzip.compress(MESSAGE)),
    "zstd to decode": lambda: books.decode(bytes.fromhex("28b52ffd0400")),
    "XML to decode": lambda: books.decode(b"<books><book/></books>\n"),
    "MessagePack to decode": lambda: books.decode(b"\x82\xa2id\xa41001\xa4year\xcd\x07\xb6"),
    "a value of v8 to decode": lambda: books.decode(b'\xff\x0fo"\x02id"\x041001{\x01'),
    "Java's serialization to decode": lambda: books.decode(b"\xac\xed\x00\x05t\x00\x01a"),
    "a text to decode": lambda: books.decode("Carrie"),
    "nothing to decode": lambda: books.decode(b""),
    "half a message": lambda: books.decode(MESSAGE[: len(MESSAGE) // 2]),
    "two messages at once": lambda: books.decode(MESSAGE + MESSAGE),
    "a message of another schema": lambda: books.decode(pack.codec(list[str], digest=True).encode(["Carrie"])),
    "a message without the digest that is required": lambda: pack.codec(list[Book], require_digest=True).decode(MESSAGE),
    "a type that has none on the wire": lambda: pack.codec(complex),
    "a class that is not declared": lambda: pack.codec(Undeclared),
    "a value for a type": lambda: pack.codec([1, 2]),
    "an array without its numbers": lambda: pack.codec(array.array),
    "a name that nobody knows": lambda: pack.codec(list["Nobody"]),  # type: ignore[name-defined]  # noqa: F821
    "a set of lists": lambda: pack.codec(set[list[int]]),
    "a mark on another type": lambda: pack.codec(Annotated[str, pack.I32]),
    "a struct in a union with a number": lambda: pack.codec(Book | int),
    "a profile that there is not": lambda: pack.codec(int, profile="small"),
    "a field whose type has changed": lambda: books.resolve("list<struct Book { id: i32, name: string, year: i32 }>"),
    "a field that the writer lacks": lambda: books.resolve("list<struct Book { id: string, name: string }>"),
    "Python's words in a schema": lambda: pack.Schema.parse("list<struct Book { id: str }>"),
}


def test_error_texts() -> None:
    lines = []
    for mistake, make in MISTAKES.items():
        try:
            text = f"no error: {make()!r}"
        except (pack.SamewireError, TypeError) as error:
            text = f"{type(error).__name__}: {error}"
        lines.append(f"{mistake}\n    {text}\n")
    text = "".join(lines).replace(f"{__name__}.", "")
    if os.environ.get("REWRITE"):
        KEPT.write_text(text, "utf-8")
    assert text == KEPT.read_text("utf-8")
    assert "no error" not in text
