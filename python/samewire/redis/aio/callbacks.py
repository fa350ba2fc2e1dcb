"""Conversions of replies that may be coroutine functions."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from ..commands.replies import Callbacks, Conversion
from ..conversion import NEVER_DECODE, OWN_OPTIONS

#: The callbacks' own `get` would make upper case of every name.
callback: Callable[[dict[Any, Any], Any], Any] = dict.get


class AsyncCallbacks(Callbacks):
    """Conversions by the command's name.

    awaits: whether one of them returns what has to be awaited.
    """

    awaits = False

    def __setitem__(self, name: str, conversion: Conversion) -> None:
        if callable(conversion) and not inspect.isfunction(inspect.unwrap(conversion)):
            # A class, a partial, a mock: what it returns is looked at.
            self.awaits = True
        elif inspect.iscoroutinefunction(conversion):
            self.awaits = True
        super().__setitem__(name, conversion)


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
