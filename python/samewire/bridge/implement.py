"""Python objects that implement Java's interfaces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from samewire._native import Function, Peer

from .java_class import JavaClass

if TYPE_CHECKING:
    from .parts import Parts

_C = TypeVar("_C", bound=type)


def implements(*interfaces: Any) -> Callable[[_C], _C]:
    """Declares that instances of a class implement Java's interfaces, by methods of the same names.

    >>> from samewire import bridge
    >>> @bridge.implements("java.util.Comparator")
    ... class ByLength:
    ...     def compare(self, a, b):
    ...         return len(a) - len(b)

    interfaces: names, or classes of a gateway. A nested class `class Java: implements = [...]` is equivalent.
    """
    names = tuple(interface_name(interface) for interface in interfaces)
    if not names:
        raise TypeError("implements(...): at least one name of an interface is expected")

    def declare(cls: _C) -> _C:
        cls.__java_implements__ = (*names, *(n for n in implemented(cls) if n not in names))  # type: ignore[attr-defined]
        return cls

    return declare


def implemented(kind: type) -> tuple[str, ...]:
    """The names of the interfaces that a class declares for its instances."""
    declared: tuple[str, ...] | None = getattr(kind, "__java_implements__", None)
    if declared is not None:
        return declared
    nested = getattr(getattr(kind, "Java", None), "implements", None)
    if nested is None:
        return ()
    return tuple(interface_name(interface) for interface in ([nested] if isinstance(nested, str) else nested))


class Implementation:
    """A Python object that implements Java interfaces; see `Gateway.implement`. Java gets the object `target`.

    Its attributes are the methods of the interfaces, default ones included, called as from Java.
    """

    __slots__ = ("_object", "_operations", "interfaces", "peer", "target")

    def __init__(self, parts: Parts, target: Any, interfaces: Sequence[Any]) -> None:
        """Raises TypeError if no interface is known, or one of them is a class."""
        names = tuple(interface_name(interface) for interface in interfaces) or implemented(type(target))
        if not names:
            raise TypeError(
                f"which interfaces does {target!r} implement? implement(target, 'java.util.Comparator', ...) is expected"
            )
        for name in names:
            if parts.is_class(name):
                raise TypeError(
                    f"{name} is a class: Python objects implement interfaces; extend the class in Java, and pass it one"
                )
        passed = target
        if callable(target):
            methods = [name for name in map(parts.functional, names) if name]
            if methods and not any(hasattr(target, method) for method in methods):
                passed = Function(target, methods)
        self.target = target
        self.interfaces = names
        self.peer = Peer(passed, names)
        self._operations = parts.operations
        self._object: Any = None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        if self._object is None:
            self._object = self._operations.implement(self.peer)
        return getattr(self._object, name)

    def __repr__(self) -> str:
        return f"<{self.target!r} as an implementation>"


def interface_name(interface: Any) -> str:
    """The name of a type, which is given as a name or as a class of a gateway."""
    if isinstance(interface, JavaClass):
        return interface.__java__.name
    if isinstance(interface, str) and interface:
        return interface
    raise TypeError(f"{interface!r} is not an interface: expected its name, or a class of a gateway")
