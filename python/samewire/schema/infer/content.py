"""The text of a file, of standard input or of a string, which can be read repeatedly, in pieces."""

from __future__ import annotations

import codecs
import io
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol

from samewire.pack.records.blocks import MAGIC

from .compressed import expanded
from .faults import SourceError

#: Bytes or characters that are read at once.
PIECE: Final = 1 << 18
_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+")
_ANY_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")


class Content(Protocol):
    """Text that can be read again.

    Everything raises SourceError for what is not text, SamewireError `unsupported` for zstd if this Python has none, and
    OSError as `open` does.
    """

    @property
    def label(self) -> str:
        """Its name in errors."""

    def pieces(self) -> Iterator[str]:
        """Pieces of any length."""

    def lines(self, universal: bool = False) -> Iterator[str]:
        r"""Lines with their ends. universal: `\r` and `\r\n` end one, too."""


class Text:
    """A string."""

    def __init__(self, text: str, label: str) -> None:
        self._text = text
        self.label = label

    def pieces(self) -> Iterator[str]:
        """See Content."""
        yield self._text

    def lines(self, universal: bool = False) -> Iterator[str]:
        """See Content."""
        return (match[0] for match in (_ANY_LINE if universal else _LINE).finditer(self._text))


class File:
    """A file, perhaps compressed by gzip or zstd. A pipe is copied to a temporary file, to be read again."""

    def __init__(self, path: Path) -> None:
        """path: `-` for standard input."""
        self.label = said(path)
        self._path = path
        self._kept: Any = None  # keeps the temporary file
        if str(path) == "-":
            self._keep(sys.stdin.buffer)
        elif not path.is_file():
            with path.open("rb") as pipe:
                self._keep(pipe)

    @property
    def size(self) -> int:
        """Its bytes, not expanded."""
        return self._path.stat().st_size

    def _keep(self, pipe: BinaryIO) -> None:
        self._kept = tempfile.NamedTemporaryFile(prefix="samewire-")  # noqa: SIM115 - closed, and removed, with this object
        shutil.copyfileobj(pipe, self._kept)
        self._kept.flush()
        self._path = Path(self._kept.name)

    def pieces(self) -> Iterator[str]:
        """See Content."""
        with self._opened("\n") as file:
            while piece := file.read(PIECE):
                yield piece

    def lines(self, universal: bool = False) -> Iterator[str]:
        """See Content."""
        with self._opened("" if universal else "\n") as file:
            yield from file

    @contextmanager
    def _opened(self, newline: str) -> Iterator[io.TextIOWrapper]:
        with self._path.open("rb") as file, expanded(file, self.label) as content:
            head = content.peek(len(MAGIC))
            if head.startswith(MAGIC[:4]):
                raise SourceError(f"{self.label} is a file of records, which has its schema: print it by samewire schema")
            try:
                yield io.TextIOWrapper(content, "utf-8-sig", newline=newline)
            except UnicodeDecodeError:
                other = "UTF-16" if head[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "WINDOWS-1252"
                raise SourceError(
                    f"{self.label} is not valid UTF-8 (byte {self._bad_byte()}); convert it first, perhaps by "
                    f"iconv -f {other} -t UTF-8"
                ) from None

    def _bad_byte(self) -> int:
        """The offset of the first expanded byte that is not valid UTF-8."""
        decoder, at = codecs.getincrementaldecoder("utf-8")(), 0
        with self._path.open("rb") as file, expanded(file, self.label) as content:
            while piece := content.read(PIECE):
                waiting = len(decoder.getstate()[0])
                try:
                    decoder.decode(piece)
                except UnicodeDecodeError as error:
                    return at - waiting + error.start
                at += len(piece)
        return at - len(decoder.getstate()[0])  # it ends within a character


def said(path: Path) -> str:
    """The name of a command line's file in messages."""
    return "standard input" if str(path) == "-" else str(path)
