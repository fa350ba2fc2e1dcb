"""Files that gzip or zstd has compressed. Others are refused with what makes text of them."""

from __future__ import annotations

import gzip
import importlib
import io
import shlex
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, Final

from samewire.errors import SamewireError
from samewire.pack.records.compression import missing

from .faults import SourceError

#: The most bytes that are expanded at a time.
_PIECE: Final = 1 << 18
#: How a file of gzip, or of zstd, begins (RFC 1952 section 2.3.1, RFC 8878 section 3.1.1).
_GZIP: Final = b"\x1f\x8b"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"
#: How files begin that are not text, and what makes text of one.
_OTHERS: Final = (
    (b"BZh", "compressed by bzip2", "bzip2 -dc {} | samewire COMMAND -"),
    (b"\xfd7zXZ\0", "compressed by xz", "xz -dc {} | samewire COMMAND -"),
    (b"\x04\x22\x4d\x18", "compressed by LZ4", "lz4 -dc {} | samewire COMMAND -"),
    (b"PK\x03\x04", "a ZIP archive, or a spreadsheet", "unzip -p {} | samewire COMMAND -, or export it as CSV"),
    (b"PAR1\x15", "a Parquet file", "export it as NDJSON or CSV"),
    (b"ARROW1\0\0", "an Arrow file", "export it as NDJSON or CSV"),
    (b"Obj\x01", "an Avro file", "export it as NDJSON"),
    (b"SQLite format 3\0", "a SQLite database", "sqlite3 -json {} 'select * from NAME_OF_TABLE'"),
)


@contextmanager
def expanded(file: io.BufferedReader, label: str) -> Iterator[io.BufferedReader]:
    """Yields a file with the expanded content of a compressed one, which cannot be sought; other files unchanged.

    label: what errors call the file. Raises SourceError for other formats than text, for compressed data that are broken
    or cut off, here and while they are read, and SamewireError `unsupported` for zstd if this Python has none.
    """
    head = file.peek(16)
    for begin, kind, advice in _OTHERS:
        if head.startswith(begin):
            advice = advice.format("FILE" if label == "standard input" else shlex.quote(label))
            raise SourceError(f"{label} is {kind}, and not text: {advice}")
    broken: tuple[type[Exception], ...] = (gzip.BadGzipFile, EOFError, zlib.error)
    opened: Any = None
    if head.startswith(_GZIP):
        opened = gzip.GzipFile(fileobj=file)
    elif head.startswith(_ZSTD):
        opened, error = _zstd(file)
        broken += (error,)
    try:
        yield file if opened is None else io.BufferedReader(_Forward(opened), _PIECE)
    except broken as error:
        raise SourceError(f"{label} is broken: {error}") from None


class _Forward(io.RawIOBase):
    """A file without `seek`, which would expand all compressed data again."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self._file.read(len(buffer))
        buffer[: len(piece)] = piece
        return len(piece)


def _zstd(file: BinaryIO) -> tuple[Any, type[Exception]]:
    """A file that expands zstd, and its error class, by the first available module."""
    for name in ("compression.zstd", "backports.zstd"):
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        return module.ZstdFile(file), module.ZstdError
    try:
        module = importlib.import_module("zstandard")
    except ImportError:
        text = f"it is compressed by zstd, which {missing()}; or expand it first, by zstd -d"
        raise SamewireError("unsupported", text=text) from None
    return _ZstandardFile(file, module), module.ZstdError


class _ZstandardFile(io.RawIOBase):
    """The content of a zstd file by the package zstandard, whose own reader does not detect a truncated file."""

    #: Bytes of a frame expand to 32,768 times as many at most, and are expanded together.
    _TOGETHER: Final = 1024

    def __init__(self, file: BinaryIO, module: Any) -> None:
        self._file = file
        self._module = module
        self._frame: Any = None
        self._rest = b""  # of the file, behind the last frame
        self._content = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._content:
            piece = self._rest or self._file.read(self._TOGETHER)
            if not piece:
                if self._frame is not None:
                    raise EOFError("it ends within a frame of zstd")
                return 0
            if self._frame is None:
                self._frame = self._module.ZstdDecompressor().decompressobj()
            self._content = memoryview(self._frame.decompress(piece))
            self._rest = b""
            if self._frame.eof:
                self._rest, self._frame = self._frame.unused_data, None
        size = min(len(buffer), len(self._content))
        buffer[:size] = self._content[:size]
        self._content = self._content[size:]
        return size
