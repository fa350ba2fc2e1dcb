"""JSON values: a whole text, the elements of an outermost array, or a value a line, one at a time."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from typing import Any, Final

from .content import Content
from .faults import SourceError

_SPACE: Final = re.compile(r"[ \t\n\r]*")
#: A number that is cut at the end of a piece may look complete or invalid: so many following characters decide.
_AHEAD: Final = 16


class _ConstantError(Exception):
    """NaN, Infinity or -Infinity, which Python's parser accepts."""


def _refuse_constant(word: str) -> None:
    raise _ConstantError(word)


_DECODER: Final = json.JSONDecoder(parse_constant=_refuse_constant)


def whole(content: Content) -> Any:
    """The value of a whole text. Raises SourceError."""
    text = "".join(content.pieces())
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise _located(content.label, error.lineno, error.colno, error.msg) from None
    except (_ConstantError, RecursionError, ValueError) as error:
        raise _refused(content.label, error) from None


def is_value(text: str) -> bool:
    """Whether it is one JSON value."""
    try:
        _DECODER.decode(text)
    except json.JSONDecodeError:
        return False
    except (_ConstantError, RecursionError, ValueError):  # an invalid value: reading it raises the error
        pass
    return True


class Lines:
    """A value a line, empty lines left out. Each iteration parses them anew: none is kept."""

    def __init__(self, content: Content) -> None:
        self._content = content

    def __iter__(self) -> Iterator[Any]:
        decode, label = _DECODER.decode, self._content.label
        for number, line in enumerate(self._content.lines(), 1):
            if line.isspace():
                continue
            try:
                yield decode(line.rstrip("\n"))
            except json.JSONDecodeError as error:
                raise _located(label, number, error.colno, error.msg) from None
            except (_ConstantError, RecursionError, ValueError) as error:
                raise _refused(f"{label}, line {number}", error) from None


class Elements:
    """The elements of an outermost array. Each iteration parses them anew: none is kept."""

    def __init__(self, content: Content) -> None:
        self._content = content

    def __iter__(self) -> Iterator[Any]:
        window = _Window(self._content)
        window.skip("[")
        if window.next_sign() == "]":
            window.skip("]")
        else:
            while True:
                yield window.value()
                if window.next_sign() == "]":
                    window.skip("]")
                    break
                window.skip(",")
        if window.next_sign():
            raise window.error("Extra data")


class _Window:
    """The part of a text that is being parsed: from the element that begins in it, as long as that takes."""

    def __init__(self, content: Content) -> None:
        self._label = content.label
        self._pieces = content.pieces()
        self._text = ""
        self._at = 0
        self._ended = False
        self._lines = 0  # ends of lines before the window
        self._column = 0  # characters before the window on its first line

    def next_sign(self) -> str:
        """The next character that is not white space; empty at the end."""
        while True:
            self._at = _end_of_space(self._text, self._at)
            if self._at < len(self._text) or not self._grow():
                return self._text[self._at : self._at + 1]

    def skip(self, sign: str) -> None:
        """Raises SourceError for another character."""
        if self.next_sign() != sign:
            raise self.error(f"Expecting {sign!r} delimiter")
        self._at += 1

    def value(self) -> Any:
        """The value at the current position. Raises SourceError."""
        self.next_sign()
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                cut = error.msg.startswith("Unterminated string") or error.pos + _AHEAD >= len(self._text)
                if cut and self._grow():
                    continue
                self._at = error.pos
                raise self.error(error.msg) from None
            except (_ConstantError, RecursionError, ValueError) as error:
                raise _refused(self._label, error) from None
            if end + _AHEAD <= len(self._text) or not self._grow():
                self._at = end
                return value

    def error(self, text: str) -> SourceError:
        """A SourceError for the current position."""
        before = self._text.rfind("\n", 0, self._at)
        column = self._at - before if before >= 0 else self._column + self._at + 1
        return _located(self._label, self._lines + self._text.count("\n", 0, self._at) + 1, column, text)

    def _grow(self) -> bool:
        """Reads another piece, and drops the parsed text. Returns whether there was more."""
        added, length, least = [], 0, len(self._text) - self._at
        for piece in self._pieces:
            added.append(piece)
            length += len(piece)
            if length >= least:
                break
        if not length:
            return False
        before = self._text.rfind("\n", 0, self._at)
        self._column = self._at - before - 1 if before >= 0 else self._column + self._at
        self._lines += self._text.count("\n", 0, self._at)
        self._text = "".join([self._text[self._at :], *added])
        self._at = 0
        return True


def _end_of_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    assert match is not None
    return match.end()


def _located(label: str, line: int, column: int, text: str) -> SourceError:
    return SourceError(f"{label}, line {line}, column {column}: {text}")


def _refused(where: str, error: Exception) -> SourceError:
    if isinstance(error, _ConstantError):
        return SourceError(f"{where}: {error} is not valid JSON; write null or a number")
    if isinstance(error, RecursionError):
        return SourceError(f"{where}: nested too deep")
    # CPython limits the digits of an integer, since parsing takes quadratic time.
    return SourceError(f"{where}: an integer of more than {sys.get_int_max_str_digits():,} digits; write it as text")
