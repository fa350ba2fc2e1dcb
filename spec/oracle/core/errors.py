"""Coded errors (spec/errors.md). Code, offset and path are contract; the text is free."""

from __future__ import annotations


class SamewireError(Exception):
    """One coded failure.

    `at` is the offset in bytes from the start of the message, schema text or stream, `None` where there is none
    (encoding, resolving). `path` is in the notation of pack.md section 12, `None` where there is none.
    """

    def __init__(self, code: str, at: int | None, path: str | None, text: str) -> None:
        super().__init__(f"{code} at {at} in {path}: {text}")
        self.code = code
        self.at = at
        self.path = path
        self.text = text
