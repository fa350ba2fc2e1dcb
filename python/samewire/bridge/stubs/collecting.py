"""Collects the descriptions of the classes for which stubs are made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from samewire._native import ClassInfo

from ..errors import NoSuchName
from ..gateway import Gateway
from ..naming import nested


def collect(gateway: Gateway, names: Iterable[str]) -> dict[str, ClassInfo]:
    """The classes of packages, single classes, and the classes nested in them, by binary name.

    Raises NoSuchName for a name that is neither a class nor a package with classes.
    """
    found: dict[str, ClassInfo] = {}
    for name in names:
        before = len(found)
        for binary in _binary_names(gateway, name):
            _add(gateway, binary, found)
        if len(found) == before and name not in found:
            raise NoSuchName(f"{name!r} is neither a class nor a package with classes in the JVM; check the class path")
    return found


def _binary_names(gateway: Gateway, name: str) -> Iterator[str]:
    for binary in nested(name):
        if gateway.session.describe(binary) is not None:
            yield binary
            return
    for simple in sorted(gateway.operations.names(name)):
        if simple[:1].isupper():
            yield f"{name}.{simple}"


def _add(gateway: Gateway, binary: str, found: dict[str, ClassInfo]) -> None:
    info = None if binary in found else gateway.session.describe(binary)
    if info is None:
        return
    found[binary] = info
    for _, inner in info.inner:
        _add(gateway, inner, found)
