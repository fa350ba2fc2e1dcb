"""Dataclasses that are records in the Java classes of these tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from samewire import pack


@dataclass(frozen=True)
class Book:
    """As the Java record `tested.Books$Book`."""

    id: str
    year: Annotated[int, pack.I32]
