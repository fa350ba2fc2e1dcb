"""The ways of writing a message (spec/pack.md, section 11)."""

from __future__ import annotations

from enum import StrEnum


class Profile(StrEnum):
    """How a codec writes; every codec reads both."""

    COMPACT = "compact"
    """Deduplicates texts and packs rows of integers: the smallest bytes."""
    FAST = "fast"
    """Does neither: the shortest time."""
    COLUMNS = "columns"
    """A draft (spec/columns.md): as compact, and long lists of structs as columns. What it writes may change, and readers
    in other languages may refuse it."""
