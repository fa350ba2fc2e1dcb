"""What a call came to, where no text says it."""

from __future__ import annotations

from typing import Any


class Outcome:
    """A value, or an error to raise. `protocol.get_return_value` takes it in place of a line of text."""

    __slots__ = ("error", "value")

    def __init__(self, value: Any = None, error: BaseException | None = None) -> None:
        self.value = value
        self.error = error

    def deliver(self) -> Any:
        """Returns the value or raises the error, once: an error that its traceback's frames hold would outlive its handler."""
        if self.error is None:
            return self.value
        error, self.error = self.error, None
        try:
            raise error
        finally:
            del error
