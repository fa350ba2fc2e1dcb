"""Py4J's module `java_collections`: Java's collections with the methods of Python's. It is loaded with `java_gateway`."""

from __future__ import annotations

import sys

from . import hooks
from . import protocol as proto
from .converters import ListConverter, MapConverter, SetConverter
from .java_array import JavaArray
from .java_class import JavaClass
from .java_iterator import JavaIterator
from .java_list import JavaList
from .java_map import JavaMap
from .java_object import JavaObject
from .java_set import JavaSet
from .member import JavaMember
from .protocol import (
    Py4JError,
    get_command_part,
    get_return_value,
    register_input_converter,
    register_output_converter,
)

hooks.java_collections = sys.modules[__name__]

# The order is public: the first that can converts an argument.
register_input_converter(SetConverter())
register_input_converter(MapConverter())
register_input_converter(ListConverter())

register_output_converter(proto.MAP_TYPE, lambda target_id, gateway_client: JavaMap(target_id, gateway_client))
register_output_converter(proto.LIST_TYPE, lambda target_id, gateway_client: JavaList(target_id, gateway_client))
register_output_converter(proto.ARRAY_TYPE, lambda target_id, gateway_client: JavaArray(target_id, gateway_client))
register_output_converter(proto.SET_TYPE, lambda target_id, gateway_client: JavaSet(target_id, gateway_client))
register_output_converter(proto.ITERATOR_TYPE, lambda target_id, gateway_client: JavaIterator(target_id, gateway_client))

__all__ = [
    "JavaArray",
    "JavaClass",
    "JavaIterator",
    "JavaList",
    "JavaMap",
    "JavaMember",
    "JavaObject",
    "JavaSet",
    "ListConverter",
    "MapConverter",
    "Py4JError",
    "SetConverter",
    "get_command_part",
    "get_return_value",
    "proto",
    "register_input_converter",
    "register_output_converter",
]
