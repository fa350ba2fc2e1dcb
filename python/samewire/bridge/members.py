"""The attributes of a class from its description: methods by name with their overloads, and fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from samewire._native import ClassInfo, Constructor, Field, Method, Session, StaticMethod

from .java_class import CONSTRUCTOR, FIELD, FINAL, METHOD, STATIC, Constant
from .naming import attribute


class Overloads:
    """The members of one name that a callable stands for. Their documentation is made on first access."""

    __slots__ = ("members", "name", "owner")

    def __init__(self, owner: str, name: str, members: list[tuple[int, Sequence[str], str]]) -> None:
        self.owner = owner
        self.name = name
        #: flags, parameters, result
        self.members = members


def members(session: Session, info: ClassInfo, kept: frozenset[str]) -> dict[str, Any]:
    """The attributes of a class.

    kept: names that the class's bases reserve.
    """
    owner = f"#{info.number}"
    constructors: list[tuple[int, Sequence[str], str]] = []
    methods: dict[str, list[tuple[int, Sequence[str], str]]] = {}
    fields: list[tuple[int, str, str]] = []
    for what, flags, name, parameters, result in info.members:
        if what == METHOD:
            methods.setdefault(name, []).append((flags, parameters, result))
        elif what == FIELD:
            fields.append((flags, name, result))
        elif what == CONSTRUCTOR:
            constructors.append((flags, parameters, info.name))
    found: dict[str, Any] = {}
    for name, overloads in methods.items():
        if attribute(name) not in kept:
            found[attribute(name)] = _method(session, info, owner, name, overloads)
    for flags, name, _ in fields:
        where = attribute(name)
        if where in found or where in kept:
            where += "_"
        field = Field(session, owner, name, bool(flags & STATIC))
        found[where] = Constant(field, where) if flags & STATIC and flags & FINAL else field
    if constructors:
        constructor = Constructor(session, owner)
        constructor.overloads = Overloads(info.name, "", constructors)
        found["__constructor__"] = constructor
    return found


def _method(
    session: Session, info: ClassInfo, owner: str, name: str, overloads: list[tuple[int, Sequence[str], str]]
) -> Method | StaticMethod:
    static = sum(1 for flags, _, _ in overloads if flags & STATIC)
    made = (
        StaticMethod(session, owner, name)
        if static == len(overloads)
        else Method(session, owner, name, 0 < static < len(overloads))
    )
    made.overloads = Overloads(info.name, name, overloads)
    return made
