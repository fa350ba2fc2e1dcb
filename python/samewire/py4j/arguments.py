"""Arguments of calls, before a dialect takes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .reference import Reference


def converted(args: Iterable[Any], converters: Any, gateway_client: Any) -> tuple[Any, list[Any]]:
    """Returns arguments for which the first converter that can converts each, and the objects that were made for it."""
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
    """Has Java forget objects that were made for a call."""
    for item in made:
        if hasattr(item, "_detach"):
            item._detach()
