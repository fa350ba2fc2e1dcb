"""The stub of one class."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from samewire._native import ClassInfo

from ..java_class import CONSTRUCTOR, FIELD, METHOD, STATIC, VARARGS
from ..naming import attribute
from .types import Types

#: flags, parameters, result
Overload: TypeAlias = tuple[int, tuple[str, ...], str]


def overloads(info: ClassInfo) -> dict[str, list[Overload]]:
    """The methods of a class by their attributes; the constructors are `__init__`."""
    found: dict[str, list[Overload]] = {}
    for what, flags, name, parameters, result in info.members:
        if what == METHOD:
            found.setdefault(attribute(name), []).append((flags, tuple(parameters), result))
        elif what == CONSTRUCTOR:
            found.setdefault("__init__", []).append((flags, tuple(parameters), "void"))
    return found


def members(info: ClassInfo, types: Types, inherited: Sequence[ClassInfo], kept: frozenset[str]) -> Iterator[str]:
    """The lines of a class's body, but for nested classes. What a base's stub says just so is left out.

    kept: names that the container which the class is in Python has for itself.
    """
    methods = overloads(info)
    known = [overloads(base) for base in inherited]
    for name, signatures in sorted(methods.items()):
        if name in kept or (name != "__init__" and any(base.get(name) == signatures for base in known)):
            continue
        yield from _method(name, signatures, types)
    for what, flags, name, _, kind in sorted(info.members, key=lambda member: member[2]):
        if what == FIELD:
            where = attribute(name) + ("_" if attribute(name) in methods else "")
            annotation = types.result(kind)
            yield f"{where}: {f'_t.ClassVar[{annotation}]' if flags & STATIC else annotation}"


def _method(name: str, signatures: list[Overload], types: Types) -> Iterator[str]:
    static = sum(1 for flags, _, _ in signatures if flags & STATIC)
    if 0 < static < len(signatures):
        yield f"{name}: _t.ClassVar[_c.Callable[..., _t.Any]]"
        return
    lines = list(dict.fromkeys(_signature(name, bool(static), signature, types) for signature in signatures))
    for line in lines:
        if len(lines) > 1:
            yield "@_t.overload"
        if static:
            yield "@_b.staticmethod"
        yield line


def _signature(name: str, static: bool, signature: Overload, types: Types) -> str:
    flags, parameters, result = signature
    listed = [] if static else ["self"]
    fixed = len(parameters) - 1 if flags & VARARGS else len(parameters)
    listed += [f"arg{place}: {types.passed(parameter)}" for place, parameter in enumerate(parameters[:fixed])]
    if listed:
        listed.append("/")
    if flags & VARARGS:
        listed.append(f"*arguments: {types.passed(parameters[-1].removesuffix('[]'))}")
    return f"def {name}({', '.join(listed)}) -> {types.result(result)}: ..."
