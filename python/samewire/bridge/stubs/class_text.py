"""The stub of one class."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from samewire._native import ClassInfo

from ..collections.iterators import JavaEnumeration, JavaIterable, JavaIterator
from ..collections.lists import JavaList
from ..collections.maps import JavaMap
from ..java_class import CONSTRUCTOR, FIELD, METHOD, STATIC, VARARGS
from ..naming import attribute
from .signatures import JavaType
from .types import Types

#: flags, parameters, result
Overload: TypeAlias = tuple[int, tuple[str, ...], str]

#: Iterable base classes, and the interface whose first type argument is the type of the elements; more specific ones
#: first.
_ELEMENTS: tuple[tuple[type, str], ...] = (
    (JavaEnumeration, "java.util.Enumeration"),
    (JavaIterator, "java.util.Iterator"),
    (JavaIterable, "java.lang.Iterable"),
    (JavaIterable, "java.util.stream.BaseStream"),
    (JavaMap, "java.util.Map"),
)


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
    """The lines of a class's body, without nested classes and members that a base's stub has unchanged.

    kept: names that the class's container base reserves.
    """
    methods = overloads(info)
    known = [overloads(base) for base in inherited]
    for name, signatures in sorted(methods.items()):
        if name in kept or (name != "__init__" and any(base.get(name) == signatures for base in known)):
            continue
        yield from _method(name, signatures, info, types)
    for what, flags, name, _, kind in sorted(info.members, key=lambda member: member[2]):
        if what == FIELD:
            where = attribute(name) + ("_" if attribute(name) in methods else "")
            annotation = types.result(kind)
            yield f"{where}: {f'_t.ClassVar[{annotation}]' if flags & STATIC else annotation}"


def protocol(info: ClassInfo, roots: Sequence[type], types: Types) -> Iterator[str]:
    """Special methods for the elements of a container, unless the stubs of its bases have them."""
    scope = types.scope(info)

    def arguments(wanted: str) -> list[str]:
        return [types.generic_result(one, scope) for one in types.generics.arguments(info.name, wanted)]

    for form in roots:
        for base, wanted in _ELEMENTS:
            elements = arguments(wanted) if issubclass(form, base) else []
            if elements:
                yield f"def __iter__(self) -> _c.Iterator[{elements[0]}]: ..."
                if issubclass(form, JavaIterator | JavaEnumeration):
                    yield f"def __next__(self) -> {elements[0]}: ..."
                break
        if issubclass(form, JavaList) and (elements := arguments("java.util.List")):
            part = types.generic_result(JavaType("java.util.List", types.generics.arguments(info.name, "java.util.List")), scope)
            for index, result in (("_b.int", elements[0]), ("_b.slice", part)):
                yield "@_t.overload"
                yield f"def __getitem__(self, index: {index}, /) -> {result}: ..."
        if issubclass(form, JavaMap) and (elements := arguments("java.util.Map")):
            key, value = elements
            yield f"def __getitem__(self, key: _t.Any, /) -> {value}: ..."
            yield f"def items(self) -> _c.Collection[_b.tuple[{key}, {value}]]: ..."


def _method(name: str, signatures: list[Overload], info: ClassInfo, types: Types) -> Iterator[str]:
    static = sum(1 for flags, _, _ in signatures if flags & STATIC)
    if 0 < static < len(signatures):
        yield f"{name}: _t.ClassVar[_c.Callable[..., _t.Any]]"
        return
    lines = list(dict.fromkeys(_signature(name, bool(static), signature, info, types) for signature in signatures))
    for line in lines:
        if len(lines) > 1:
            yield "@_t.overload"
        if static:
            yield "@_b.staticmethod"
        yield line


def _signature(name: str, static: bool, signature: Overload, info: ClassInfo, types: Types) -> str:
    flags, parameters, _ = signature
    passed, returned = _annotations(name, static, signature, info, types)
    listed = [] if static else ["self"]
    fixed = len(parameters) - 1 if flags & VARARGS else len(parameters)
    listed += [f"arg{place}: {parameter}" for place, parameter in enumerate(passed[:fixed])]
    if listed:
        listed.append("/")
    if flags & VARARGS:
        listed.append(f"*arguments: {passed[-1]}")
    return f"def {name}({', '.join(listed)}) -> {returned}: ..."


def _annotations(name: str, static: bool, signature: Overload, info: ClassInfo, types: Types) -> tuple[list[str], str]:
    """The annotations of the parameters (of varargs: of one element) and of the result."""
    flags, parameters, result = signature
    generic = types.generics.of(info.name).members.get((name, parameters))
    if generic is None:
        plain = [*parameters[:-1], parameters[-1].removesuffix("[]")] if flags & VARARGS else parameters
        return [types.passed(parameter) for parameter in plain], types.result(result)
    declared = list(generic.parameters)
    if flags & VARARGS:
        last = declared[-1]
        declared[-1] = JavaType(last.name, last.arguments, last.dimensions - 1)
    # Type variables of another class are not in scope here.
    scope = types.scope(info) if generic.owner == info.name and not static else {}
    own = types.scoped(generic.variables, "_m")
    passed = [types.generic_passed(parameter, {**scope, **own}) for parameter in declared]
    # A type variable that no parameter binds would match any type that the caller expects.
    bound = {java: python for java, python in own.items() if any(re.search(rf"\b{python}\b", one) for one in passed)}
    return passed, types.generic_result(generic.result, {**scope, **bound})
