"""The extension module. `samewire.pack` is its public face."""

from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any, Self

from _typeshed import ReadableBuffer

from samewire.limits import Limits
from samewire.pack.type import Enum, Struct, Type

class Engine:
    """A compiled type: the base class of `Codec` and `Decoder`."""

    _native_schema: Schema
    def __new__(cls, description: Mapping[str, Any], writer: Schema | None = None, /) -> Self: ...
    def encode(self, value: Any, /) -> bytes: ...
    def decode(self, data: ReadableBuffer, /) -> Any: ...
    def encode_into(self, value: Any, buffer: bytearray, /) -> int: ...
    def encode_chunks(self, value: Any, size: int, /) -> Iterator[bytes]: ...

class FrameScanner:
    """Cuts a stream, fed in chunks of any size, into messages (spec/pack.md, section 14).

    Keeps to `frame_bytes` and `buffered_bytes` of the limits; raises SamewireError `misuse` for anything but Limits.
    After an error the scanner raises the same error again. Iterating yields the complete messages; iterate again after
    the next `feed`.
    """

    def __new__(cls, limits: Limits | None = None) -> Self: ...
    def feed(self, data: ReadableBuffer) -> None:
        """Adds the next bytes of the stream.

        Raises SamewireError `misuse` after `end`; the scanner is then unchanged.
        """

    def next(self) -> bytes | None:
        """Returns the next complete message, or None if more bytes are needed.

        Raises SamewireError `bad_number`, `malformed` or `limit_size` at the length, counted from the start of the stream.
        """

    def end(self) -> None:
        """Ends the stream. Raises SamewireError `truncated` inside a frame, `misuse` if complete messages are left."""

    @property
    def buffered(self) -> int:
        """Bytes buffered for the incomplete frame."""

    def __iter__(self) -> Iterator[bytes]: ...
    def __next__(self) -> bytes: ...

def frame(message: ReadableBuffer) -> bytes:
    """Returns a message as a frame: its length, then its bytes. Raises SamewireError `misuse` for an empty message."""

class Schema:
    """A parsed schema. `samewire.pack.Schema` is its public face."""

    text: str
    digest: bytes
    def __new__(cls, text: str, /) -> Self: ...
    def difference(self, other: Schema, /) -> tuple[str, str, str] | None: ...
    def tree(self, classes: ModuleType, /) -> tuple[Type, dict[str, Struct | Enum]]: ...
