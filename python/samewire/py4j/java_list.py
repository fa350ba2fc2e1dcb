"""Lists of Java."""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import Any

from .dialects import dialect_of
from .indices import not_an_index, position, require_same_size
from .java_object import JavaObject


class JavaList(JavaObject, MutableSequence[Any]):
    """A list of Java with the methods of Python's. A slice is a new list, not a view as `subList` is."""

    def __init__(self, target_id: str, gateway_client: Any) -> None:
        super().__init__(target_id, gateway_client)
        self.java_remove = self._member("remove")

    def __len__(self) -> Any:
        return self.size()

    def __iter__(self) -> Any:
        return self.iterator()

    def __contains__(self, item: object) -> Any:
        return self.contains(item)

    # --- elements ----------------------------------------------------------------------------------------------

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return dialect_of(self._gateway_client).list_slice(self, range(*key.indices(len(self))))
        if isinstance(key, int):
            return self.get(position(key, self.size()))
        raise not_an_index("list", key)

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, slice):
            self._set_slice(key, value)
        elif isinstance(key, int):
            self._set(key, value)
        else:
            raise not_an_index("list", key)

    def __delitem__(self, key: Any) -> None:
        if isinstance(key, slice):
            # From the end, so that the lower indices stay valid.
            for index in sorted(range(*key.indices(len(self))), reverse=True):
                self._delete(index)
        elif isinstance(key, int):
            self._delete(key)
        else:
            raise not_an_index("list", key)

    def _set(self, key: int, value: Any) -> None:
        self.set(position(key, self.size()), value)

    def _delete(self, key: int) -> None:
        self.java_remove(position(key, self.size()))

    def _set_slice(self, key: slice, values: Any) -> None:
        size = len(self)
        start, stop, step = key.indices(size)
        if start >= size:
            for value in values:
                self.append(value)
        elif start == stop:
            for index, value in enumerate(values, start):
                self.insert(index, value)
        elif step == 1:
            self._replace(start, stop, values)
        else:
            indices = range(start, stop, step)
            require_same_size(len(values), len(indices))
            for index, value in zip(indices, values, strict=False):
                self._set(index, value)

    def _replace(self, start: int, stop: int, values: Any) -> None:
        """Replaces elements by values; removes surplus elements, or inserts surplus values."""
        remaining = iter(values)
        last = start
        for index in range(start, stop):
            try:
                value = next(remaining)
            except StopIteration:
                for beyond in range(stop - 1, index - 1, -1):
                    self._delete(beyond)
                return
            self._set(index, value)
            last = index + 1
        for value in remaining:
            self.insert(last, value)
            last += 1

    def append(self, value: Any) -> None:
        """Adds an element at the end."""
        self.add(value)

    def insert(self, key: int, value: Any) -> Any:
        """Inserts an element in front of another; beyond the end, at the end."""
        if not isinstance(key, int):
            raise not_an_index("list", key)
        return self.add(position(key, self.size(), True), value)

    def extend(self, other_list: Any) -> None:
        """Adds all elements of a collection of Java."""
        self.addAll(other_list)

    def pop(self, key: int | None = None) -> Any:
        """Removes an element, the last unless it is given, and returns it."""
        size = self.size()
        return self.java_remove(size - 1 if key is None else position(key, size))

    def remove(self, value: Any) -> None:
        """Removes the first element that equals a value. Raises ValueError if there is none."""
        # An int means an index to Java's `remove`.
        wanted = self.indexOf(value) if isinstance(value, int) else value
        if not self.java_remove(wanted):
            raise ValueError("java_list.remove(x): x not in java_list")

    def index(self, value: Any) -> Any:  # type: ignore[override]
        """Returns the index of the first element that equals a value, -1 if there is none."""
        return self.indexOf(value)

    def count(self, value: Any) -> Any:
        """Returns how many elements equal a value."""
        return dialect_of(self._gateway_client).list_count(self, value)

    # --- whole lists -------------------------------------------------------------------------------------------

    def __add__(self, other: Any) -> Any:
        return dialect_of(self._gateway_client).list_concatenate(self, other)

    def __radd__(self, other: Any) -> Any:
        return self.__add__(other)

    def __iadd__(self, other: Any) -> JavaList:
        self.extend(other)
        return self

    def __mul__(self, other: Any) -> Any:
        return dialect_of(self._gateway_client).list_multiply(self, other)

    def __rmul__(self, other: Any) -> Any:
        return self.__mul__(other)

    def __imul__(self, other: Any) -> JavaList:
        dialect_of(self._gateway_client).list_multiply_in_place(self, other)
        return self

    def sort(self) -> None:
        """Sorts the list by Java's order of the elements."""
        dialect_of(self._gateway_client).list_sort(self)

    def reverse(self) -> None:
        """Reverses the list."""
        dialect_of(self._gateway_client).list_reverse(self)

    def __str__(self) -> str:
        return self.__repr__()

    def __repr__(self) -> str:
        return "[{}]".format(", ".join([repr(element) for element in self]))
