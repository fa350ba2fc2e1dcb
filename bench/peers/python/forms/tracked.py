"""``msgspec.Struct`` under the collector."""

from __future__ import annotations

import msgspec

from bench.peers.python.forms.numbers import Int32


class Event(msgspec.Struct, array_like=True):
    i: Int32
    b: bool


class Book(msgspec.Struct, array_like=True):
    id: str
    name: str
    author: str
    publicationYear: Int32  # noqa: N815 (JSON peers write the name)


class Node(msgspec.Struct, array_like=True):
    name: str
    color: str
    children: list[Node]
