"""Arguments with an explicit Java type, like a cast in Java, which choose between overloads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from samewire._native import BatchFuture, Object, Value
from samewire.errors import SamewireError

from .flat import fixed, varint
from .implement import Implementation, implemented, interface_name
from .java_class import ANNOTATION, INTERFACE, described

if TYPE_CHECKING:
    from .java_class import Described
    from .parts import Parts

#: Kinds of Java's primitive types, and the classes that box them.
_KINDS = {
    "boolean": "bool",
    "byte": "i8",
    "short": "i16",
    "int": "i32",
    "long": "i64",
    "float": "f32",
    "double": "f64",
    "char": "char",
}
_BOXES = {
    "java.lang.Boolean": "boolean",
    "java.lang.Byte": "byte",
    "java.lang.Short": "short",
    "java.lang.Integer": "int",
    "java.lang.Long": "long",
    "java.lang.Float": "float",
    "java.lang.Double": "double",
    "java.lang.Character": "char",
}


class Cast:
    """A value as an argument of a type; see `cast`."""

    __slots__ = ("kind", "value")

    def __init__(self, value: Any, kind: str) -> None:
        self.value = value
        self.kind = kind

    def __repr__(self) -> str:
        return f"cast({self.value!r}, {self.kind!r})"


def cast(value: Any, kind: Any) -> Any:
    """A value as an argument of a Java type, by which an overload is chosen: `f(cast(None, "java.lang.String"))`.

    kind: the name of a class, an interface, an array (`int[]`) or a primitive type, or a class of a gateway. The value may be None, a
    reference to an object of that type, a callable for an interface, or what Java converts to that type.
    When the argument is passed, raises SamewireError `type_mismatch` or TypeError if the value does not have that type.
    """
    name = interface_name(kind)
    return _primitive(name, value) if name in _KINDS else Cast(value, name)


def JBoolean(value: Any) -> Any:  # noqa: N802 - the names that JPype's users know
    """A `boolean` as an argument."""
    return _primitive("boolean", value)


def JByte(value: Any) -> Any:  # noqa: N802
    """A `byte` as an argument."""
    return _primitive("byte", value)


def JShort(value: Any) -> Any:  # noqa: N802
    """A `short` as an argument."""
    return _primitive("short", value)


def JInt(value: Any) -> Any:  # noqa: N802
    """An `int` as an argument."""
    return _primitive("int", value)


def JLong(value: Any) -> Any:  # noqa: N802
    """A `long` as an argument: `map.put(JLong(25), "a")` sets the key of a `Map<Long, String>`."""
    return _primitive("long", value)


def JFloat(value: Any) -> Any:  # noqa: N802
    """A `float` as an argument."""
    return _primitive("float", value)


def JDouble(value: Any) -> Any:  # noqa: N802
    """A `double` as an argument."""
    return _primitive("double", value)


def JChar(value: Any) -> Any:  # noqa: N802
    """A `char` as an argument: a text of one UTF-16 unit."""
    return _primitive("char", value)


def _primitive(name: str, value: Any) -> Value:
    return Value(_KINDS[name], _bytes(name, value))


def _bytes(name: str, value: Any) -> bytes:
    """Converts a value to a primitive type. Raises TypeError or OverflowError if it does not fit."""
    if name == "char":
        units = value.encode("utf-16-le", "surrogatepass") if isinstance(value, str) else b""
        if len(units) != 2:
            raise TypeError(f"{value!r} is not a char: pass a text of one UTF-16 unit")
        return units
    if isinstance(value, bool) != (name == "boolean"):
        raise TypeError(f"{value!r} cannot be cast to {name}")
    try:
        return fixed(_KINDS[name], value)
    except OverflowError:
        raise OverflowError(f"{value!r} is out of range for {name}") from None
    except TypeError:
        raise TypeError(f"{value!r} cannot be cast to {name}") from None


def passed(parts: Parts, argument: Cast) -> Any:
    """Converts a cast to an argument that the extension knows."""
    value, name = argument.value, argument.kind
    if isinstance(value, BatchFuture):
        raise SamewireError(
            "misuse", text=f"cast(..., {name!r}): the call has not run whose result this is; cast it after the batch"
        )
    if name in _BOXES and value is not None and not isinstance(value, Object):
        box = _BOXES[name]
        return Value(f"option<{_KINDS[box]}>", b"\1" + _bytes(box, value))
    known: Described = parts.class_named(name).__java__
    kind = f"object {known.number}"
    if value is None:
        return Value(kind, b"\0")
    own = described(value)
    if own is None and known.form in (INTERFACE, ANNOTATION) and _is_implementation(value):
        return Implementation(parts, value, [name]).peer
    if not isinstance(value, Object) or own is None or not (own.is_a(name) or name == "java.lang.Object"):
        value = parts.operations.cast(value, name)
    return Value(kind, varint(2 * value.__java_number__), value)


def _is_implementation(value: Any) -> bool:
    return callable(value) or bool(implemented(type(value)))
