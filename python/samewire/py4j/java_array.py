"""Arrays of Java."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .dialects import dialect_of
from .indices import not_an_index, position, require_same_size
from .java_object import JavaObject


class JavaArray(JavaObject, Sequence[Any]):
    """An array of Java: a sequence whose elements may be set. A slice is a new array."""

    #: The length once it is known: an array keeps it.
    _length: int | None = None

    def __getitem__(self, key: Any) -> Any:
        dialect = dialect_of(self._gateway_client)
        if isinstance(key, slice):
            return dialect.array_slice(self, range(*key.indices(len(self))))
        if isinstance(key, int):
            return dialect.array_get(self, position(key, len(self)))
        raise not_an_index("array", key)

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, slice):
            indices = range(*key.indices(len(self)))
            require_same_size(len(value), len(indices))
            for index, element in zip(indices, value, strict=False):
                self._set(index, element)
        elif isinstance(key, int):
            self._set(key, value)
        else:
            raise not_an_index("list", key)

    def _set(self, key: int, value: Any) -> None:
        dialect_of(self._gateway_client).array_set(self, position(key, len(self)), value)

    def __len__(self) -> Any:
        if self._length is None:
            self._length = dialect_of(self._gateway_client).array_length(self)
        return self._length
