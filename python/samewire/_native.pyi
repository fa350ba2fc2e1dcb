"""The extension module. `samewire.pack` is its public face."""

from asyncio import AbstractEventLoop, Future
from collections.abc import Callable, Iterator, Mapping
from socket import socket
from types import ModuleType
from typing import Any, Generic, Literal, Self, TypeVar, overload

from _typeshed import ReadableBuffer

from samewire.limits import Limits
from samewire.pack.type import Enum, Struct, Type

_Function = TypeVar("_Function", bound=Callable[..., Any])

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

def pack_command(cmd: tuple[Any, ...], /) -> bytes: ...
def key_slot(key: str | ReadableBuffer) -> int: ...

#: Conversions of replies that need no call: the reply as it is, a status to True if it is OK, an integer to whether it is 1.
KEEP: int
OK: int
BOOL: int

class Command(Generic[_Function]):
    __wrapped__: _Function
    def __new__(cls, name: str | bytes, arity: int, function: _Function, /) -> Self: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

def command(name: str | bytes, arity: int) -> Callable[[_Function], _Function]: ...

class Pipe:
    #: Conversions by command name in upper case: callables, `OK`, `BOOL`. They are looked up when commands are sent.
    callbacks: Mapping[str, int | Callable[..., Any]] | None
    #: The function that the class must have as `execute_command` for a `Command` to encode at once, without calling it.
    #: None (the default) for never; so it becomes when the instance is given an `execute_command` of its own.
    direct: Callable[..., Any] | None
    def __new__(cls, *args: Any, **kwargs: Any) -> Self: ...
    def append(
        self,
        args: tuple[Any, ...],
        convert: int | Callable[..., Any] | None = None,
        decode: bool | None = None,
        options: dict[str, Any] | None = None,
    ) -> None: ...
    def arguments(self, index: int) -> list[bytes]: ...
    @property
    def waiting_bytes(self) -> int: ...
    def clear(self) -> None: ...
    def __len__(self) -> int: ...

class Link:
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
    @overload
    def run(self, pipe: Pipe, transaction: Literal[False] = False) -> list[Any]: ...
    @overload
    def run(self, pipe: Pipe, transaction: Literal[True]) -> tuple[list[tuple[int, Exception]], list[Any] | Exception | None]: ...
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
    def run(self, pipe: Pipe, transaction: bool = False) -> Future[Any]: ...
    def pause(self) -> None: ...
    def resume(self) -> None: ...
    @property
    def full(self) -> bool: ...
    def room(self) -> Future[None]: ...
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
