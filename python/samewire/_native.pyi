"""The extension module. `samewire.pack` is its public face."""

from asyncio import AbstractEventLoop, Future
from collections.abc import Callable, Iterator, Mapping
from socket import socket
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

# The docstrings of what follows are in the extension: help() shows them.

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
    def feed(self, data: ReadableBuffer | str, off: int = 0, length: int | None = None, /) -> None: ...
    def gets(self, shouldDecode: bool = True, /) -> Any:  # noqa: N803
        """Returns the next reply; `notEnoughData` if it is not complete.

        shouldDecode: False leaves the texts of this reply as bytes.

        Raises what `protocolError` returns if the bytes are not RESP; each later call raises it again. What decoding a
        text, hashing a key or `replyError` raises is raised once the reply is complete, and the next call returns the
        next reply.
        """
    def setmaxbuf(self, maxbuf: int | None, /) -> None: ...
    def getmaxbuf(self) -> int: ...
    def len(self) -> int: ...
    def has_data(self) -> bool: ...
    def set_encoding(self, encoding: str | None = None, errors: str | None = None) -> None: ...

def pack_command(cmd: tuple[Any, ...], /) -> bytes:
    """Returns the bytes of one command.

    cmd: the command's name and arguments: str (written as UTF-8), bytes, bytearray, memoryview, int or float. Any other
    type, bool and None among them, raises TypeError.
    """

#: Conversions of replies that need no call: a status to True if it is OK, an integer to whether it is 1.
OK: int
BOOL: int

class Pipe:
    """A queue of commands, encoded as they are added, for one `Link.run` or `Mux.submit_all`."""
    def append(
        self, args: tuple[Any, ...], convert: int | Callable[[Any], Any] | None = None, decode: bool | None = None
    ) -> None: ...
    @property
    def waiting_bytes(self) -> int: ...
    def clear(self) -> None: ...
    def __len__(self) -> int: ...

class Link:
    """One connection, used by one caller at a time. It writes and reads the socket itself, and reads while it writes, so
    that no number of commands can make client and server wait for each other.

    After an exception other than an error reply the link is `broken`: what is on its way belongs to nobody, and it
    refuses to be used again.
    """
    def __new__(
        cls,
        socket: socket,
        *,
        encoding: str = "utf-8",
        errors: str = "strict",
        decode_responses: bool = False,
        reply_error: Callable[[str], Exception],
        on_push: Callable[[Any], object] | None = None,
        timeout: float | None = None,
        limits: Limits | None = None,
    ) -> Self: ...
    def call(
        self, args: tuple[Any, ...], convert: int | Callable[[Any], Any] | None = None, decode: bool | None = None
    ) -> Any: ...
    def run(self, pipe: Pipe) -> list[Any]: ...
    def send(self, pipe: Pipe) -> None: ...
    def read(self, timeout: float | None = None, decode: bool | None = None) -> Any: ...
    def readable(self) -> bool: ...
    def set_timeout(self, timeout: float | None) -> None: ...
    @property
    def broken(self) -> bool: ...
    @property
    def sent(self) -> int: ...
    @property
    def replied(self) -> int: ...

class Mux:
    """Commands of many callers on one connection, without I/O: what is submitted within one turn of the event loop is
    written at once, and replies go to the callers in the order of their commands. A cancelled call keeps its place.
    """
    def __new__(
        cls,
        loop: AbstractEventLoop,
        *,
        encoding: str = "utf-8",
        errors: str = "strict",
        decode_responses: bool = False,
        reply_error: Callable[[str], Exception],
        on_push: Callable[[Any], object] | None = None,
        limits: Limits | None = None,
    ) -> Self: ...
    def connected(self, write: Callable[[bytes], object]) -> None: ...
    def submit(
        self, args: tuple[Any, ...], convert: int | Callable[[Any], Any] | None = None, decode: bool | None = None
    ) -> Future[Any]: ...
    def submit_all(self, pipe: Pipe) -> list[Future[Any]]: ...
    def send(self, pipe: Pipe) -> None: ...
    def flush(self) -> None: ...
    def data_received(self, data: bytes) -> None: ...
    def lost(self, error: Callable[[bool], Exception]) -> None: ...
    def fail(self, error: Callable[[bool], Exception]) -> None: ...
    def adopt(self, other: Mux) -> None: ...
    @property
    def open(self) -> bool: ...
    @property
    def waiting_bytes(self) -> int: ...
    def __len__(self) -> int: ...
