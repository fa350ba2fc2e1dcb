"""Writing record files (spec/records.md, sections 4 and 5)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final, Generic, Self, TypeVar

from samewire._native import frame
from samewire.errors import SamewireError
from samewire.limits import Limits
from samewire.pack.codec import Codec, codec

from .blocks import MAGIC, Kind, block, index_body, varint
from .compression import missing, zstd
from .walk import Walk, walk

T = TypeVar("T")

#: Frames of a block before it is written, by default: large enough for zstd, small beside a process.
BLOCK_BYTES: Final = 65_536


class RecordWriter(Generic[T]):
    """Writes records of one type into a file that says what they are.

    >>> with RecordWriter("books.records", Book) as out:
    ...     out.write(Book("1001", 1974))

    A record is encoded at once, and reaches the file with its block: when the block is full, on `flush` and on `close`.
    What a crash finds unflushed is lost; the blocks before it are whole. One writer a file at a time: there is no lock.
    """

    def __init__(
        self,
        file: str | os.PathLike[str] | BinaryIO,
        kind: type[T] | Codec[T],
        /,
        *,
        append: bool = False,
        compression: str | None = None,
        block_bytes: int = BLOCK_BYTES,
        limits: Limits = Limits(),  # noqa: B008 - immutable
    ) -> None:
        """Opens the file and writes its schema.

        file: a path, or a binary file that the caller closes. A file that exists is replaced, unless `append` is true.
        kind: the type of a record, or its codec, whose profile and limits then hold.
        append: add to a file of the same schema, or begin one. An unfinished block at its end, of a writer that crashed,
            is cut off. Needs a file that can be read and sought.
        compression: None, or "zstd" (Python 3.14, or the package zstandard or backports.zstd).
        block_bytes: how many bytes of records a block collects, from 1 to `frame_bytes`. A larger record has a block of its own.

        Raises SamewireError `misuse` for an impossible option, `unsupported` without zstd, `schema_mismatch` with the first
        difference when appending, and what RecordReader raises for a broken file; OSError of the file; and as `codec` does.
        """
        self._compress = _compressor(compression)
        self._codec: Codec[T] = kind if isinstance(kind, Codec) else codec(kind, limits=limits)
        # A larger block would meet `buffered_bytes` in a reader with the same limits.
        most = self._codec._limits.frame_bytes
        if type(block_bytes) is not int or not 1 <= block_bytes <= most:
            text = f"block_bytes={block_bytes!r}: expected a number of bytes from 1 to limits.frame_bytes, {most}"
            raise SamewireError("misuse", text=text)
        self._block_bytes = block_bytes
        self._frames = bytearray()
        self._count = 0
        self._blocks: list[tuple[int, int]] = []
        self._indexed = False
        self._records = 0
        self._position = 0
        self._ended = True
        self._owned = isinstance(file, str | os.PathLike)
        self._file: BinaryIO = _opened(file, append) if isinstance(file, str | os.PathLike) else file
        try:
            self._begin(append, limits)
        except BaseException:
            if self._owned:
                self._file.close()
            raise
        self._ended = False

    @property
    def records(self) -> int:
        """How many records the file holds with those that are not flushed yet."""
        return self._records + self._count

    def write(self, record: T, /) -> None:
        """Adds a record.

        Raises SamewireError as `Codec.encode` does: the file is as it was and can be written on. `closed` after `close`, or
        after the file could not be written. Raises OSError of the file.
        """
        if self._ended:
            raise SamewireError("closed", text="this writer has ended: open the file again with append=True")
        framed = frame(self._codec.encode(record))
        if self._count and len(self._frames) + len(framed) > self._block_bytes:
            self.flush()
        self._frames += framed
        self._count += 1
        if len(self._frames) >= self._block_bytes:
            self.flush()

    def write_many(self, records: Iterable[T], /) -> None:
        """Adds records one by one. Raises as `write` does; those before the one at fault are added."""
        for record in records:
            self.write(record)

    def flush(self) -> None:
        """Writes the records so far as a block, so that readers of the file see them. Raises as `write` does."""
        if self._ended:
            raise SamewireError("closed", text="this writer has ended: open the file again with append=True")
        if not self._count:
            return
        start = self._position
        count = varint(self._count)
        plain = block(Kind.RECORDS, count + self._frames)
        if self._compress is not None:
            frames = bytes(self._frames)
            packed = block(Kind.ZSTD, count + varint(len(frames)) + self._compress(frames))
            plain = min(packed, plain, key=len)
        self._put(plain)
        self._blocks.append((start, self._count))
        self._records += self._count
        self._count = 0
        self._frames.clear()
        self._indexed = False

    def close(self) -> None:
        """Writes what is left and the index, and closes the file if this writer opened it. Closing twice does nothing.

        Raises as `write` does.
        """
        if self._ended:
            return
        try:
            self.flush()
            if not self._indexed:
                self._put(block(Kind.INDEX, index_body(self._blocks, self._position)))
        finally:
            self._end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<RecordWriter of {self._codec.schema.text}, {self.records} records>"

    def _begin(self, append: bool, limits: Limits) -> None:
        found = walk(self._file, limits) if append else Walk()
        if found.schema is None:
            if append:
                self._file.seek(0)
                self._file.truncate()
            self._put(MAGIC + block(Kind.SCHEMA, self._codec.schema.text.encode()))
            return
        if difference := self._codec.schema.difference(found.schema):
            text = f"records of another type are in the file: {difference}; write them to a file of their own"
            raise SamewireError("schema_mismatch", None, difference.path, text)
        self._position = found.end
        self._file.seek(found.end)
        self._file.truncate()
        self._blocks = found.blocks
        self._indexed = found.indexed
        self._records = sum(count for _, count in found.blocks)

    def _put(self, data: bytes) -> None:
        """Writes all of the data, or ends the writer and leaves the file as it was."""
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[self._file.write(rest) :]
            self._file.flush()
        except BaseException:
            with suppress(OSError, ValueError):
                self._file.seek(self._position)
                self._file.truncate()
            self._end()
            raise
        self._position += len(data)

    def _end(self) -> None:
        self._ended = True
        if self._owned:
            self._file.close()


def _opened(path: str | os.PathLike[str], append: bool) -> BinaryIO:
    # Without a buffer of Python's: a block is one write, and what a full disk refuses is known at once.
    if not append:
        return Path(path).open("wb", buffering=0)
    Path(path).touch()
    return Path(path).open("r+b", buffering=0)


def _compressor(name: str | None) -> Callable[[bytes], bytes] | None:
    if name is None:
        return None
    if name != "zstd":
        raise SamewireError("misuse", text=f'compression={name!r}: expected None or "zstd"')
    found = zstd()
    if found is None:
        raise SamewireError("unsupported", text=f'compression="zstd" {missing()}')
    return found.compress
