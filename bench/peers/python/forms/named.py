"""Named tuples."""

from __future__ import annotations

from typing import NamedTuple

from bench.peers.python.forms.numbers import Int32


class Event(NamedTuple):
    i: Int32
    b: bool


class Book(NamedTuple):
    id: str
    name: str
    author: str
    publicationYear: Int32  # noqa: N815 (JSON peers write the name)


class Node(NamedTuple):
    name: str
    color: str
    children: list[Node]
