"""The interface of a gateway for its classes, objects and names."""

from __future__ import annotations

from typing import Any, Protocol

from samewire._native import Object, Session

from .operations import Operations


class Typed(Protocol):
    """The conversions of values."""

    def typed(self, value: Object, kind: Any) -> Any:
        """The value of an object as a type that pack knows."""


class Parts(Protocol):
    """A gateway, for the modules below it."""

    @property
    def session(self) -> Session:
        """The native session."""

    @property
    def operations(self) -> Operations:
        """The gateway's own operations."""

    @property
    def values(self) -> Typed:
        """The conversions of values."""

    @property
    def jvm(self) -> Any:
        """The packages."""

    def find_class(self, name: str) -> Any:
        """The Python class of a Java class, or None."""

    def functional(self, name: str) -> str:
        """The name of an interface's only abstract method, or an empty text."""

    def is_class(self, name: str) -> bool:
        """Whether a type of that name exists, and is not an interface."""

    def class_named(self, name: str) -> Any:
        """The Python class of a Java class. Raises NoSuchName."""
