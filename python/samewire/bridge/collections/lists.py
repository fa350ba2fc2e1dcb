"""Java lists as mutable sequences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, MutableSequence
from typing import Any

from ..java_object import JavaObject
from .iterators import JavaCollection, elements


class JavaList(JavaCollection):
    """A Java list with the operators and methods of a Python list. Java's other methods are unchanged.

    So `remove(x)` removes an equal element, as in Python, also for an int; `del list[i]` and `pop(i)` take an index.
    Slices are new Java lists.
    """

    __slots__ = ()

    _kept = frozenset(("remove", "sort"))

    def __getitem__(self, index: int | slice) -> Any:
        operations = self.__java__.gateway.operations
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            return operations.slice(self, start, stop, step)
        return operations.get(self, index.__index__())

    def __setitem__(self, index: int | slice, value: Any) -> None:
        operations = self.__java__.gateway.operations
        if not isinstance(index, slice):
            operations.set(self, index.__index__(), value)
            return
        start, stop, step = index.indices(len(self))
        values = value if isinstance(value, JavaObject) else list(value)
        if step == 1:
            operations.set_slice(self, start, max(start, stop), values)
            return
        count = len(range(start, stop, step))
        if len(values) != count:  # type: ignore[arg-type]
            raise ValueError(f"{len(values)} values for a slice of {count} elements")  # type: ignore[arg-type]
        operations.set_step(self, start, step, values)

    def __delitem__(self, index: int | slice) -> None:
        operations = self.__java__.gateway.operations
        if isinstance(index, slice):
            operations.delete_slice(self, *index.indices(len(self)))
        else:
            operations.remove(self, index.__index__())

    def __reversed__(self) -> Iterator[Any]:
        return elements(self.__java__, self[::-1])

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, Iterable):
            return NotImplemented
        return self.__java__.gateway.operations.concat(self, other if isinstance(other, JavaObject) else list(other))

    def __radd__(self, other: Any) -> Any:
        return list(other) + list(self) if isinstance(other, list | tuple) else NotImplemented

    def __iadd__(self, other: Any) -> Any:
        self.extend(other)
        return self

    def __mul__(self, times: int) -> Any:
        return self.__java__.gateway.operations.repeat(self, times.__index__())

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        if isinstance(other, list | tuple):
            return len(self) == len(other) and list(self) == list(other)
        return super().__eq__(other)

    __hash__ = JavaObject.__hash__

    def append(self, value: Any) -> None:
        """Adds a value at the end."""
        self.__java__.gateway.operations.add(self, value)

    def extend(self, values: Iterable[Any]) -> None:
        """Adds all values at the end, in one call."""
        self.__java__.gateway.operations.add_all(self, values if isinstance(values, JavaObject) else list(values))

    def insert(self, index: int, value: Any) -> None:
        """Adds a value before the index."""
        self[index:index] = [value]

    def pop(self, index: int = -1) -> Any:
        """Removes the value at an index, the last one by default, and returns it."""
        return self.__java__.gateway.operations.remove(self, index)

    def remove(self, value: Any) -> bool:
        """Removes the first element that equals the value, and returns True. Raises ValueError if there is none."""
        if not self.__java__.gateway.operations.collection_remove(self, value):
            raise ValueError(f"{value!r} is not in the list")
        return True

    def index(self, value: Any, start: int = 0, stop: int | None = None) -> int:
        """The index of a value. Raises ValueError if it is missing."""
        if start == 0 and stop is None:
            place = int(self.__java__.gateway.operations.index_of(self, value))
            if place < 0:
                raise ValueError(f"{value!r} is not in the list")
            return place
        return list(self).index(value, start, len(self) if stop is None else stop)

    def count(self, value: Any) -> int:
        """How many elements equal the value."""
        return list(self).count(value)

    def reverse(self) -> None:
        """Reverses the order in place."""
        self[:] = self[::-1]

    def copy(self) -> Any:
        """A new Java list of the same elements."""
        return self[:]

    def sort(self, comparator: Any = None, *, key: Callable[[Any], Any] | None = None, reverse: bool = False) -> None:
        """Sorts in place: by a comparator, as in Java; by Python's `key`; or by the natural order."""
        if key is not None:
            self[:] = sorted(self, key=key, reverse=reverse)
        else:
            self.__java__.gateway.operations.sort(self, comparator, reverse)


MutableSequence.register(JavaList)
