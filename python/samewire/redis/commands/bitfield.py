"""Operations on integers within a string, collected for one BITFIELD."""

from __future__ import annotations

from typing import Any, Self

from samewire.redis.commands.executes import Executes
from samewire.redis.typing import BitfieldOffsetT, KeyT

#: What the server does with an integer that does not fit, unless it is told.
WRAP = "WRAP"


class BitFieldOperation:
    """The operations of one command, in their order. `execute` sends them and returns a reply for each."""

    def __init__(self, client: Executes, key: KeyT, default_overflow: str | None = None) -> None:
        self.client = client
        self.key = key
        self._default_overflow = default_overflow
        self.reset()

    def reset(self) -> None:
        """Forgets all operations."""
        self._words: list[Any] = []
        self._overflow = WRAP
        self.overflow(self._default_overflow or WRAP)

    def overflow(self, overflow: str) -> Self:
        """What the operations that follow do with an integer that does not fit: WRAP, SAT or FAIL."""
        wanted = overflow.upper()
        if wanted == self._overflow:
            return self
        self._overflow = wanted
        return self._then("OVERFLOW", wanted)

    def incrby(self, fmt: str, offset: BitfieldOffsetT, increment: int, overflow: str | None = None) -> Self:
        """Adds to the integer at an offset. fmt: "u8" is an unsigned one of 8 bits, "i16" a signed one of 16."""
        return self.overflow(overflow or self._overflow)._then("INCRBY", fmt, offset, increment)

    def get(self, fmt: str, offset: BitfieldOffsetT) -> Self:
        """Reads the integer at an offset. "#2" is the offset of the third integer of this format."""
        return self._then("GET", fmt, offset)

    def set(self, fmt: str, offset: BitfieldOffsetT, value: int) -> Self:
        """Writes the integer at an offset, and returns the one that was there."""
        return self._then("SET", fmt, offset, value)

    def _then(self, *words: Any) -> Self:
        self._words += words
        return self

    @property
    def command(self) -> list[Any]:
        """The command as it is sent."""
        return ["BITFIELD", self.key, *self._words]

    def execute(self) -> Any:
        """Sends the operations, forgets them, and returns the list of their replies."""
        command = self.command
        self.reset()
        return self.client.execute_command(*command)
