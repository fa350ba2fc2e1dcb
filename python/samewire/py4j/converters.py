"""The converters of Python's collections, for arguments with `auto_convert`."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from .compat import hasattr2
from .java_class import JavaClass

#: Classes that no converter here takes, and most arguments are of: the search for attributes is not worth its time.
_SCALARS = frozenset((type(None), bool, int, float, str, bytes, bytearray))


class SetConverter:
    """Makes a java.util.HashSet of a set."""

    def can_convert(self, object: Any) -> bool:
        """Whether it is a set."""
        return type(object) not in _SCALARS and isinstance(object, Set)

    def convert(self, object: Any, gateway_client: Any) -> Any:
        """Returns a new HashSet with the elements."""
        java_set = JavaClass("java.util.HashSet", gateway_client)()
        for element in object:
            java_set.add(element)
        return java_set


class ListConverter:
    """Makes a java.util.ArrayList of an iterable."""

    def can_convert(self, object: Any) -> bool:
        """Whether it can be iterated over, and is no text and no bytes."""
        if type(object) in _SCALARS:
            return False
        return hasattr2(object, "__iter__") and not isinstance(object, (str, bytes, bytearray))

    def convert(self, object: Any, gateway_client: Any) -> Any:
        """Returns a new ArrayList with the elements."""
        java_list = JavaClass("java.util.ArrayList", gateway_client)()
        for element in object:
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
        java_map = JavaClass("java.util.HashMap", gateway_client)()
        for key in object.keys():  # noqa: SIM118
            java_map[key] = object[key]
        return java_map
