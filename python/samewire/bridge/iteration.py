"""Generators and other iterables as Java's `Iterable` and `Iterator`, an element at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from samewire._native import Peer

_ITERABLE = "java.lang.Iterable"
_ITERATOR = "java.util.Iterator"


class Iteration:
    """An iterator of Python's as Java sees it: both an Iterator and the Iterable of this one iteration."""

    __java_implements__ = (_ITERATOR, _ITERABLE)

    def __init__(self, source: Iterator[Any]) -> None:
        self._source = source
        self._next: list[Any] = []

    def iterator(self) -> Iteration:
        """Java's `iterator()`: the elements that are left."""
        return self

    def hasNext(self) -> bool:  # noqa: N802 - Java's name
        """Java's `hasNext()`: asks for the next element, which `next` gives."""
        if not self._next:
            for element in self._source:
                self._next.append(element)
                break
        return bool(self._next)

    def next(self) -> Any:
        """Java's `next()`. Raises LookupError behind the last element."""
        if not self.hasNext():
            raise LookupError("the iteration has no more elements")
        return self._next.pop()


class Iterating:
    """An iterable of Python's as Java's: each `iterator()` begins anew."""

    __java_implements__ = (_ITERABLE,)

    def __init__(self, source: Iterable[Any]) -> None:
        self._source = source

    def iterator(self) -> Iteration:
        """Java's `iterator()`."""
        return Iteration(iter(self._source))


def of_iterable(kind: type) -> Callable[[Any], Any] | None:
    """How iterators and iterables cross; None for other classes."""
    if issubclass(kind, Iterator):
        return lambda value: Peer(Iteration(value), list(Iteration.__java_implements__))
    if issubclass(kind, Iterable):
        return lambda value: Peer(Iterating(value), list(Iterating.__java_implements__))
    return None
