"""The extension module. Programs import what they need of it from `samewire.pack`, `samewire.redis`, `samewire.bridge`."""

from asyncio import AbstractEventLoop, Future
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from socket import socket
from types import ModuleType
from typing import Any, Generic, Literal, Self, TypeVar, overload

from _typeshed import ReadableBuffer

from samewire.limits import Limits
from samewire.pack.arrow import ArrowTable
from samewire.pack.type import Enum, Struct, Type

_Function = TypeVar("_Function", bound=Callable[..., Any])
_Result = TypeVar("_Result")

class Engine:
    """A compiled type: the base class of `Codec` and `Decoder`."""

    _native_schema: Schema
    def __new__(cls, description: Mapping[str, Any], writer: Schema | None = None, /) -> Self: ...
    def encode(self, value: Any, /) -> bytes: ...
    def decode(self, data: ReadableBuffer, /) -> Any: ...
    def encode_into(self, value: Any, buffer: bytearray, /) -> int: ...
    def encode_chunks(self, value: Any, size: int, /) -> Iterator[bytes]: ...
    def table(
        self, data: ReadableBuffer, /, *, time_unit: Literal["us", "ns"] = "us", strings: Literal["utf8", "view"] = "utf8"
    ) -> Table: ...
    def encode_table(self, table: ArrowTable, /) -> bytes: ...
    def _row_messages(self, table: ArrowTable, method: str, /) -> Iterator[list[bytes]]: ...

class Table:
    """Rows as Arrow columns (spec/tables.md): pyarrow, pandas, polars, DuckDB and others take it as it is.

    It holds the columns; its consumers share them.
    """

    @property
    def column_names(self) -> list[str]:
        """The names of the columns, in order."""

    def __len__(self) -> int:
        """Returns the number of rows."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Returns a capsule of an `ArrowArrayStream`. The table's own types stay, independent of what is requested."""

    def __arrow_c_schema__(self) -> object:
        """Returns a capsule of an `ArrowSchema`: a struct of the columns."""

class RowTables:
    """Gathers messages that are a row each; `samewire.pack.RecordReader.tables` uses it."""

    def __new__(cls, schema: Schema, limits: Limits, time_unit: str, strings: str, /) -> Self: ...
    def extend(self, messages: list[bytes], number: int, /) -> None: ...
    def take(self) -> Table: ...
    def stream(self, tables: Iterator[Table], /) -> object: ...
    def schema(self) -> object: ...
    def __len__(self) -> int: ...

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

def digest_of(message: ReadableBuffer, /) -> bytes | None:
    """Returns the digest of the schema that a message was written with, eight bytes, or None if the message carries none.

    A check is none. It is what `Schema.digest` is for that schema. Only the message's first nine bytes are looked at.

    Raises SamewireError `truncated` for a message that ends before the digest does, `unsupported` for one of another
    version.
    """

class Schema:
    """A parsed schema. Programs use `samewire.pack.Schema`."""

    text: str
    annotated: str
    digest: bytes
    def __new__(cls, text: str, /) -> Self: ...
    def adopted(self, reader: Schema, /) -> Schema: ...
    def mismatch(self, writer: Schema, /) -> tuple[str, str] | None: ...
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
def run_steps(steps: Generator[Any, Any, _Result], /) -> _Result:
    """Sends each thing that a generator yields back to it, and returns what the generator returns.

    No bytecode but the generator's own runs meanwhile: what a handler of signals raises is raised in the generator.
    """

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
    def extend(self, other: Pipe, /) -> None:
        """Adds the commands of another pipe, which keeps them."""
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

# --- bridge (spec/bridge.md). Programs use `samewire.bridge`. ---

def start_jvm(library: str, options: Sequence[str]) -> None:
    """Loads the library of a JVM, and starts it. Raises SamewireError `misuse` if this process has one."""

def start_gateway(arguments: Sequence[str], token: bytes) -> None:
    """Starts the gateway of the JVM of this process; the first argument is the path of its socket. One that it had ends."""

def has_jvm() -> bool:
    """Whether this process has a JVM of samewire's."""

def stop_jvm(seconds: float) -> None:
    """Runs Java's shutdown hooks, for so many seconds at most. Calls raise SamewireError `closed` from then on."""

