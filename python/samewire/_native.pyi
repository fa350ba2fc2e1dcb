"""The extension module. Programs import what they need of it from `samewire.pack`, `samewire.redis`, `samewire.bridge`."""

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
    """A parsed schema. Programs use `samewire.pack.Schema`."""

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
    def all_arguments(self) -> list[list[bytes]]: ...
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
        wait: Callable[[bool, float | None], int] | None = None,
    ) -> Self: ...
    def call(
        self, args: tuple[Any, ...], convert: int | Callable[[Any], Any] | None = None, decode: bool | None = None
    ) -> Any: ...
    @overload
    def run(self, pipe: Pipe, transaction: Literal[False] = False) -> list[Any]: ...
    @overload
    def run(self, pipe: Pipe, transaction: Literal[True]) -> tuple[list[tuple[int, Exception]], list[Any] | Exception | None]: ...
    def begin(self, pipe: Pipe) -> None: ...
    def finish(self) -> list[Any]: ...
    def send(self, pipe: Pipe) -> None: ...
    def read(self, timeout: float | None = None, decode: bool | None = None, missing: object = None) -> Any: ...
    def close(self) -> None: ...
    def readable(self) -> bool: ...
    def set_timeout(self, timeout: float | None) -> None: ...
    @property
    def broken(self) -> bool: ...
    @property
    def sent(self) -> int: ...
    @property
    def replied(self) -> int: ...
    @property
    def partial(self) -> list[Any] | None: ...

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
        self,
        args: tuple[Any, ...],
        convert: int | Callable[..., Any] | None = None,
        decode: bool | None = None,
        options: dict[str, Any] | None = None,
    ) -> Future[Any]: ...
    def call(
        self,
        args: tuple[Any, ...],
        convert: int | Callable[..., Any] | None = None,
        decode: bool | None = None,
        options: dict[str, Any] | None = None,
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
    def get_buffer(self, sizehint: int = -1, /) -> bytearray: ...
    def buffer_updated(self, nbytes: int) -> None: ...
    @property
    def submitted(self) -> int: ...
    @property
    def replied(self) -> int: ...
    def expire(self, until: int, error: Callable[[bool], Exception]) -> None: ...
    def lost(self, error: Callable[[bool], Exception]) -> None: ...
    def fail(self, error: Callable[[bool], Exception]) -> None: ...
    def adopt(self, other: Mux) -> None: ...
    @property
    def open(self) -> bool: ...
    @property
    def waiting_bytes(self) -> int: ...
    def __len__(self) -> int: ...

# --- bridge (spec/bridge.md). Programs use `samewire.bridge`; it makes these and gives the hooks. ---

class Session:
    """One session of a gateway: references, sites, classes and channels. Threads may share it.

    dial: `unix:PATH` or `tcp://HOST:PORT`, which the session opens itself, once for each channel; or a callable that
        returns a connected socket (an ssl.SSLSocket is used by its `recv_into` and `sendall`). A refused or absent
        address raises OSError, so that a launcher may try again; a refused hello raises SamewireError.
    token: the gateway's.
    wants: what the client would use: ("shared-memory",) or ().
    waiting: "adaptive", "block", or "spin:20" (microseconds).
    timeout: seconds that a call may wait for its reply; None for ever. After it, the callee is interrupted, the channel
        ends, and SamewireError `timeout` is raised.
    records: names and digests, for the hello.
    hooks: an object with the methods of `samewire.bridge.hooks.Hooks`; each is fetched once.
    """

    def __new__(
        cls,
        dial: str | Callable[[], socket],
        token: bytes,
        *,
        hooks: Any,
        wants: tuple[str, ...] = (),
        waiting: str = "adaptive",
        timeout: float | None = None,
        limits: Limits | None = None,
        records: list[tuple[str, bytes]] = ...,
    ) -> Self: ...
    def describe(self, name: str | int, /) -> ClassInfo | None:
        """The class of that binary name or class number, or None if there is none. Never part of a batch."""
    def adopt(self, number: int, proxy: type, wrap: Callable[[Object], Any] | None = None, /) -> None:
        """Makes `proxy`, a subclass of Object, the class of references of that class number.

        wrap: what a reference that arrives is turned into, if not the Object itself (exceptions).
        """
    def batch(self) -> Batch:
        """Begins a batch of this thread: until it runs or is dropped, calls return a BatchFuture and are kept."""
    def close(self) -> None:
        """Says bye and ends all channels. Calls that wait, and later ones, raise SamewireError `closed`. Not an error twice."""
    def statistics(self) -> dict[str, int]:
        """calls, callbacks, first_calls, batches, channels, exported, references, released, sent_bytes, received_bytes."""
    @property
    def closed(self) -> bool: ...
    @property
    def transport(self) -> str:
        """ "shared-memory", "unix", "tcp", "tls" or "in-process"."""
    @property
    def process(self) -> int:
        """The gateway's process id."""
    timeout: float | None

class Object:
    """A reference to a Java object: the base class of all proxies. Freed, it queues a release; it can be weakly referenced.

    Calling a subclass constructs: `__new__` takes the `Constructor` at `__constructor__` of the class.
    """

    def __new__(cls, *arguments: Any) -> Self: ...
    @property
    def __session__(self) -> Session: ...
    @property
    def __number__(self) -> int: ...

class ClassInfo:
    """A class's description (spec/bridge.md, section 9)."""

    number: int
    name: str
    form: int
    superclass: str
    supertypes: tuple[str, ...]
    functional: str
    inner: tuple[tuple[str, str], ...]
    #: what, flags, name, parameters, result
    members: tuple[tuple[int, int, str, tuple[str, ...], str], ...]

class Method:
    """A method of a class: a descriptor of instances and of the class, with vectorcall.

    owner: the binary name of the class; "" for a receiver that is a BatchFuture.
    instance, static: which of the two overloads of that name are. On the class itself, `Class.m` is the static one, or,
        if there is none, takes the receiver first. Without instance, a receiver is dropped.
    result: the result kind that sites ask for: "", "object", "value", or a pack schema.
    immediate: calls it at once, even in a batch.
    overloads: any object, for documentation.
    """

    def __new__(
        cls,
        session: Session,
        owner: str,
        name: str,
        *,
        instance: bool = True,
        static: bool = False,
        result: str = "",
        immediate: bool = False,
        overloads: Any = None,
    ) -> Self: ...
    def __call__(self, *arguments: Any) -> Any: ...
    def __get__(self, instance: Any, owner: Any = None, /) -> Any: ...
    @property
    def overloads(self) -> Any: ...
    @property
    def owner(self) -> str: ...
    #: `__name__`; `__qualname__`; `__doc__` and `__signature__`, as `hooks.document(method)` and `hooks.signature(method)`
    #: return them. Bound ones have these too, and `__self__`, `__func__`.
    __name__: str
    __signature__: Any

class Field:
    """A field: a data descriptor of instances, or, if static, of the class (`__get__(None, cls)` reads)."""

    def __new__(
        cls, session: Session, owner: str, name: str, *, static: bool = False, final: bool = False, kind: str = ""
    ) -> Self: ...
    def __get__(self, instance: Any, owner: Any = None, /) -> Any: ...
    def __set__(self, instance: Any, value: Any, /) -> None: ...
    @property
    def static(self) -> bool: ...
    @property
    def kind(self) -> str: ...
    __name__: str

class Constructor:
    """Constructs objects of a class."""

    def __new__(cls, session: Session, owner: str, *, overloads: Any = None) -> Self: ...
    def __call__(self, *arguments: Any) -> Any: ...
    @property
    def overloads(self) -> Any: ...

class Value:
    """An argument that is encoded already: a message of the pack schema `kind`."""

    def __new__(cls, kind: str, payload: bytes, /) -> Self: ...

class Peer:
    """A Python object to be passed by reference, with the names of the interfaces that it implements (none: a callable)."""

    def __new__(cls, target: Any, interfaces: tuple[str, ...] = (), /) -> Self: ...

class Record:
    """How instances of a struct class cross: alone, and as a list of nothing else."""

    def __new__(cls, kind: str, engine: Engine, list_kind: str, list_engine: Engine, /) -> Self: ...

class Batch:
    """Calls of one thread that go in one message."""

    def run(self) -> None:
        """Sends the calls, fills their futures, and ends the batch. Raises SamewireError `closed` or `timeout`."""
    def drop(self) -> None:
        """Ends the batch without a call: its futures raise SamewireError `misuse`."""
    def __len__(self) -> int: ...

class BatchFuture:
    """What a call of a batch will return. An argument or a receiver of later calls of the batch; other attributes are
    methods of the result."""

    def result(self) -> Any:
        """What the call returned. Raises what it threw; SamewireError `misuse` before the batch has run."""
    def exception(self) -> BaseException | None: ...
    def done(self) -> bool: ...
    def __getattr__(self, name: str, /) -> Any: ...
