"""The extension module. `samewire.pack` is its public face."""

from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any, Self

from _typeshed import ReadableBuffer

from samewire.limits import Limits
from samewire.pack.type import Enum, Struct, Type

class Engine:
    """A compiled type: what `Codec` and `Decoder` inherit their work from."""

    _native_schema: Schema
    def __new__(cls, description: Mapping[str, Any], writer: Schema | None = None, /) -> Self: ...
    def encode(self, value: Any, /) -> bytes: ...
    def decode(self, data: ReadableBuffer, /) -> Any: ...
    def encode_into(self, value: Any, buffer: bytearray, /) -> int: ...
    def encode_chunks(self, value: Any, size: int, /) -> Iterator[bytes]: ...

class FrameScanner:
    """Cuts a stream, fed in pieces of any size, into messages (spec/pack.md, section 14).

    Of the limits `frame_bytes` and `buffered_bytes` hold. After an error the scanner is dead and raises the same error
    again. Iterating answers the whole messages there are; it may be taken up again after `feed`. Made with anything but
    limits it raises SamewireError `misuse`.
    """

    def __new__(cls, limits: Limits | None = None) -> Self: ...
    def feed(self, data: ReadableBuffer) -> None:
        """Takes the next bytes of the stream.

        Raises SamewireError `misuse` after `end`, and the scanner is then as it was.
        """

    def next(self) -> bytes | None:
        """The next whole message, or None if more bytes are needed.

        Raises SamewireError `bad_number`, `malformed` or `limit_size` at the length, counted from the start of the stream.
        """

    def end(self) -> None:
        """Declares the end of the stream. Raises SamewireError `truncated` inside a frame, `misuse` if messages are left."""

    @property
    def buffered(self) -> int:
        """Bytes held for the frame that is not whole yet."""

    def __iter__(self) -> Iterator[bytes]: ...
    def __next__(self) -> bytes: ...

def frame(message: ReadableBuffer) -> bytes:
    """A message as a frame: its length, then itself. Raises SamewireError `misuse` for one without bytes."""

class Schema:
    """A parsed schema. `samewire.pack.Schema` is its public face."""

    text: str
    digest: bytes
    def __new__(cls, text: str, /) -> Self: ...
    def difference(self, other: Schema, /) -> tuple[str, str, str] | None: ...
    def tree(self, classes: ModuleType, /) -> tuple[Type, dict[str, Struct | Enum]]: ...
