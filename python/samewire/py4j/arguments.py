"""Converts arguments of calls, for all dialects."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .reference import Reference

#: Packages whose converters decide by the class of a value alone, and take no plain `None`, `bool`, `int`, `float`, `str`, `bytes`
#: or `bytearray`: only those that extend them.
_DECIDE_BY_CLASS = ("py4j.", "samewire.py4j.", "pyspark.")


class ByClass(list[Any]):
    """The converters that were found not to convert plain values."""

    def learn(self, converters: list[Any]) -> bool:
        """Returns whether converters can be skipped for plain values, and remembers them if so."""
        if not all(type(converter).__module__.startswith(_DECIDE_BY_CLASS) for converter in converters):
            return False
        self[:] = converters
        return True


def converted(args: Iterable[Any], converters: Any, gateway_client: Any) -> tuple[Any, list[Any]]:
    """Converts each argument by the first converter that can; also returns the objects that were made for that."""
    made: list[Any] = []
    passed = []
    for arg in args:
        if not isinstance(arg, Reference):
            for converter in converters:
                if converter.can_convert(arg):
                    arg = converter.convert(arg, gateway_client)
                    made.append(arg)
                    break
        passed.append(arg)
    return passed, made


def detach(made: list[Any]) -> None:
    """Releases Java objects that were made for a call."""
    for item in made:
        if hasattr(item, "_detach"):
            item._detach()
