"""Sets of Java."""

from __future__ import annotations

from collections.abc import MutableSet
from typing import Any

from .java_object import JavaObject


class JavaSet(JavaObject, MutableSet[Any]):
    """A set of Java with the methods of Python's."""

    def __init__(self, target_id: str, gateway_client: Any) -> None:
        super().__init__(target_id, gateway_client)
        self._add = self._member("add")
        self._clear = self._member("clear")
        self._remove = self._member("remove")

    def add(self, value: Any) -> None:
        """Adds an element."""
        self._add(value)

    def discard(self, value: Any) -> None:
        """Removes an element. Raises KeyError if it is not there, as Py4J does."""
        self.remove(value)

    def remove(self, value: Any) -> None:
        """Removes an element. Raises KeyError if it is not there."""
        if value not in self:
            raise KeyError()
        self._remove(value)

    def clear(self) -> None:
        """Removes all elements."""
        self._clear()

    def __len__(self) -> Any:
        return self.size()

    def __iter__(self) -> Any:
        return self.iterator()

    def __contains__(self, value: object) -> Any:
        return self.contains(value)

    def __str__(self) -> str:
        return self.__repr__()

    def __repr__(self) -> str:
        return "{{{}}}".format(", ".join([repr(element) for element in self])) if len(self) else "set()"
