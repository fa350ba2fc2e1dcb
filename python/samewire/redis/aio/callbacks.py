"""Conversions of replies that may be coroutine functions."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from ..commands.replies import Callbacks, Conversion
from ..rules.conversion import NEVER_DECODE, OWN_OPTIONS

#: The callbacks' own `get` would make upper case of every name.
callback: Callable[[dict[Any, Any], Any], Any] = dict.get


class AsyncCallbacks(Callbacks):
    """Conversions by the command's name.

    awaits: whether one of them may return what has to be awaited.
    table: with names in upper case, and nothing to await.
    direct: what clients have found out: the conversions of names for which nothing else has to be looked at.
    """

    def __init__(self, table: Mapping[str, Conversion]) -> None:
        super().__init__()
        self.awaits = False
        self.direct: dict[str, Conversion | None] = {}
        # The names are in upper case already, and clients are made often.
        dict.update(self, table)

    def __setitem__(self, name: str, conversion: Conversion) -> None:
        # What a class, a partial or a mock returns is looked at.
        if callable(conversion) and (not inspect.isfunction(conversion) or inspect.iscoroutinefunction(conversion)):
            self.awaits = True
        self.direct.clear()
        super().__setitem__(name, conversion)

    def __delitem__(self, name: str) -> None:
        self.direct.clear()
        super().__delitem__(name)


def conversion(
    callbacks: dict[str, Any], args: tuple[Any, ...], options: dict[str, Any], decode: bool | None
) -> tuple[Any, bool | None]:
    """What converts the reply of a command, and whether its texts are decoded."""
    convert = callback(callbacks, args[0].upper() if isinstance(args[0], str) else args[0])
    if not options:
        return convert, decode
    rest = {name: value for name, value in options.items() if name not in OWN_OPTIONS}
    if rest:
        # A constant is for calls without options.
        convert = functools.partial(convert, **rest) if callable(convert) else None
    return convert, False if NEVER_DECODE in options else decode
