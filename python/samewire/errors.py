"""The one error that every part of samewire raises (spec/errors.md)."""

from __future__ import annotations


class SamewireError(Exception):
    """An error with a code. `code`, `at` and `path` are contract; `text` is free.

    code: one of the closed list in spec/errors.md.
    at: offset in bytes from the start of the message, schema text or stream; None if there is none.
    path: like `$.books[3].year`; None if there is none.
    text: what was expected, what came, what to do.
    """

    code: str
    at: int | None
    path: str | None
    text: str

    def __init__(self, code: str, at: int | None = None, path: str | None = None, text: str = "") -> None:
        super().__init__(code, at, path, text)
        self.code = code
        self.at = at
        self.path = path
        self.text = text

    def __str__(self) -> str:
        place = "" if self.at is None else f" at byte {self.at}"
        step = "" if self.path is None else f" ({self.path})"
        return f"{self.code}{place}{step}: {self.text}" if self.text else f"{self.code}{place}{step}"
