"""The compatibility of two schemas, in both directions (spec/pack.md, section 13)."""

from __future__ import annotations

from dataclasses import dataclass

from samewire.errors import SamewireError
from samewire.pack.schema import Difference, Schema

from .unknown import Unknown, unknown


@dataclass(frozen=True, slots=True)
class Compatibility:
    """The compatibility of two schemas.

    difference: the first place where they differ, None if they are equal.
    new_reads_old, old_reads_new: why a reader of the one cannot read messages of the other; None if it can. A field
    that
        only the reader has counts as readable if it is optional, or if the reader's text says `@default`.
        A symbol or member that the writer's schema has and the reader's lacks is a list of these: messages without one
        can be read.
    """

    difference: Difference | None
    new_reads_old: SamewireError | list[Unknown] | None
    old_reads_new: SamewireError | list[Unknown] | None


def compare(old: Schema, new: Schema) -> Compatibility:
    """Compares two schemas in both directions."""
    return Compatibility(old.difference(new), _refusal(old, new), _refusal(new, old))


def _refusal(writer: Schema, reader: Schema) -> SamewireError | list[Unknown] | None:
    refused = reader._native.mismatch(writer._native)
    if refused is not None:
        path, text = refused
        return SamewireError("schema_mismatch", None, path, text)
    return unknown(writer, reader) or None
