"""Python classes that implement the interfaces of Callbacks.java."""

from __future__ import annotations

from typing import Any

from adaptor import PACKAGE

#: What names of interfaces within that class begin with.
CALLBACKS = f"{PACKAGE}.Callbacks$"


class Addition:
    """An operator of two or three numbers."""

    def apply(self, a: int, b: int, c: int | None = None) -> int:
        """Called by Java."""
        return a + b + (c or 0)


class Echo:
    """Gives back what it gets, and keeps it."""

    def __init__(self) -> None:
        self.got: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        if name not in {"flag", "whole", "wide", "real", "letter", "text", "bytes", "any"}:
            raise AttributeError(name)

        def method(value: Any) -> Any:
            self.got.append(value)
            return value

        return method

    def nothing(self, sink: Any) -> None:
        """Adds to Java's list."""
        sink.add("from Python")


class Person:
    """Has a name and an age."""

    def name(self) -> str:
        """Called by Java."""
        return "Ada"

    def age(self) -> int:
        """Called by Java."""
        return 36


class Greeter:
    """Greets."""

    def greet(self, whom: str) -> str:
        """Called by Java."""
        return f"hello {whom}"
