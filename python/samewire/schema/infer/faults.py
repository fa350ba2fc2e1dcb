"""Errors of inference: files in another format, and values that no schema holds."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from samewire.errors import SamewireError
from samewire.pack.names import step

_KINDS = {"bad_utf8": "a text holds a lone surrogate", "bad_number": "a number is beyond what 64-bit floats hold"}


class SourceError(Exception):
    """The file is not in the expected format; the text names the line and what to do."""


class Fault(Exception):
    """A value that no schema holds; its path is not known yet. code: that of the SamewireError."""

    def __init__(self, code: str, value: Any) -> None:
        super().__init__(code, value)
        self.code = code
        self.value = value

    def located(self, whole: Any) -> SamewireError:
        """Returns the SamewireError, with the path of the first such value in the data."""
        shown = f": {self.value[:40]!r}" if isinstance(self.value, str) else ""
        return SamewireError(self.code, None, "$" + (path_of(whole) or ""), _KINDS[self.code] + shown)


def check_text(text: str) -> None:
    """Raises Fault `bad_utf8` for a lone surrogate."""
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        raise Fault("bad_utf8", text)


def check_float(number: float) -> None:
    """Raises Fault `bad_number` for an infinite or NaN float, like JSON's `1e999`."""
    if not math.isfinite(number):
        raise Fault("bad_number", number)


def path_of(value: Any) -> str | None:
    """The steps to the first value with a fault, or None."""
    try:
        if isinstance(value, str):
            check_text(value)
        elif isinstance(value, float):
            check_float(value)
        elif isinstance(value, dict):
            for key, item in value.items():
                check_text(key)
                if (inner := path_of(item)) is not None:
                    return step(key) + inner
        elif isinstance(value, Iterable):
            for index, item in enumerate(value):
                if (inner := path_of(item)) is not None:
                    return f"[{index}]{inner}"
    except Fault:
        return ""
    return None
