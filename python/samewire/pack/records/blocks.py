"""The blocks of a record file, written and read without I/O (spec/records.md, sections 1 to 3)."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from samewire.errors import SamewireError
from samewire.limits import Limits

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

VERSION: Final = 1
MAGIC: Final = b"\x89SWR\r\n\x1a" + bytes([VERSION])
#: The longest size before a body, and the bytes of a block beside its size and body: kind and checksum.
SIZE_BYTES: Final = 5
CHECKSUM_BYTES: Final = 4
#: An index ends with the offset of its block; the checksum follows.
INDEX_TAIL_BYTES: Final = 8 + CHECKSUM_BYTES


class Kind(IntEnum):
    """The first byte of a block."""

    SCHEMA = 1
    RECORDS = 2
    ZSTD = 3
    INDEX = 4


@dataclass(frozen=True, slots=True)
class Block:
    """A block whose checksum is right.

    start, body_at, end: where it starts, where its body starts and where it ends, in bytes from the start of the file.
    """

    kind: Kind
    start: int
    body_at: int
    end: int
    body: bytes

    def malformed(self, text: str) -> SamewireError:
        """The error of an invalid body."""
        return SamewireError("malformed", self.body_at, None, text)


def varint(value: int) -> bytes:
    """Returns LEB128 in its shortest form."""
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def read_varint(data: ReadableBuffer, pos: int, at: int, bits: int = 31) -> tuple[int, int] | None:
    """Returns a number below 2^bits and the position behind it, or None if the data end inside it.

    at: the offset of `pos` in the file, for errors. Raises SamewireError `bad_number` for a number that is not in its
    shortest form or too large.
    """
    view = memoryview(data)
    value = shift = 0
    for place in range(pos, min(pos + -(-bits // 7), len(view))):
        byte = view[place]
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            if (byte == 0 and shift > 7) or value >> bits:
                raise SamewireError("bad_number", at, None, f"expected a number below 2^{bits} in its shortest form")
            return value, place + 1
    if len(view) - pos >= -(-bits // 7):
        raise SamewireError("bad_number", at, None, f"expected a number below 2^{bits} in its shortest form")
    return None


def block(kind: Kind, body: ReadableBuffer) -> bytes:
    """Returns a whole block: kind, size, body and checksum."""
    head = bytes([kind]) + varint(memoryview(body).nbytes)
    checksum = zlib.crc32(body, zlib.crc32(head))
    return b"".join((head, body, checksum.to_bytes(CHECKSUM_BYTES, "little")))


def _number(body: bytes, pos: int, bits: int = 31) -> tuple[int, int]:
    found = read_varint(body, pos, 0, bits)
    if found is None:
        raise SamewireError("malformed")
    return found


def records_size(found: Block) -> tuple[int, int, int]:
    """Returns how many records a block of records announces, the bytes of their frames, and where in the body data start.

    Raises SamewireError `malformed`.
    """
    try:
        count, pos = _number(found.body, 0)
        size = len(found.body) - pos
        if found.kind == Kind.ZSTD:
            size, pos = _number(found.body, pos)
    except SamewireError:
        raise found.malformed("a block of records without its numbers") from None
    if count == 0:
        raise found.malformed("a block of no records")
    return count, size, pos


def can_begin(kind: int, size: int, body: ReadableBuffer) -> bool:
    """Returns whether a block of this kind and size can have a body that starts like this.

    If not, its size is damaged, since an unfinished block is the beginning of a whole one. Compressed data are not
    checked.
    """
    view = memoryview(body)[:size]
    try:
        if kind == Kind.RECORDS:
            return _frames_fill(size, view)
        return kind != Kind.INDEX or _index_fills(size, view)
    except SamewireError:
        return False


def _frames_fill(size: int, body: memoryview) -> bool:
    if (found := read_varint(body, 0, 0)) is None:
        return True
    count, pos = found
    for _ in range(count):
        if (found := read_varint(body, pos, 0)) is None:
            return True
        pos = sum(found)
        if found[0] == 0 or pos > size:
            return False
        if pos > len(body):
            return True
    return count > 0 and pos == size


def _index_fills(size: int, body: memoryview) -> bool:
    if (found := read_varint(body, 0, 0)) is None:
        return True
    number, pos = found
    for _ in range(number):
        for bits in (64, 31):
            if (found := read_varint(body, pos, 0, bits)) is None:
                return True
            pos = found[1]
    return pos + 8 == size


class BlockScanner:
    """Cuts a record file, fed in chunks of any size, into blocks whose checksum is right.

    Holds at most one unfinished block. After an error it raises the same error again.
    """

    __slots__ = ("_at", "_buffer", "_error", "_limits", "_magic")

    def __init__(self, limits: Limits, at: int = 0) -> None:
        """limits: `buffered_bytes` bounds the size of a body. at: the offset of the first fed byte in the file."""
        self._limits = limits
        self._at = at
        self._buffer = bytearray()
        self._magic = at == 0
        self._error: SamewireError | None = None

    @property
    def at(self) -> int:
        """Where the next block starts, in bytes from the start of the file."""
        return self._at

    def feed(self, data: ReadableBuffer) -> None:
        """Adds the next bytes of the file."""
        self._buffer += data

    def next(self) -> Block | None:
        """Returns the next block, or None if more bytes are needed.

        Raises SamewireError `malformed`, `unsupported`, `bad_number` or `limit_size` with the offset in the file.
        """
        if self._error is not None:
            raise self._error
        try:
            return self._next()
        except SamewireError as error:
            self._error = error
            raise

    def end(self) -> None:
        """Declares the end of the file. Raises SamewireError `truncated` inside a block, and as `check_unfinished` does."""
        self.check_unfinished()
        if self._buffer or self._magic or self._at == len(MAGIC):
            end = self._at + len(self._buffer)
            what = "its last block" if self._at > len(MAGIC) else "its schema"
            text = f"the file ends within {what}: it was cut off, or its writer is still at work (growing=True waits for it)"
            self._error = SamewireError("truncated", end, None, text)
            raise self._error

    def check_unfinished(self) -> None:
        """Checks that the buffered bytes can be the beginning of a block, at the end of a file that may grow.

        One wrong bit in a size makes all blocks after it look like one unfinished block: raises SamewireError
        `malformed` at a damaged size.
        """
        if self._error is not None:
            raise self._error
        data = self._buffer
        if self._magic or not data:
            return
        try:
            found = read_varint(data, 1, 0)
        except SamewireError:
            return
        if found is None:
            return
        size, body = found
        if can_begin(data[0], size, bytes(data[body : body + size])):
            return
        text = (
            f"a block of {size} bytes that are not in the file, and what is there cannot begin such a block: its size is damaged"
        )
        self._error = SamewireError("malformed", self._at + 1, None, text)
        raise self._error

    @property
    def inside(self) -> bool:
        """Whether a part of the next block is buffered."""
        return bool(self._buffer)

    def _next(self) -> Block | None:
        if self._magic and not self._take_magic():
            return None
        data = self._buffer
        if not data:
            return None
        kind = data[0]
        if kind not in Kind._value2member_map_:
            text = f"a block of kind {kind}: a newer version wrote this file"
            raise SamewireError("unsupported", self._at, None, text if kind else self._zeros())
        if (kind == Kind.SCHEMA) != (self._at == len(MAGIC)):
            raise SamewireError("malformed", self._at, None, "expected the schema as the first block, and nowhere else")
        found = read_varint(data, 1, self._at + 1)
        if found is None:
            return None
        size, body_at = found
        if size > self._limits.buffered_bytes:
            text = f"a block of {size} bytes, limits.buffered_bytes is {self._limits.buffered_bytes}"
            raise SamewireError("limit_size", self._at + 1, None, text)
        end = body_at + size + CHECKSUM_BYTES
        if len(data) < end:
            return None
        if zlib.crc32(memoryview(data)[: end - CHECKSUM_BYTES]) != int.from_bytes(data[end - CHECKSUM_BYTES : end], "little"):
            text = "the checksum differs: bytes were changed"
            if not any(data[end - CHECKSUM_BYTES : end]):
                text = "the checksum is zero: the power may have failed before the block had reached the disk"
            raise SamewireError("malformed", self._at + end - CHECKSUM_BYTES, None, text)
        body = bytes(memoryview(data)[body_at : end - CHECKSUM_BYTES])
        block = Block(Kind(kind), self._at, self._at + body_at, self._at + end, body)
        del data[:end]
        self._at += end
        return block

    def _zeros(self) -> str:
        what = "zeros where a block starts, as a power cut leaves them behind the last block that reached the disk"
        return f"{what}: cut the file to {self._at} bytes to go on"

    def _take_magic(self) -> bool:
        for at, (byte, expected) in enumerate(zip(self._buffer, MAGIC, strict=False)):
            if byte != expected and at == len(MAGIC) - 1:
                text = f"a record file of version {byte}; this library reads version {VERSION}: update it"
                raise SamewireError("unsupported", at, None, text)
            if byte != expected:
                raise SamewireError("malformed", at, None, _not_a_file(bytes(self._buffer[:8])))
        if len(self._buffer) < len(MAGIC):
            return False
        del self._buffer[: len(MAGIC)]
        self._at = len(MAGIC)
        self._magic = False
        return True


def _not_a_file(start: bytes) -> str:
    if start[:1] == MAGIC[:1]:
        return "expected a record file; its line ends were changed: copy it as binary"
    if start.lstrip()[:1] in (b"{", b"["):
        shown = start.decode("utf-8", "replace")
        return f"expected a record file, this looks like JSON: {shown!r}; `samewire pack` makes one of it"
    if start[:2] == b"\x1f\x8b":
        return "expected a record file, this is compressed by gzip: open it by gzip.open first"
    if start[0] & 0x80:
        return f"expected a record file, this may be a single message: {start.hex(' ')}"
    return f"expected a record file, it starts with {start.hex(' ')}"
