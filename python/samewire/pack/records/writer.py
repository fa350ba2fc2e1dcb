"""Writing record files (spec/records.md, sections 4 and 5)."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, BinaryIO, Final, Generic, Self, TypeVar

from samewire._native import frame
from samewire.errors import SamewireError
from samewire.limits import Limits
from samewire.pack.codec import Codec, codec

from .blocks import MAGIC, SIZE_BYTES, Kind, block, varint
from .compression import missing, zstd
from .places import Places
from .walk import Walk, read_up_to, walk

if TYPE_CHECKING:
    from samewire.pack.arrow import ArrowTable

T = TypeVar("T")

#: Frames of a block before it is written, by default: large enough for zstd, small beside a process.
BLOCK_BYTES: Final = 65_536


class RecordWriter(Generic[T]):
    """Writes records of one type into a file, with their schema.

    >>> with RecordWriter("books.records", Book) as out:
    ...     out.write(Book("1001", 1974))

    A record is encoded at once, and written to the file with its block: when the block is full, on `flush` and on
    `close`. A crash loses unflushed records; the blocks before them are whole. There is no lock: use one writer at a
    time for a file.
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
        block_bytes: how many bytes of records a block collects, from 1 to `frame_bytes`, and to 5 less than `buffered_bytes`. A
            larger record has a block of its own.

        Raises SamewireError `misuse` for an impossible option, `unsupported` without zstd, `schema_mismatch` with the first
        difference when appending, and what RecordReader raises for a broken file; OSError of the file; and as `codec` does.
        """
        self._compress = _compressor(compression)
        self._codec: Codec[T] = kind._bare() if isinstance(kind, Codec) else codec(kind, limits=limits, check=False)
        # A larger block would exceed `buffered_bytes` in a reader with the same limits. It includes the count.
        self._buffered_bytes = self._codec._limits.buffered_bytes
        most = min(self._codec._limits.frame_bytes, self._buffered_bytes - SIZE_BYTES)
        if type(block_bytes) is not int or not 1 <= block_bytes <= most:
            text = f"block_bytes={block_bytes!r}: expected a number of bytes from 1 to {most}"
            reason = f"the less of limits.frame_bytes and limits.buffered_bytes - {SIZE_BYTES}"
            raise SamewireError("misuse", text=f"{text}, {reason}")
        self._block_bytes = block_bytes
        self._frames = bytearray()
        self._count = 0
        self._places = Places()
        self._indexed = False
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
        return self._places.records + self._count

    def write(self, record: T, /) -> None:
        """Adds a record.

        Raises SamewireError as `Codec.encode` does, and `limit_size` for a record whose block is larger than `buffered_bytes`:
        the file is as it was and can be written on. `closed` after `close`, or after the file could not be written. Raises
        OSError of the file.
        """
        if self._ended:
            raise self._closed()
        self._add(frame(self._codec.encode(record)))

    def _add(self, framed: bytes) -> None:
        # A record alone in a block has a count of one byte before it.
        if len(framed) >= self._buffered_bytes:
            text = f"a record that needs a block of {len(framed) + 1} bytes, limits.buffered_bytes is {self._buffered_bytes}"
            raise SamewireError("limit_size", None, "$", text)
        if self._count and len(self._frames) + len(framed) > self._block_bytes:
            self.flush()
        self._frames += framed
        self._count += 1
        if len(self._frames) >= self._block_bytes:
            self.flush()

    def write_many(self, records: Iterable[T], /) -> None:
        """Adds records one by one. Raises as `write` does; the records before the invalid one are added."""
        for record in records:
            self.write(record)

    def write_table(self, table: ArrowTable, /) -> None:
        """Adds the rows of a table of Arrow columns, a record each, batch by batch (spec/tables.md, section 4).

        table: as for `Codec.encode_table`. Raises as that does and as `write` does. The batches before the invalid one
        are added, and nothing of that one; with `limit_size` and OSError also its records before the error.
        """
        if self._ended:
            raise self._closed()
        for messages in self._codec._row_messages(table, "write_table"):
            for message in messages:
                # The producer of the batches may have closed it.
                if self._ended:
                    raise self._closed()
                self._add(frame(message))

    def flush(self) -> None:
        """Writes the records so far as a block, so that readers of the file see them. Raises as `write` does."""
        if self._ended:
            raise self._closed()
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
        self._places.add(start, self._count)
        self._count = 0
        self._frames.clear()
        self._indexed = False

    def sync(self) -> None:
        """Flushes, and syncs the file (`os.fsync`), so that its records survive a power cut. `close` does not sync.

        Of a new file on a POSIX system the entry in its folder has to be synced, too: `os.fsync` of a descriptor of the folder.
        Raises as `write` does, and `misuse` for a file that is not one of the system.
        """
        self.flush()
        try:
            descriptor = self._file.fileno()
        except (AttributeError, io.UnsupportedOperation):
            raise SamewireError("misuse", text="this file cannot be synced: it is not one of the system") from None
        try:
            os.fsync(descriptor)
        except OSError:
            # The system may have dropped the data, and a second fsync would succeed wrongly.
            self._end()
            raise

    def close(self) -> None:
        """Writes the last block and the index, and closes the file if this writer opened it. Idempotent.

        If the index would exceed `buffered_bytes`, none is written, and readers walk over the blocks. Raises as `write`
        does.
        """
        if self._ended:
            return
        try:
            self.flush()
            index = self._places.index_body(self._position)
            if not self._indexed and len(index) <= self._buffered_bytes:
                self._put(block(Kind.INDEX, index))
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
            head = MAGIC + block(Kind.SCHEMA, self._codec.schema.text.encode())
            if append:
                self._cut_head(head)
            self._put(head)
            return
        if difference := self._codec.schema.difference(found.schema):
            text = f"records of another type are in the file: {difference}; write them to a file of their own"
            raise SamewireError("schema_mismatch", None, difference.path, text)
        self._position = found.end
        self._file.seek(found.end)
        self._file.truncate()
        self._places = found.places
        self._indexed = found.indexed

    def _cut_head(self, head: bytes) -> None:
        """Empties a file that holds only a beginning of this head. Others hold records, even with damaged sizes."""
        self._file.seek(0)
        there = read_up_to(self._file, len(head))
        if not head.startswith(there):
            at = next((at for at, (one, other) in enumerate(zip(there, head, strict=False)) if one != other), len(head))
            text = "the schema's block does not end in the file, and is not what this writer writes: nothing is cut off"
            raise SamewireError("malformed", at, None, f"{text}; is its size damaged, or was it of another type?")
        self._file.seek(0)
        self._file.truncate()

    @staticmethod
    def _closed() -> SamewireError:
        return SamewireError("closed", text="this writer has ended: open the file again with append=True")

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
    # Unbuffered: a block is one write, and a full disk is reported at once.
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
