"""Reading record files (spec/records.md, section 3)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Generic, Literal, Self, TypeVar, overload

from samewire._native import FrameScanner, digest_of
from samewire.errors import SamewireError
from samewire.limits import Limits
from samewire.pack.codec import Codec, Decoder, codec
from samewire.pack.generated_types import types_of
from samewire.pack.schema import Schema

from .blocks import Block, BlockScanner, Kind, records_size
from .compression import missing, zstd
from .places import Places, index_of
from .tables import RecordTables
from .walk import schema_of, walk

T = TypeVar("T")

_PIECE = 65_536
#: Limits for splitting a block's body: its size was checked before, and each message is checked when it is decoded.
_WHOLE = Limits(frame_bytes=2**31 - 1, buffered_bytes=2**31 + 8)
_NO_INDEX = (
    "expected an index as the last block, as closing the writer leaves it, got the end of the file: the file was cut off, or its "
    "writer has not closed it; copy it again, or read it without complete=True"
)


class RecordReader(Generic[T]):
    """Reads the records of a file one after another, holding one block at a time.

    >>> with RecordReader("books.records", Book) as books:
    ...     for book in books:
    ...         print(book.id)

    A type that differs from the file's is resolved (spec/pack.md, section 13), once. Without a type, records are of
    classes made from the file's schema.
    """

    @overload
    def __init__(
        self,
        file: str | os.PathLike[str] | BinaryIO,
        kind: type[T] | Codec[T],
        /,
        *,
        growing: bool = ...,
        complete: bool = ...,
        limits: Limits = ...,
    ) -> None: ...
    @overload
    def __init__(
        self: RecordReader[Any],
        file: str | os.PathLike[str] | BinaryIO,
        kind: None = ...,
        /,
        *,
        growing: bool = ...,
        complete: bool = ...,
        limits: Limits = ...,
    ) -> None: ...
    def __init__(
        self,
        file: str | os.PathLike[str] | BinaryIO,
        kind: Any = None,
        /,
        *,
        growing: bool = False,
        complete: bool = False,
        limits: Limits = Limits(),  # noqa: B008 - immutable
    ) -> None:
        """Opens the file and reads its schema.

        file: a path, or a binary file that the caller closes (a pipe, too).
        kind: the type of a record, or its codec, whose limits then hold for messages.
        growing: an incomplete block is not an error. Iteration ends before it; iterate again to continue. A file that
            was opened by its path is then read again from the block's start: its writer may have crashed, and another
            one may have replaced the block. In any other file such a block is `malformed`.
        complete: requires the index that a writer adds when it is closed. After the last record of a file without one,
            which was cut off between two blocks or not closed by its writer, iterating raises `truncated` at the file's
            length. Not together with `growing`.
        limits: `buffered_bytes` bounds a block, the others each message.

        Raises SamewireError `schema_mismatch` with the path if the type cannot be read from the file's; `malformed`,
        `unsupported`, `bad_number`, `limit_size` or `truncated` at the offset in the file for one that is broken; as `codec`
        does for the type; `misuse` for `complete` with `growing`; OSError of the file.
        """
        if complete and growing:
            text = (
                "expected complete=True or growing=True, got both: a file that grows has no index at its end yet; leave one out"
            )
            raise SamewireError("misuse", text=text)
        self._limits = limits
        self._growing = growing
        self._insists = complete
        self._number = 0
        self._skip = 0
        self._error: SamewireError | None = None
        self._messages: Iterator[bytes] = iter(())
        self._complete = False
        self._scanner = BlockScanner(limits)
        self._owned = isinstance(file, str | os.PathLike)
        self._file: BinaryIO = _opened(file) if isinstance(file, str | os.PathLike) else file
        try:
            first = self._block(end_is_error=True)
            assert first is not None
            self._first = first.end
            self.schema: Schema = schema_of(first)
            """The schema that the records were written with."""
            self.kind: Any = types_of(self.schema) if kind is None else kind
            """The type of a record, or its codec, that was given; without one the type made from the schema."""
            self._decoder: Codec[T] | Decoder[T] = _decoder(self.kind, self.schema, limits)
        except BaseException:
            self.close()
            raise

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> T:
        """Returns the next record.

        Raises SamewireError as `Codec.decode` does for a record that is broken (offset and path are those of its message,
        and the text has its number): the next call goes on behind it. Other errors are of the file, with its offset, and
        are raised again by each further call. `closed` after `close`.
        """
        while True:
            for message in self._messages:
                number = self._number
                self._number += 1
                try:
                    digest = digest_of(message)
                    if digest is not None and digest != self.schema.digest:
                        raise SamewireError("schema_mismatch", 1, "$", "it carries the digest of another schema than the file's")
                    return self._decoder.decode(message)
                except SamewireError as error:
                    raise SamewireError(error.code, error.at, error.path, f"record {number}: {error.text}") from None
            if not self._next_block():
                raise StopIteration

    def tables(
        self, *, rows: int = 65_536, time_unit: Literal["us", "ns"] = "us", strings: Literal["utf8", "view"] = "utf8"
    ) -> RecordTables:
        """Returns the records that were not read yet as Arrow columns, in the types of the file's schema (spec/tables.md).

        The result has `__arrow_c_stream__`, for pyarrow, polars, DuckDB and others, and iterates over tables of `rows`
        rows, the last of which may have fewer. It reads the file on demand, and holds one table at a time.

        Raises SamewireError `unsupported` with the path of a type that has no Arrow type, `misuse` for an invalid option. Reading
        raises as `__next__` does; a broken record costs the batch that it is in.
        """
        return RecordTables(self._next_run, self.schema, self._limits, rows, time_unit, strings)

    def _next_run(self, most: int) -> tuple[int, list[bytes]] | None:
        """The next messages, up to `most` of one block, and the number of the first; None at the end of the file."""
        while not (messages := list(islice(self._messages, most))):
            if not self._next_block():
                return None
        self._number += len(messages)
        return self._number - len(messages), messages

    @property
    def complete(self) -> bool:
        """Whether the last read block is an index, as at the end of a file whose writer was closed.

        It is False at the end of a file that is being written, or was cut off between two blocks by a crash or a copy.
        `RecordReader(file, complete=True)` raises there instead."""
        return self._complete

    def count(self) -> int:
        """Returns how many records the whole blocks of the file hold: from its index, or by walking over its blocks.

        Raises SamewireError as `__next__` does, and `misuse` for a file that cannot be sought.
        """
        return self._located().records

    def seek(self, number: int, /) -> None:
        """Moves to the record of this number, from 0; the number of records moves to the end.

        Reads one block. Raises as `count` does, and `misuse` for a number that is not in the file.
        """
        places = self._located()
        if not 0 <= number <= places.records:
            raise SamewireError("misuse", text=f"seek({number}): the file has {places.records} records")
        first = count = 0
        start = self._scanner.at
        # The block of the record; of the number of all records, the last one.
        for start, of_block in places:  # noqa: B007 - both are used behind the loop
            first, count = first + count, of_block
            if number < first + count:
                break
        self._file.seek(start)
        self._scanner = BlockScanner(self._limits, start)
        self._error = None
        self._messages = iter(())
        self._number, self._skip = first, number - first
        if count and (not self._next_block() or self._count != count):
            raise self._dead(SamewireError("malformed", start, None, "the index names a block of records that is not here"))

    def close(self) -> None:
        """Closes the file if this reader opened it."""
        self._messages = iter(())
        if self._error is None:
            self._error = SamewireError("closed", text="this reader was closed")
        if self._owned:
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<RecordReader of {self.schema.text}, at record {self._number}>"

    def _located(self) -> Places:
        """Where each block of records starts, and how many it has. Leaves the file where it was."""
        if self._error is not None:
            raise self._error
        if not self._file.seekable():
            raise SamewireError("misuse", text="this file cannot be sought: it is a pipe; read it from start to end")
        here = self._file.tell()
        try:
            return walk(self._file, self._limits).places
        finally:
            self._file.seek(here)

    def _next_block(self) -> bool:
        """Makes the messages of the next block of records the next ones. Returns False at the end of the file."""
        while (block := self._block(end_is_error=not self._growing)) is not None:
            self._complete = block.kind == Kind.INDEX
            try:
                if block.kind == Kind.INDEX:
                    index_of(block, self._first)
                    continue
                messages = _messages(block, self._limits)
            except SamewireError as error:
                raise self._dead(error) from None
            self._count = len(messages)
            self._number += self._skip
            self._messages = iter(messages[self._skip :])
            self._skip = 0
            return True
        if self._insists and not self._complete:
            raise self._dead(SamewireError("truncated", self._scanner.at, None, _NO_INDEX))
        return False

    def _block(self, *, end_is_error: bool) -> Block | None:
        if self._error is not None:
            raise self._error
        try:
            while (block := self._scanner.next()) is None:
                # On a pipe `read` of a buffered file waits for all bytes, `read1` only for some.
                piece = getattr(self._file, "read1", self._file.read)(_PIECE)
                if piece:
                    self._scanner.feed(piece)
                    continue
                if end_is_error:
                    self._scanner.end()
                self._pause()
                return None
        except SamewireError as error:
            raise self._dead(error) from None
        return block

    def _pause(self) -> None:
        """Checks the incomplete end of a growing file, which may be completed, or replaced, before the next attempt."""
        self._scanner.check_unfinished()
        if self._owned and self._scanner.inside and self._file.seekable():
            self._file.seek(self._scanner.at)
            self._scanner = BlockScanner(self._limits, self._scanner.at)

    def _dead(self, error: SamewireError) -> SamewireError:
        self._error = error
        return error


def _opened(path: str | os.PathLike[str]) -> BinaryIO:
    return Path(path).open("rb", buffering=0)


def _decoder(kind: Any, schema: Schema, limits: Limits) -> Codec[Any] | Decoder[Any]:
    own = kind if isinstance(kind, Codec) else codec(kind, limits=limits)
    return own if own.schema == schema else own.resolve(schema)


def _messages(block: Block, limits: Limits) -> list[bytes]:
    """Cuts a block of records into its messages. Raises SamewireError at its body."""
    count, size, pos = records_size(block)
    frames: bytes | memoryview = memoryview(block.body)[pos:]
    if block.kind == Kind.ZSTD:
        frames = _expanded(block, bytes(frames), size, limits)
    scanner = FrameScanner(_WHOLE)
    scanner.feed(frames)
    try:
        messages = list(scanner)
        scanner.end()
    except SamewireError:
        raise block.malformed("frames that do not end with their block") from None
    if len(messages) != count:
        raise block.malformed(f"{len(messages)} records, {count} announced")
    return messages


def _expanded(block: Block, data: bytes, size: int, limits: Limits) -> bytes:
    if size > limits.buffered_bytes:
        text = f"a block that expands to {size} bytes, limits.buffered_bytes is {limits.buffered_bytes}"
        raise SamewireError("limit_size", block.body_at, None, text)
    found = zstd()
    if found is None:
        raise SamewireError("unsupported", block.start, None, f"this block is compressed: reading zstd {missing()}")
    try:
        return found.expand(data, size)
    except ValueError as error:
        raise block.malformed(f"compressed data: {error}") from None
