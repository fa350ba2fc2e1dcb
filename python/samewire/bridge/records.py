"""Struct classes that a program registered as records of Java."""

from __future__ import annotations

from collections.abc import Mapping


def digests(records: Mapping[type, str]) -> list[tuple[str, bytes]]:
    """The records for the hello: the names of their classes in Java, and the digests of their schemas."""
    if not records:
        return []
    from samewire import pack

    return [(name, pack.codec(kind).digest) for kind, name in records.items()]
