"""Iteration: elements come in chunks, hundreds in one round trip."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from samewire.errors import SamewireError

from ..exceptions import JavaError
from ..java_class import Described
from ..java_object import SHOWN_ELEMENTS, JavaObject, element, plain

#: Elements of the first chunk and of the largest. Each chunk is four times as long as the previous one, so that a loop
#: that stops early has read little in vain.
FIRST, MOST = 64, 4096


def elements(described: Described, source: Any) -> Iterator[Any]:
    """The elements of an Iterable, Iterator, Enumeration or stream: values by value, other objects as references.

    They are read in chunks ahead of the loop, so Java may not detect a concurrent change
    (ConcurrentModificationException).
    """
    chunk = described.gateway.operations.chunk
    count = FIRST
    while source is not None:
        values = chunk(source, count)
        source = values.pop()
        yield from values
        count = min(count * 4, MOST)


def shown(chunk: list[Any]) -> str:
    """The `repr` of a chunk: as a Python list, with `...` if more follows."""
    more = ["..."] if chunk.pop() is not None else []
    return f"[{', '.join([*map(element, chunk), *more])}]"


class JavaIterable(JavaObject):
    """An object that Python iterates over in chunks: a stream, or any `Iterable`."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Any]:
        return elements(self.__java__, self)


class JavaIterator(JavaIterable):
    """A Java iterator. `for` reads ahead in chunks; `next()` reads one element."""

    __slots__ = ()

    def __next__(self) -> Any:
        try:
            return self.next()  # type: ignore[attr-defined]
        except JavaError as error:
            if error.__java__.is_a("java.util.NoSuchElementException"):
                raise StopIteration from None
            raise


class JavaEnumeration(JavaIterable):
    """An Enumeration. `for` reads ahead in chunks; `next()` reads one element."""

    __slots__ = ()

    def __next__(self) -> Any:
        if not self.hasMoreElements():  # type: ignore[attr-defined]
            raise StopIteration
        return self.nextElement()  # type: ignore[attr-defined]


class JavaCollection(JavaIterable):
    """A Java collection: `len`, `in`, iteration, truth."""

    __slots__ = ()

    def __len__(self) -> int:
        return int(self.__java__.gateway.operations.size(self))

    def __bool__(self) -> bool:
        return len(self) > 0

    def __contains__(self, value: object) -> bool:
        return bool(self.__java__.gateway.operations.contains(self, value))

    def _in_pieces(self, error: SamewireError) -> Any:
        return [*map(plain, self)]

    def _shown(self) -> str:
        return shown(self.__java__.gateway.operations.chunk(self, SHOWN_ELEMENTS))


Collection.register(JavaCollection)
