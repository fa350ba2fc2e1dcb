"""References to Java's objects in Python, common to both dialects."""

from __future__ import annotations


class Reference:
    """The base class of `JavaObject`."""


def is_magic_member(name: str) -> bool:
    """Whether a name is one of Python's own: those are never asked of Java."""
    return name[:2] == "__" and name[-2:] == "__"
