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
        """Returns the value or raises the error."""
        if self.error is not None:
            raise self.error
        return self.value
