"""The one error of `samewire.pack` (spec/errors.md)."""

from __future__ import annotations


class PackError(ValueError):
    """A coded error. `code`, `at` and `path` are contract; `text` is free.

    code: one of the closed list in spec/errors.md.
    at: offset in bytes from the start of the message, schema text or stream; None where there is none.
    path: like `$.books[3].year`; None where there is none.
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
        where = "" if self.at is None else f" at byte {self.at}"
        what = "" if self.path is None else f" ({self.path})"
        return f"{self.code}{where}{what}: {self.text}" if self.text else f"{self.code}{where}{what}"
