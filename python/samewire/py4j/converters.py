"""The converters of Python's collections, for arguments with `auto_convert`."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from .arguments import converted, detach
from .compat import hasattr2
from .dialects import dialect_of
from .java_class import JavaClass

#: The most frequent classes, which no converter here takes: checked first to avoid a slow search for attributes.
_SCALARS = frozenset((type(None), bool, int, float, str, bytes, bytearray))


def _at_once(gateway_client: Any, kind: str, *columns: list[Any]) -> Any:
    """Makes a Java collection of elements in one call; None if that is impossible."""
    dialect = dialect_of(gateway_client)
    if not dialect.makes_collections:
        return None
    converters = getattr(gateway_client, "converters", None)
    if not converters:
        return dialect.new_collection(kind, *columns)
    pairs = [converted(column, converters, gateway_client) for column in columns]
    collection = dialect.new_collection(kind, *[passed for passed, _ in pairs])
    for _, made in pairs:
        detach(made)
    return collection


class SetConverter:
    """Makes a java.util.HashSet of a set."""

    def can_convert(self, object: Any) -> bool:
        """Whether it is a set."""
        return type(object) not in _SCALARS and isinstance(object, Set)

    def convert(self, object: Any, gateway_client: Any) -> Any:
        """Returns a new HashSet with the elements."""
        made = _at_once(gateway_client, "Set", list(object))
        if made is not None:
            return made
        java_set = JavaClass("java.util.HashSet", gateway_client)()
        for element in object:
            java_set.add(element)
        return java_set


class ListConverter:
    """Makes a java.util.ArrayList of an iterable."""

    def can_convert(self, object: Any) -> bool:
        """Whether it can be iterated over, and is neither a text nor bytes."""
        if type(object) in _SCALARS:
            return False
        return hasattr2(object, "__iter__") and not isinstance(object, (str, bytes, bytearray))

    def convert(self, object: Any, gateway_client: Any) -> Any:
        """Returns a new ArrayList with the elements."""
        elements = list(object)
        made = _at_once(gateway_client, "List", elements)
        if made is not None:
            return made
        java_list = JavaClass("java.util.ArrayList", gateway_client)()
        for element in elements:
            java_list.add(element)
        return java_list


class MapConverter:
    """Makes a java.util.HashMap of a mapping."""

    def can_convert(self, object: Any) -> bool:
        """Whether it has keys, and elements by them."""
        if type(object) in _SCALARS:
            return False
        return hasattr2(object, "keys") and hasattr2(object, "__getitem__")

    def convert(self, object: Any, gateway_client: Any) -> Any:
        """Returns a new HashMap with the entries."""
        keys = list(object.keys())
        values = [object[key] for key in keys]
        made = _at_once(gateway_client, "Map", keys, values)
        if made is not None:
            return made
        java_map = JavaClass("java.util.HashMap", gateway_client)()
        for key, value in zip(keys, values, strict=True):
            java_map[key] = value
        return java_map
