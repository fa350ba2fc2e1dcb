"""The ways of writing a message (spec/pack.md, section 11)."""

from __future__ import annotations

from enum import StrEnum


class Profile(StrEnum):
    """How a codec writes; every codec reads both."""

    COMPACT = "compact"
    """Deduplicates texts, packs rows of integers, and writes long lists of structs as columns: smallest messages."""
    FAST = "fast"
    """Does none of these: the shortest time."""
