"""Text and bytes of arguments and replies, as a client's options say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from ..exceptions import DataError


class Encoder:
    """Encodes arguments, and decodes replies if `decode_responses` is set."""

    __slots__ = ("decode_responses", "encoding", "encoding_errors", "native")

    def __init__(self, encoding: str = "utf-8", encoding_errors: str = "strict", decode_responses: bool = False) -> None:
        self.encoding = encoding
        self.encoding_errors = encoding_errors
        self.decode_responses = bool(decode_responses)
        #: Whether the native layer encodes texts of commands in the same way: as UTF-8.
        self.native = encoding.lower().replace("_", "-") in ("utf-8", "utf8") and encoding_errors == "strict"

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Self:
        """The encoder of a connection's keywords."""
        names = ("encoding", "encoding_errors", "decode_responses")
        return cls(**{name: options[name] for name in names if name in options})

    def encoded(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments of a command with its texts encoded; its name is left as it is."""
        return (args[0], *[self.encode(arg) if isinstance(arg, str) else arg for arg in args[1:]])

    def encode(self, value: object) -> bytes | bytearray | memoryview:
        """The bytes of an argument. Raises DataError for what is not str, bytes, int or float; bool is not taken either."""
        if isinstance(value, str):
            return value.encode(self.encoding, self.encoding_errors)
        if isinstance(value, bytes | bytearray | memoryview):
            return value
        if isinstance(value, int | float) and not isinstance(value, bool):
            return repr(value).encode()
        raise DataError(f"an argument is of type {type(value).__name__}: expected str, bytes, int or float")

    def decode(self, value: object, force: bool = False) -> object:
        """The text of bytes if replies are decoded, or if `force` says so; anything else as it is."""
        if not (force or self.decode_responses) or not isinstance(value, bytes | memoryview):
            return value
        return str(value, self.encoding, self.encoding_errors)
