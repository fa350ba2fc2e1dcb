"""The two ways of writing a message (spec/pack.md, section 11)."""

from __future__ import annotations

from enum import StrEnum


class Profile(StrEnum):
    """How a codec writes; every codec reads both."""

    COMPACT = "compact"
    """Deduplicates texts and packs rows of integers: the smallest bytes."""
    FAST = "fast"
    """Does neither: the shortest time."""
