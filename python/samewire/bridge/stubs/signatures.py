"""Java's generic signatures, as reflection prints them: `public <T> T[] java.util.ArrayList.toArray(T[])`."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKEN = re.compile(r"[\w$.]+|[<>,?&()]|\[\]")
_MODIFIERS = frozenset(
    ("public", "protected", "private", "abstract", "static", "final", "native", "synchronized", "strictfp", "default")
)


@dataclass(frozen=True)
class JavaType:
    """A type: a class's binary name or a variable, with its arguments; `?` for a wildcard, with its upper bound."""

    name: str
    arguments: tuple[JavaType, ...] = ()
    dimensions: int = 0

    @property
    def raw(self) -> str:
        """The type without arguments."""
        return self.name + "[]" * self.dimensions

    def with_variables(self, known: dict[str, JavaType]) -> JavaType:
        """The type with its variables replaced."""
        if self.name in known:
            found = known[self.name]
            return JavaType(found.name, found.arguments, found.dimensions + self.dimensions)
        return JavaType(self.name, tuple(one.with_variables(known) for one in self.arguments), self.dimensions)


@dataclass(frozen=True)
class Signature:
    """A method or constructor: its own type variables, the binary name of the class that declares it, parameters, and result."""

    variables: tuple[str, ...]
    owner: str
    name: str
    parameters: tuple[JavaType, ...]
    result: JavaType


class _Parser:
    def __init__(self, text: str) -> None:
        self._tokens = _TOKEN.findall(text.replace("...", "[]"))
        self._at = 0

    def peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def next(self) -> str:
        self._at += 1
        return str(self._tokens[self._at - 1])

    def takes(self, token: str) -> bool:
        found = self.peek() == token
        self._at += found
        return found

    def type(self) -> JavaType:
        name = self.next()
        arguments: tuple[JavaType, ...] = ()
        if name == "?":
            upper = self.takes("extends")
            if upper or self.takes("super"):
                bound = self.type()
                arguments = (bound,) if upper else ()
            return JavaType(name, arguments)
        while self.takes("<"):
            arguments = self.types(">")
            if self.peek()[:1] in (".", "$"):  # a class nested in a parameterised one: only its own arguments count
                name, arguments = f"{name}${self.next()[1:]}", ()
        dimensions = 0
        while self.takes("[]"):
            dimensions += 1
        return JavaType(name, arguments, dimensions)

    def types(self, end: str) -> tuple[JavaType, ...]:
        found: list[JavaType] = []
        while not self.takes(end):
            found.append(self.type())
            self.takes(",")
        return tuple(found)

    def variables(self) -> tuple[str, ...]:
        found: list[str] = []
        while not self.takes(">"):
            found.append(self.next())
            if self.takes("extends"):
                self.type()
                while self.takes("&"):
                    self.type()
            self.takes(",")
        return tuple(found)


def type_of(text: str) -> JavaType:
    """The type that `Type.getTypeName()` returns."""
    return _Parser(text).type()


def signature_of(text: str) -> Signature:
    """The signature that `Executable.toGenericString()` or `toString()` returns. A constructor has the name `__init__`."""
    parser = _Parser(text)
    while parser.peek() in _MODIFIERS:
        parser.next()
    variables = parser.variables() if parser.takes("<") else ()
    result = parser.type()
    if parser.takes("("):
        return Signature(variables, result.name, "__init__", parser.types(")"), JavaType("void"))
    owner, _, name = parser.next().rpartition(".")
    parser.takes("(")
    return Signature(variables, owner, name, parser.types(")"), result)
