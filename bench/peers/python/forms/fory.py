"""Mutable dataclasses with slots, whose numbers are spelt as pyfory wants them; it cannot fill frozen ones."""

from __future__ import annotations

from dataclasses import dataclass

import pyfory


@dataclass(slots=True)
class Event:
    i: pyfory.FixedInt32
    b: bool


@dataclass(slots=True)
class Book:
    id: str
    name: str
    author: str
    publicationYear: pyfory.FixedInt32  # noqa: N815 (JSON peers write the name)


@dataclass(slots=True)
class Node:
    name: str
    color: str
    children: list[Node]
