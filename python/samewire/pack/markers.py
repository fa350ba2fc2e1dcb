"""Markers for `Annotated[...]` beside a Python type; `named`, `aliased` and `fallback` for classes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, TypeVar

from samewire.errors import SamewireError

C = TypeVar("C", bound=type)

NAME_ATTRIBUTE: Final = "__samewire_name__"
SYMBOLS_ATTRIBUTE: Final = "__samewire_symbols__"
ALIASES_ATTRIBUTE: Final = "__samewire_aliases__"
FALLBACK_ATTRIBUTE: Final = "__samewire_fallback__"


@dataclass(frozen=True, slots=True)
class Wire:
    """The type on the wire, for Python types that have several: `Annotated[int, pack.I32]`.

    On `int`: the eight integers, BIGINT, and TIMESTAMP, TIME, DURATION (nanoseconds as int). On `float`: F32, F64. On
    `array.array` and `memoryview`: the type of the elements. On an optional: the type of the part that is not None.
    """

    kind: str


I8: Final = Wire("i8")
I16: Final = Wire("i16")
I32: Final = Wire("i32")
I64: Final = Wire("i64")
U8: Final = Wire("u8")
U16: Final = Wire("u16")
U32: Final = Wire("u32")
U64: Final = Wire("u64")
BIGINT: Final = Wire("bigint")
F32: Final = Wire("f32")
F64: Final = Wire("f64")
TIMESTAMP: Final = Wire("timestamp")
TIME: Final = Wire("time")
DURATION: Final = Wire("duration")


@dataclass(frozen=True, slots=True)
class Form:
    """How a struct class is written: `REF` shares instances by identity, `UNION` makes a union of a single class.

    `FALLBACK` marks the class of a union that is read in place of a writer's member that the union lacks:
    `Dot | Annotated[Unknown, pack.FALLBACK]`. It has no fields, or only `name: str`, which takes the member's name.
    """

    kind: str


REF: Final = Form("ref")
UNION: Final = Form("union")
FALLBACK: Final = Form("fallback")


@dataclass(frozen=True, slots=True)
class As:
    """Writes a class without a schema as a type with one: `Annotated[Money, pack.As(int, Money.cents, Money)]`.

    wire: the type that is written; not bool, `Any` or one that may be None (`Annotated[...] | None` may).
    encode: called with each value, an instance of the annotated class; returns the value to write.
    decode: called with each value that was read; returns the value. Both may get values of untrusted messages. Their
        exceptions are passed on unchanged.
    """

    wire: Any
    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Name:
    """A field's name on the wire, if it differs from the attribute's: `Annotated[int, pack.Name("class")]`.

    Raises TypeError for anything but a str. `codec` raises SamewireError `misuse` for a str that cannot be a name.
    """

    name: str

    def __post_init__(self) -> None:
        _check(self.name)


class Alias:
    """Names that a field has in other writers' schemas: `Annotated[int, pack.Alias("published")]`.

    The field's own name comes first, then the first of these that the writer's schema has (section 13). Raises TypeError
    for anything but strs. `codec` raises SamewireError `misuse` for a str that cannot be a name, and for the name or alias
    of another field.
    """

    __slots__ = ("names",)

    def __init__(self, *names: str) -> None:
        for name in names:
            _check(name)
        self.names: Final = names

    def __eq__(self, other: object) -> bool:
        return self.names == other.names if isinstance(other, Alias) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.names)

    def __repr__(self) -> str:
        return f"Alias({', '.join(map(repr, self.names))})"


def _check(name: object) -> None:
    if not isinstance(name, str):
        raise TypeError(f"a name is a str, not {type(name).__name__}")


def named(name: str | None = None, /, **symbols: str) -> Callable[[C], C]:
    """Returns a class decorator that sets a struct's or enum's name in the schema, and symbols of an enum's members.

    >>> @named("colour", RED="red")
    ... class Color(Enum): RED = 1

    Subclasses do not inherit the name. Raises TypeError for a name that is not a str or an object that is not a class,
    and SamewireError `misuse` for a symbol without a member. `codec` raises `misuse` for a str that cannot be a name.
    """
    for text in symbols.values() if name is None else (name, *symbols.values()):
        _check(text)

    def mark(cls: C) -> C:
        if not isinstance(cls, type):
            raise TypeError(f"named() marks a class, not {type(cls).__name__}")
        if unknown := symbols.keys() - getattr(cls, "__members__", {}).keys():
            raise SamewireError("misuse", text=f"{cls.__qualname__} has no members {', '.join(sorted(unknown))}")
        if name is not None:
            setattr(cls, NAME_ATTRIBUTE, name)
        if symbols:
            setattr(cls, SYMBOLS_ATTRIBUTE, dict(symbols))
        return cls

    return mark


def aliased(*names: str) -> Callable[[C], C]:
    """Returns a class decorator that sets names which a struct or enum has in other writers' schemas.

    >>> @aliased("Tome", "Volume")
    ... class Book: ...

    The class's own name comes first, then the first of these that the writer's schema has (section 13). Subclasses do not
    inherit the names. Raises TypeError for a name that is not a str or an object that is not a class.
    """
    for name in names:
        _check(name)

    def mark(cls: C) -> C:
        if not isinstance(cls, type):
            raise TypeError(f"aliased() marks a class, not {type(cls).__name__}")
        setattr(cls, ALIASES_ATTRIBUTE, names)
        return cls

    return mark


def aliases_of(cls: type) -> tuple[str, ...]:
    """The class's other names in schemas."""
    names = vars(cls).get(ALIASES_ATTRIBUTE, ())
    assert isinstance(names, tuple)
    return names


def fallback(member: str) -> Callable[[C], C]:
    """Returns a class decorator that sets the enum member that is read for a writer's symbols that the enum lacks.

    >>> @fallback("OTHER")
    ... class Genre(Enum): CRIME = 1; OTHER = 2

    Keys of sets and dicts do not fall back: two of them could become one (section 13). Raises TypeError for a name that is
    not a str or an object that is not a class, and SamewireError `misuse` for a class without that member.
    """
    _check(member)

    def mark(cls: C) -> C:
        if not isinstance(cls, type):
            raise TypeError(f"fallback() marks a class, not {type(cls).__name__}")
        found = getattr(cls, "__members__", {}).get(member)
        if found is None:
            raise SamewireError("misuse", text=f"{cls.__qualname__} has no member {member}")
        setattr(cls, FALLBACK_ATTRIBUTE, found)
        return cls

    return mark


def fallback_of(cls: type[Enum]) -> Enum | None:
    """The member that is read for symbols that the enum lacks."""
    found = vars(cls).get(FALLBACK_ATTRIBUTE)
    return found if isinstance(found, Enum) else None


def name_of(cls: type) -> str:
    """The class's name in a schema."""
    name = vars(cls).get(NAME_ATTRIBUTE, cls.__name__)
    assert isinstance(name, str)
    return name
