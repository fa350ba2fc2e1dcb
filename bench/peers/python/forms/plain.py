"""Plain dataclasses: mutable, with a ``__dict__``."""

from __future__ import annotations

from dataclasses import dataclass

from bench.peers.python.forms.numbers import Int32


@dataclass
class Event:
    i: Int32
    b: bool


@dataclass
class Book:
    id: str
    name: str
    author: str
    publicationYear: Int32  # noqa: N815 (JSON peers write the name)


@dataclass
class Node:
    name: str
    color: str
    children: list[Node]
