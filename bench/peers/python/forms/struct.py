"""``msgspec.Struct`` kept out of the collector: msgspec's fastest set-up."""

from __future__ import annotations

import msgspec

from bench.peers.python.forms.numbers import Int32


class Event(msgspec.Struct, array_like=True, gc=False):
    i: Int32
    b: bool


class Book(msgspec.Struct, array_like=True, gc=False):
    id: str
    name: str
    author: str
    publicationYear: Int32  # noqa: N815 (JSON peers write the name)


class Node(msgspec.Struct, array_like=True, gc=False):
    name: str
    color: str
    children: list[Node]
