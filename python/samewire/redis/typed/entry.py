"""Entries of streams: an id and a value."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from .error import StoredValueError

T = TypeVar("T")


class Entry(Generic[T]):
    """An entry of a stream.

    id: like "1700000000000-0".
    error: why its value cannot be read, or None. One such entry does not keep a consumer from the others.
    """

    __slots__ = ("_value", "error", "id")

    def __init__(self, entry_id: str, value: Any, error: StoredValueError | None = None) -> None:
        self.id = entry_id
        self.error = error
        self._value = value

    @property
    def value(self) -> T:
        """The value. Raises `error` if there is one."""
        if self.error is not None:
            raise self.error
        value: T = self._value
        return value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Entry):
            return NotImplemented
        return (self.id, self._value, self.error) == (other.id, other._value, other.error)

    __hash__ = None  # type: ignore[assignment]  # values may be mutable

    def __repr__(self) -> str:
        return f"Entry({self.id!r}, {self._value!r})" if self.error is None else f"Entry({self.id!r}, error={self.error!r})"
