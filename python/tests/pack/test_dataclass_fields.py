"""Dataclasses that were pickled by value, as PySpark 3.5 sends them to its workers."""

from __future__ import annotations

import copy
import dataclasses
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

from samewire import pack


def carried(cls: Any) -> Any:
    """The class as a worker of PySpark 3.5 has it: the marks of `dataclasses` are copies."""
    for one in cls.__dataclass_fields__.values():
        one._field_type = copy.copy(one._field_type)
        for name in ("default", "default_factory", "kw_only"):
            value = getattr(one, name)
            if value is dataclasses.MISSING:
                setattr(one, name, copy.copy(value))
    return cls


@carried
@dataclass
class Author:
    name: str
    books: ClassVar[int] = 0


@carried
@dataclass
class Book:
    id: str
    author: Author
    year: Annotated[int, pack.I32] = 1950
    tags: list[str] = field(default_factory=list)


def test_they_have_the_fields_and_defaults_of_their_declaration() -> None:
    assert not dataclasses.fields(Book)
    codec = pack.codec(list[Book])
    assert codec.schema.text == (
        "list<struct Book { id: string, author: struct Author { name: string }, year: i32, tags: list<string> }>"
    )
    books = [Book(str(number), Author("a"), 1900 + number, ["x"]) for number in range(100)]
    for one, again in zip(books, codec.decode(codec.encode(books)), strict=True):
        assert vars(one) | {"author": "a"} == vars(again) | {"author": again.author.name}


def test_only_fields_with_a_default_may_lack() -> None:
    native: Any = pack.codec(Book)._native_type
    defaults = {one.name: one.default for one in native.fields}
    assert [name for name, default in defaults.items() if default is not None] == ["year", "tags"]
