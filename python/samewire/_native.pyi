"""The extension module. `samewire.pack` is its public face."""

from collections.abc import Callable, Iterator, Mapping
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

class Reader:
    """Reads replies of RESP2 and RESP3 from bytes that come in pieces of any size; drop-in for `hiredis.Reader`.

    protocolError: called with a text when the bytes are not RESP or exceed a limit; what it returns is raised.
    replyError: called with the text of an error reply; what it returns takes the reply's place.
    encoding, errors: how texts are decoded; None leaves them as bytes.
    notEnoughData: what `gets` returns while no reply is complete.
    convertSetsToLists: False makes sets of RESP3 `set` objects, whose elements must be hashable.
    limits: `depth`, `items`, `cells` and `frame_bytes` hold for each reply.
    """

    def __new__(
        cls,
        protocolError: Callable[[str], Exception] | None = None,  # noqa: N803
        replyError: Callable[[str], object] | None = None,  # noqa: N803
        encoding: str | None = None,
        errors: str | None = None,
        notEnoughData: object = None,  # noqa: N803
        convertSetsToLists: bool = True,  # noqa: N803
        limits: Limits | None = None,
    ) -> Self: ...
    def feed(self, data: ReadableBuffer | str, off: int = 0, length: int | None = None, /) -> None:
        """Adds bytes: all of `data`, or `length` bytes of it from `off` on."""

    def gets(self, shouldDecode: bool = True, /) -> Any:  # noqa: N803
        """Returns the next reply; `notEnoughData` if it is not complete.

        shouldDecode: False leaves the texts of this reply as bytes.

        Raises what `protocolError` returns if the bytes are not RESP; each later call raises it again. What decoding a
        text, hashing a key or `replyError` raises is raised once the reply is complete, and the next call returns the
        next reply.
        """

    def setmaxbuf(self, maxbuf: int | None, /) -> None:
        """Bytes that an idle reader keeps room for; None restores the default."""

    def getmaxbuf(self) -> int:
        """What `setmaxbuf` set."""

    def len(self) -> int:
        """Bytes fed that no reply was made of yet."""

    def has_data(self) -> bool:
        """Whether there are such bytes."""

    def set_encoding(self, encoding: str | None = None, errors: str | None = None) -> None:
        """Changes how texts are decoded from the next reply on. Raises LookupError for one that there is not."""

def pack_command(cmd: tuple[Any, ...], /) -> bytes:
    """Returns the bytes of one command.

    cmd: the command's name and arguments: str (written as UTF-8), bytes, bytearray, memoryview, int or float. Any other
    type, bool and None among them, raises TypeError.
    """