class Session:
    """One session of a gateway: references, sites, classes and channels. Threads may share it.

    address: `unix:PATH`, or host and port.
    stream: opens a channel's connection instead (TLS): returns a connected socket, used by its `recv_into` and `sendall`.
    waiting: "adaptive", "block", or ("spin", microseconds).
    timeout: seconds that a call may wait for its reply; None for no limit.
    records: names and digests, for the hello.
    launched: with the path of the socket as address, the ends of the pipes that a gateway was started with: descriptors to read and to
        write of its control channel, and of its first call channel. They are removed from the list as the session takes them.
    patience: seconds that the gateway may take to take the session; default 10.

    Raises OSError if it cannot connect, SamewireError if the gateway refuses.
    """

    #: Makes the class of references whose class the session meets for the first time.
    on_class: Callable[[ClassInfo], type[Object]]
    #: The exception to raise for a throw: what arrived (None: nothing), type, code, message, trace.
    on_throw: Callable[[Any, str, str, str | None, str], BaseException]
    #: What to throw for an exception that leaves a callback: the Java exception that it stands for, type, message, trace.
    on_raise: Callable[[BaseException], tuple[Object | None, str, str | None, str]]
    #: How a value of a class that the extension does not know crosses.
    convert: Callable[[Any], Any]
    #: Reads a message of a pack schema.
    decode: Callable[[str, bytes], Any]
    #: `__doc__` and `__signature__` of methods, by their `overloads`.
    document: Callable[[Any], str | None]
    signature: Callable[[Any], Any]
    #: Numbers of the classes met so far, with their Python classes. `build_class` may add to it.
    classes: dict[int, type[Object]]
    timeout: float | None
    def __new__(
        cls,
        address: str | tuple[str, int],
        token: bytes,
        *,
        limits: Limits | None = None,
        blob_bytes: int = 2_147_483_639,
        shared_memory: bool = True,
        waiting: str | tuple[str, int] = "adaptive",
        stream: Callable[[], socket] | None = None,
        records: Sequence[tuple[str, bytes]] = (),
        timeout: float | None = None,
        launched: list[int] | None = None,
        patience: float | None = None,
    ) -> Self: ...
    def describe(self, name: str | int, /) -> ClassInfo | None: ...
    def call(self, action: int, class_name: str, member: str, args: tuple[Any, ...], result: str = "") -> Any: ...
    def batch(self) -> Batch: ...
    def interrupt(self, thread: int, /) -> bool: ...
    def close(self) -> None: ...
    def callbacks_ended(self, seconds: float, /) -> bool: ...
    def statistics(self) -> dict[str, int]: ...
    @property
    def closed(self) -> bool: ...
    @property
    def transport(self) -> str: ...
    @property
    def gateway_process(self) -> int: ...

class Object:
    __java_session__: Session
    __java_number__: int
    __java_class__: int
    def __new__(cls, *arguments: Any) -> Self: ...

class Throwable(Exception):
    """The base class of Java's exceptions."""

    java: Any
    #: What the throw said; missing if it was not thrown.
    _message: str | None
    #: Whether `__cause__` is what it is to be.
    _cause_known: bool

class ClassInfo:
    """A class's description (spec/bridge.md, section 9)."""

    number: int
    name: str
    form: int
    superclass: str
    supertypes: Sequence[str]
    functional: str
    inner: Sequence[tuple[str, str]]
    #: what, flags, name, parameters, result
    members: Sequence[tuple[int, int, str, Sequence[str], str]]

class _Callable:
    overloads: Any
    __name__: str
    __signature__: Any
    def __call__(self, *arguments: Any) -> Any: ...
    def returning(self, kind: str, decode: Callable[[bytes], Any] | None = None) -> Self:
        """Returns this callable with another kind of result: "object", "value", "list<i32>", a pack schema."""
    def immediately(self) -> Self:
        """Returns this callable, called at once even in a batch."""
    def postponed(self) -> Self:
        """Returns this callable, sent with the thread's next call if it returns nothing and no argument is an object.

        It is not made if no other call follows. What it throws is raised by the next call, which may have been made. For calls whose
        effect only later calls of the same thread can see.
        """

class Method(_Callable):
    """A method of instances, the receiver first; a descriptor. mixed: overloads of that name are static too."""

    def __new__(cls, session: Session, class_name: str, name: str, mixed: bool = False) -> Self: ...
    @overload
    def __get__(self, instance: None, owner: Any = None, /) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: Any = None, /) -> Callable[..., Any]: ...

class StaticMethod(_Callable):
    """A static method; no descriptor."""

    def __new__(cls, session: Session, class_name: str, name: str) -> Self: ...

class Constructor(_Callable):
    """Constructs objects of a class."""

    def __new__(cls, session: Session, class_name: str) -> Self: ...

class Field:
    """A field: a data descriptor. A static one reads through the class too."""

    __name__: str
    def __new__(cls, session: Session, class_name: str, name: str, static: bool = False) -> Self: ...
    def __get__(self, instance: Any, owner: Any = None, /) -> Any: ...
    def __set__(self, instance: Any, value: Any, /) -> None: ...
    def assign(self, value: Any, /) -> None:
        """Sets a static field."""

class Value:
    """An argument that is encoded already: a message of the pack schema `kind`, or the bytes of a kind of the bridge's own."""

    def __new__(cls, kind: str, payload: bytes, keeps: object = None) -> Self: ...

class Peer:
    """A Python object to be passed by reference; a callable, or one that implements interfaces."""

    def __new__(cls, target: Any, interfaces: Sequence[str] = ()) -> Self: ...

class Function:
    """A callable as the abstract method of interfaces, called by these names alone. Java gives the callable back, not this."""

    function: Any
    def __new__(cls, function: Any, methods: Sequence[str]) -> Self: ...

class Batch:
    """Calls of one thread that go in one message."""

    def run(self) -> None: ...
    def drop(self) -> None: ...
    def __len__(self) -> int: ...

class BatchFuture:
    """What a call of a batch will return. Its other attributes are methods of that, called in the batch."""

    def result(self) -> Any: ...
    def exception(self) -> BaseException | None: ...
    def done(self) -> bool: ...
    def __getattr__(self, name: str, /) -> Callable[..., BatchFuture]: ...

def subclass_check(metaclass: type, otherwise: Callable[[Any, Any], bool], /) -> Callable[[Any, Any], bool]:
    """A `__subclasscheck__` that decides for classes made from one another, and calls `otherwise` for others."""

def same(a: Object, b: Object, /) -> bool:
    """Whether two proxies are of the same reference."""
