"""Java sets as mutable sets."""

from __future__ import annotations

from collections.abc import Iterable, MutableSet, Set
from typing import Any

from samewire.errors import SamewireError

from ..java_object import JavaObject, plain
from .iterators import JavaCollection


class JavaSet(JavaCollection):
    """A Java set with a Python set's operators, which return Python sets. `remove` of a missing element: KeyError.

    Numbers that are equal in Python are one element, even if their classes in Java differ.
    """

    __slots__ = ()

    _kept = frozenset(("add", "remove"))

    def _in_pieces(self, error: SamewireError) -> Any:
        return {*map(plain, self)}

    def __eq__(self, other: object) -> bool:
        if isinstance(other, set | frozenset):
            return len(self) == len(other) and set(self) == other
        return super().__eq__(other)

    __hash__ = JavaObject.__hash__

    def __and__(self, other: Any) -> set[Any]:
        return set(self) & set(other) if isinstance(other, Set) else NotImplemented

    def __or__(self, other: Any) -> set[Any]:
        return set(self) | set(other) if isinstance(other, Set) else NotImplemented

    def __sub__(self, other: Any) -> set[Any]:
        return set(self) - set(other) if isinstance(other, Set) else NotImplemented

    def __xor__(self, other: Any) -> set[Any]:
        return set(self) ^ set(other) if isinstance(other, Set) else NotImplemented

    def __rsub__(self, other: Any) -> set[Any]:
        return set(other) - set(self) if isinstance(other, Set) else NotImplemented

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def __le__(self, other: Any) -> bool:
        return set(self) <= set(other) if isinstance(other, Set) else NotImplemented

    def __lt__(self, other: Any) -> bool:
        return set(self) < set(other) if isinstance(other, Set) else NotImplemented

    def __ge__(self, other: Any) -> bool:
        return set(self) >= set(other) if isinstance(other, Set) else NotImplemented

    def __gt__(self, other: Any) -> bool:
        return set(self) > set(other) if isinstance(other, Set) else NotImplemented

    def isdisjoint(self, other: Iterable[Any]) -> bool:
        """Whether no element is in both."""
        return set(self).isdisjoint(other)

    def add(self, value: Any) -> Any:
        """Adds an element, a number in the class of the set's numbers. Returns whether it was added."""
        return self.__java__.gateway.operations.set_add(self, value)

    def remove(self, value: Any) -> bool:
        """Removes an element and returns True. Raises KeyError if it is not there."""
        if not self.__java__.gateway.operations.collection_remove(self, value):
            raise KeyError(value)
        return True

    def discard(self, value: Any) -> None:
        """Removes an element, if it is there."""
        self.__java__.gateway.operations.collection_remove(self, value)

    def update(self, *others: Iterable[Any]) -> None:
        """Adds the elements of others, in one call each."""
        for other in others:
            self.__java__.gateway.operations.set_add_all(self, other if isinstance(other, JavaObject) else list(other))


MutableSet.register(JavaSet)
