"""Python objects that implement Java's interfaces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from samewire._native import Peer

from .java_class import JavaClass

_C = TypeVar("_C", bound=type)


def implements(*interfaces: Any) -> Callable[[_C], _C]:
    """Declares that instances of a class implement Java's interfaces, by methods of the same names.

    >>> from samewire import bridge
    >>> @bridge.implements("java.util.Comparator")
    ... class ByLength:
    ...     def compare(self, a, b):
    ...         return len(a) - len(b)

    interfaces: names, or classes of a gateway. The nested class `class Java: implements = [...]` says the same.
    """
    names = tuple(_name(interface) for interface in interfaces)
    if not names:
        raise TypeError("implements(...): at least one name of an interface is expected")

    def declare(cls: _C) -> _C:
        cls.__java_implements__ = (*names, *(n for n in implemented(cls) if n not in names))  # type: ignore[attr-defined]
        return cls

    return declare


def implemented(kind: type) -> tuple[str, ...]:
    """The names of the interfaces that a class says its instances implement."""
    declared: tuple[str, ...] | None = getattr(kind, "__java_implements__", None)
    if declared is not None:
        return declared
    nested = getattr(getattr(kind, "Java", None), "implements", None)
    if nested is None:
        return ()
    return tuple(_name(interface) for interface in ([nested] if isinstance(nested, str) else nested))


def peer(target: Any, interfaces: Sequence[Any]) -> Peer:
    """A Python object to be passed as an implementation of interfaces. Raises TypeError if none is known."""
    names = tuple(_name(interface) for interface in interfaces) or implemented(type(target))
    if not names:
        raise TypeError(f"which interfaces does {target!r} implement? implement(target, 'java.util.Comparator', ...) is expected")
    return Peer(target, names)


def _name(interface: Any) -> str:
    if isinstance(interface, JavaClass):
        return interface.__java__.name
    if isinstance(interface, str) and interface:
        return interface
    raise TypeError(f"{interface!r} is no interface: its name, or the class of a gateway, is expected")
