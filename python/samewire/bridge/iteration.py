"""Generators and other iterables as Java's `Iterable` and `Iterator`, one element at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from samewire._native import Peer

_ITERABLE = "java.lang.Iterable"
_ITERATOR = "java.util.Iterator"


class Iteration:
    """A Python iterator for Java: an Iterator, and the Iterable of this one iteration."""

    __java_implements__ = (_ITERATOR, _ITERABLE)

    def __init__(self, source: Iterator[Any]) -> None:
        self._source = source
        self._next: list[Any] = []

    def iterator(self) -> Iteration:
        """Java's `iterator()`, for the remaining elements."""
        return self

    def hasNext(self) -> bool:  # noqa: N802 - Java's name
        """Java's `hasNext()`: fetches the next element, which `next` returns."""
        if not self._next:
            for element in self._source:
                self._next.append(element)
                break
        return bool(self._next)

    def next(self) -> Any:
        """Java's `next()`. Raises LookupError after the last element."""
        if not self.hasNext():
            raise LookupError("the iteration has no more elements")
        return self._next.pop()


class Iterating:
    """A Python iterable for Java: each `iterator()` begins at the start."""

    __java_implements__ = (_ITERABLE,)

    def __init__(self, source: Iterable[Any]) -> None:
        self._source = source

    def iterator(self) -> Iteration:
        """Java's `iterator()`."""
        return Iteration(iter(self._source))


def of_iterable(kind: type) -> Callable[[Any], Any] | None:
    """The conversion of iterators and iterables; None for other classes."""
    if issubclass(kind, Iterator):
        return lambda value: Peer(Iteration(value), list(Iteration.__java_implements__))
    if issubclass(kind, Iterable):
        return lambda value: Peer(Iterating(value), list(Iterating.__java_implements__))
    return None
