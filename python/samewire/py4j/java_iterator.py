"""Iterators of Java."""

from __future__ import annotations

from typing import Any

from .errors import Py4JError
from .java_object import JavaObject


class JavaIterator(JavaObject):
    """An iterator of Java as one of Python."""

    def __init__(self, target_id: str, gateway_client: Any) -> None:
        super().__init__(target_id, gateway_client)
        self._next_name = "next"

    def __iter__(self) -> JavaIterator:
        return self

    def next(self) -> Any:
        """Returns the next element. Any error of Java ends the iteration, as an iterator without one throws."""
        member = self._methods.get(self._next_name)
        if member is None:
            member = self._methods[self._next_name] = self._member(self._next_name)
        try:
            return member()
        except Py4JError:
            raise StopIteration from None

    __next__ = next
