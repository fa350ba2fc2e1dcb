"""Java maps as mutable mappings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from typing import Any

from samewire.errors import SamewireError

from ..java_class import Described
from ..java_object import SHOWN_ELEMENTS, JavaObject, element, plain
from .iterators import FIRST, MOST, elements

_ABSENT = object()


def entries(described: Described, source: Any) -> Iterator[tuple[Any, Any]]:
    """The entries of a map, in chunks."""
    chunk = described.gateway.operations.entries
    count = FIRST
    while source is not None:
        values = chunk(source, count)
        source = values.pop()
        yield from zip(values[::2], values[1::2], strict=True)
        count = min(count * 4, MOST)


def _plain(mapping: Any) -> dict[Any, Any]:
    return dict(mapping.items())


class MapItems:
    """The items of a Java map: a view."""

    __slots__ = ("_map",)

    def __init__(self, owner: JavaMap) -> None:
        self._map = owner

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        return entries(self._map.__java__, self._map)

    def __len__(self) -> int:
        return len(self._map)

    def __contains__(self, item: object) -> bool:
        if not (isinstance(item, tuple) and len(item) == 2):
            return False
        return item[0] in self._map and self._map[item[0]] == item[1]

    def __repr__(self) -> str:
        return f"items of {self._map!r}"


class JavaMap(JavaObject):
    """A Java map with the operators and methods of a dict. Java's methods are unchanged; `get` takes a default, too.

    A number finds its key for all classes of numbers in the map, so indexing takes what iteration gives; a new key gets
    the class of the existing keys. Java's own `containsKey`, `put` and `remove` take a Python int for an Integer, as
    Java does. `|` returns a dict; `|=` changes the map. `reversed` goes by the map's own order.
    """

    __slots__ = ()

    _kept = frozenset(("get",))

    def _in_pieces(self, error: SamewireError) -> Any:
        return {plain(key): plain(value) for key, value in self.items()}

    def __len__(self) -> int:
        return int(self.__java__.gateway.operations.map_size(self))

    def __bool__(self) -> bool:
        return len(self) > 0

    def __iter__(self) -> Iterator[Any]:
        return elements(self.__java__, self)

    def __contains__(self, key: object) -> bool:
        return bool(self.__java__.gateway.operations.map_has(self, key))

    def __getitem__(self, key: Any) -> Any:
        value = self.__java__.gateway.operations.map_get(self, key)
        if value is None and key not in self:
            raise KeyError(key)
        return value

    def __setitem__(self, key: Any, value: Any) -> None:
        self.__java__.gateway.operations.map_put(self, key, value)

    def __delitem__(self, key: Any) -> None:
        if key not in self:
            raise KeyError(key)
        self.__java__.gateway.operations.map_remove(self, key)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, dict):
            return len(self) == len(other) and dict(self.items()) == other
        return super().__eq__(other)

    __hash__ = JavaObject.__hash__

    def __or__(self, other: Any) -> Any:
        return {**self.copy(), **_plain(other)} if isinstance(other, Mapping) else NotImplemented

    def __ror__(self, other: Any) -> Any:
        return {**other, **self.copy()} if isinstance(other, dict) else NotImplemented

    def __ior__(self, other: Any) -> Any:
        self.update(other)
        return self

    def __reversed__(self) -> Iterator[Any]:
        described = self.__java__
        if described.is_a("java.util.NavigableMap"):
            return elements(described, self.descendingMap())  # type: ignore[attr-defined]
        return iter(list(self)[::-1])

    def _shown(self) -> str:
        chunk = self.__java__.gateway.operations.entries(self, SHOWN_ELEMENTS)
        more = ["..."] if chunk.pop() is not None else []
        pairs = [f"{element(key)}: {element(value)}" for key, value in zip(chunk[::2], chunk[1::2], strict=True)]
        return f"{{{', '.join([*pairs, *more])}}}"

    def get(self, key: Any, default: Any = None) -> Any:
        """The value of a key, or the default."""
        value = self.__java__.gateway.operations.map_get(self, key)
        return default if value is None and default is not None and key not in self else value

    def keys(self) -> Any:
        """`keySet()`."""
        return self.keySet()  # type: ignore[attr-defined]

    def items(self) -> MapItems:
        """Keys and values in pairs: a view, read in chunks."""
        return MapItems(self)

    def update(self, other: Mapping[Any, Any] | Iterable[tuple[Any, Any]] | JavaObject = (), /, **more: Any) -> None:
        """Sets the entries of another mapping, in one call."""
        operations = self.__java__.gateway.operations
        if isinstance(other, JavaObject):
            operations.map_put_all(self, other)
        elif other:
            operations.map_put_all(self, dict(other))
        if more:
            operations.map_put_all(self, more)

    def pop(self, key: Any, default: Any = _ABSENT) -> Any:
        """Removes a key and returns its value. If it is missing, returns the default, or raises KeyError."""
        if key in self:
            return self.__java__.gateway.operations.map_remove(self, key)
        if default is _ABSENT:
            raise KeyError(key)
        return default

    def popitem(self) -> tuple[Any, Any]:
        """Removes an entry and returns it. Raises KeyError if the map is empty."""
        for key in self:
            return key, self.pop(key)
        raise KeyError("the map is empty")

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """The value of a key. If it is missing, sets and returns the default."""
        if key not in self:
            self[key] = default
        return self[key]

    def copy(self) -> dict[Any, Any]:
        """A dict of the same entries."""
        return dict(self.items())


MutableMapping.register(JavaMap)


class JavaEntry(JavaObject):
    """An entry of a map: `key, value = entry`."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Any]:
        yield self.getKey()  # type: ignore[attr-defined]
        yield self.getValue()  # type: ignore[attr-defined]

    def __len__(self) -> int:
        return 2
