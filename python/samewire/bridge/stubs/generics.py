"""The type parameters of classes, of their supertypes and of their members, which descriptions of classes omit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from samewire.errors import SamewireError

from ..gateway import Gateway
from .signatures import JavaType, Signature, signature_of, type_of

#: The name and the parameters, without type arguments; a constructor has the name `__init__`.
Key = tuple[str, tuple[str, ...]]


@dataclass(frozen=True)
class Generic:
    """The generic declarations of a class."""

    variables: tuple[str, ...]
    supertypes: tuple[JavaType, ...]
    members: dict[Key, Signature]


class Generics:
    """The type parameters of a JVM's classes, read on demand."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway
        self._known: dict[str, Generic] = {}

    def of(self, binary: str) -> Generic:
        """The declarations of a class; empty if the JVM has none."""
        known = self._known.get(binary)
        if known is None:
            try:
                known = self._read(binary)
            except SamewireError:
                known = Generic((), (), {})
            self._known[binary] = known
        return known

    def _read(self, binary: str) -> Generic:
        java: Any = self._gateway.operations.class_of(binary)
        above = java.getGenericSuperclass()
        types = [*([above] if above is not None else []), *java.getGenericInterfaces()]
        return Generic(
            tuple(one.getName() for one in java.getTypeParameters()),
            tuple(type_of(one.getTypeName()) for one in types),
            dict(_members([*java.getMethods(), *java.getConstructors()])),
        )

    def arguments(self, binary: str, wanted: str) -> tuple[JavaType, ...]:
        """The type arguments of a supertype, in the class's own variables; none if it has none, or is raw."""
        own = self.of(binary)
        if binary == wanted:
            return tuple(JavaType(name) for name in own.variables)
        for above in own.supertypes:
            found = self.arguments(above.name, wanted)
            variables = self.of(above.name).variables
            if found and len(variables) == len(above.arguments):
                known = dict(zip(variables, above.arguments, strict=True))
                return tuple(one.with_variables(known) for one in found)
            if found and not variables:
                return found
        return ()


def _members(executables: Iterable[Any]) -> Iterable[tuple[Key, Signature]]:
    for one in executables:
        plain = signature_of(one.toString())
        yield (plain.name, tuple(parameter.raw for parameter in plain.parameters)), signature_of(one.toGenericString())
