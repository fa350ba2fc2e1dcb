"""Indices of lists and arrays."""

from __future__ import annotations

from typing import Any


def position(key: int, size: int, adjust_last: bool = False) -> int:
    """Returns an index counted from the start. Raises IndexError beyond the ends; with `adjust_last` that is the end."""
    if 0 <= key < size:
        return key
    if key < 0 and -key <= size:
        return size + key
    if adjust_last:
        return size
    raise IndexError("list index out of range")


def not_an_index(kind: str, key: Any) -> TypeError:
    """Returns the error for a key that is neither an index nor a slice."""
    return TypeError(f"{kind} indices must be integers, not {key.__class__.__name__}")


def require_same_size(given: int, wanted: int) -> None:
    """Raises ValueError if a slice with a step is assigned another number of values than it has elements."""
    if given != wanted:
        raise ValueError(f"attempt to assign sequence of size {given} to extended slice of size {wanted}")
