"""Functions for members of objects and classes that attributes cannot access."""

from __future__ import annotations

from typing import Any

from .dialects import dialect_of
from .errors import Py4JError
from .java_class import JavaClass
from .java_object import JavaObject
from .member import JavaMember


def get_field(java_object: Any, field_name: str) -> Any:
    """Returns the value of an object's field."""
    return dialect_of(java_object._gateway_client).get_field(java_object, field_name)


def set_field(java_object: Any, field_name: str, value: Any) -> Any:
    """Sets an object's field. Assigning to an attribute does not."""
    return dialect_of(java_object._gateway_client).set_field(java_object, field_name, value)


def get_method(java_object: Any, method_name: str) -> JavaMember:
    """Returns a method of an object, even if `auto_field` makes the attribute a field."""
    member: JavaMember = java_object._member(method_name)
    return member


def is_instance_of(gateway: Any, java_object: Any, java_class: Any) -> Any:
    """Whether an object is an instance of a class: its full name, a JavaClass, or an object of that class."""
    if isinstance(java_class, str):
        wanted: Any = java_class
    elif isinstance(java_class, JavaClass):
        wanted = java_class._fqn
    elif isinstance(java_class, JavaObject):
        wanted = java_class.getClass()
    else:
        raise Py4JError("java_class must be a string, a JavaClass, or a JavaObject")
    return gateway.jvm.py4j.reflection.TypeUtil.isInstanceOf(wanted, java_object)


def get_java_class(java_class: JavaClass) -> Any:
    """Returns the java.lang.Class of a class, as `.class` does in Java."""
    return java_class._java_lang_class
