"""Frames (pack.md section 14): a length, then a message."""

from __future__ import annotations

from spec.oracle.core.errors import SamewireError
from spec.oracle.core.limits import DEFAULT, Limits
from spec.oracle.core.primitives import Cursor, varint


def frame(message: bytes) -> bytes:
    return varint(len(message)) + message


def scan(stream: bytes, limits: Limits = DEFAULT) -> tuple[list[bytes], SamewireError | None]:
    """Returns the messages of a whole stream, and the error after them if there is one.

    The error is `truncated` only if the stream ends inside a frame, so it comes from declaring the end.
    """
    cursor = Cursor(stream)
    messages: list[bytes] = []
    try:
        while cursor.pos < len(stream):
            at = cursor.pos
            length = cursor.count()
            if length == 0:
                cursor.fail("malformed", at, "a frame without a message")
            if length > limits.frame_bytes:
                cursor.fail("limit_size", at, f"a message of {length} bytes")
            if cursor.pos - at + length > limits.buffered_bytes:
                cursor.fail("limit_size", at, f"a frame of {cursor.pos - at + length} bytes")
            messages.append(cursor.take(length))
    except SamewireError as error:
        return messages, error
    return messages, None
