"""Codecs: a type compiled once, then `encode` and `decode`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, overload

from samewire._native import Engine
from samewire.errors import SamewireError
from samewire.limits import Limits

from .compiled_type import Options, describe
from .introspect import native_type_of
from .native_type import NativeType, schema_text
from .profile import Profile

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

    from .schema import Schema

T = TypeVar("T")


class Decoder(Engine, Generic[T]):
    """Reads the messages of another schema into this side's types (`Codec.resolve`)."""

    __slots__ = ("writer_schema",)

    writer_schema: Schema
    """The schema that the messages are written with."""

    if TYPE_CHECKING:

        def decode(self, data: ReadableBuffer, /) -> T:
            """The value of one whole message. Raises SamewireError with code, offset in bytes and path."""

    @classmethod
    def _of(cls, description: Mapping[str, Any], writer: Schema) -> Self:
        decoder = cls.__new__(cls, description, writer._native)
        decoder.writer_schema = writer
        return decoder

    def __init__(self, *_: object) -> None:
        """Decoders come from `Codec.resolve`."""

    def __repr__(self) -> str:
        return f"<Decoder of messages of {self.writer_schema.text}>"


class Codec(Engine, Generic[T]):
    """A type's codec. It holds no state between messages and may be used again after an error.

    Decoding makes instances without calling their class: fields are put where the class keeps them. What a class
    defines beside its fields runs as follows: `__post_init__` (`__attrs_post_init__`) is called on every instance; a
    class with a `__new__` of its own is called with its fields as keywords; `__init__`, converters and validators do not
    run; a `__setattr__` that is not the library's own is called for each field.

    While a message is decoded the cyclic garbage collector is held off; it takes its turn at the next allocation after
    the call. Where that is due, the value's containers are in its second generation already (CPython 3.11). Encoding runs
    code of the value's classes (properties, iterators) only for values that are not exactly of the declared types.

    Where memory runs out, whatever grows with a message raises MemoryError, and the codec works as before. What does not grow
    (the texts of errors, paths, tables of a few entries; below some KiB a call) cannot fail in Rust, nor can the working memory
    for packing one list of integers: where there is no memory even for those, Rust ends the process (SIGABRT, "memory allocation
    of n bytes failed"). Code of the value's classes that calls codecs again and again gets a RecursionError at the end of the
    thread's stack.
    """

    __slots__ = ("_limits", "_native_type", "_options", "_schema")

    _schema: Schema | None
    _native_type: NativeType
    _limits: Limits
    _options: Options

    if TYPE_CHECKING:

        def encode(self, value: T, /) -> bytes:
            """The message as bytes.

            Raises SamewireError with the path of what is at fault: `type_mismatch`, `bad_utf8` for a lone surrogate, `limit_depth`,
            `limit_size`.
            """

        def decode(self, data: ReadableBuffer, /) -> T:
            """The value of one whole message. Raises SamewireError with code, offset in bytes and path."""

        def encode_into(self, value: T, buffer: bytearray, /) -> int:
            """Appends the message to `buffer` and answers its length in bytes.

            Raises as `encode` does, and then nothing is appended.
            """

        def encode_chunks(self, value: T, size: int, /) -> Iterator[bytes]:
            """The message in pieces of `size` bytes (the last may be shorter), each made when it is asked for.

            Raises as `encode` does, and `misuse` for a size below 1 or beyond 64 bits.
            """

    @classmethod
    def _of(cls, kind: Any, limits: Limits, options: Options, namespace: Mapping[str, Any] | None) -> Self:
        native_type = native_type_of(kind, namespace)
        try:
            codec = cls.__new__(cls, describe(native_type, schema_text(native_type), limits, options))
        except SamewireError as error:
            # The text is ours: what cannot stand in it is the type's name or a field's, and a place in it says nothing.
            if error.code == "malformed":
                raise SamewireError("misuse", text=error.text) from None
            if error.code in ("limit_depth", "limit_size", "limit_items"):
                raise SamewireError(error.code, 0, text=error.text) from None
            raise
        codec._schema = None
        codec._native_type = native_type
        codec._limits = limits
        codec._options = options
        return codec

    def __init__(self, *_: object) -> None:
        """Codecs come from the function `codec`."""

    @property
    def schema(self) -> Schema:
        """The schema of the messages: canonical text, digest and types."""
        if self._schema is None:
            from .schema import Schema

            self._schema = Schema(self._native_schema)
        return self._schema

    @property
    def digest(self) -> bytes:
        """The schema's digest, eight bytes."""
        return self._native_schema.digest

    def resolve(self, writer: str | bytes | Schema) -> Decoder[T]:
        """A decoder for messages written with another schema (spec/pack.md, section 13).

        Raises SamewireError `schema_mismatch` with the path of the first difference that no rule covers.
        """
        from .schema import Schema

        schema = writer if isinstance(writer, Schema) else Schema.parse(writer)
        description = describe(self._native_type, self._native_schema, self._limits, self._options)
        return Decoder[T]._of(description, schema)

    def __repr__(self) -> str:
        return f"<Codec of {self._native_schema.text}>"


@overload
def codec(
    kind: type[T],
    /,
    *,
    profile: Profile | str = ...,
    digest: bool = ...,
    limits: Limits = ...,
    gc: bool = ...,
    namespace: Mapping[str, Any] | None = ...,
) -> Codec[T]: ...
@overload
def codec(
    kind: Any,
    /,
    *,
    profile: Profile | str = ...,
    digest: bool = ...,
    limits: Limits = ...,
    gc: bool = ...,
    namespace: Mapping[str, Any] | None = ...,
) -> Codec[Any]: ...
def codec(
    kind: Any,
    /,
    *,
    profile: Profile | str = Profile.COMPACT,
    digest: bool = False,
    limits: Limits = Limits(),  # noqa: B008 - immutable
    gc: bool = True,
    namespace: Mapping[str, Any] | None = None,
) -> Codec[Any]:
    """Compiles a type. Do it once and keep the codec.

    Types, and theirs in the schema (spec/pack.md, section 1):

    - `bool`, `float`, `str`, `bytes` (`bytearray`, `memoryview`), `Decimal`, `UUID`: bool, f64, string, bytes, decimal,
      uuid; `Annotated[float, pack.F32]`: f32. `int` is i64; `Annotated[int, pack.I32]` and its like the other integers,
      `pack.BIGINT` those of any size up to 4,096 bytes.
    - `date`, `time` (without a zone), `datetime` (with one; the instant is kept, the zone is not: it comes back in UTC),
      `timedelta`: date, time, timestamp, duration, in microseconds. `Annotated[int, pack.TIMESTAMP]` (`TIME`, `DURATION`):
      the same as nanoseconds.
    - dataclasses, `NamedTuple`, `TypedDict`, `msgspec.Struct`, attrs classes: struct. `Annotated[S, pack.REF]`: ref.
      A generic class is called by its own name, or, where it stands with several sets of arguments, `Box_i64` and
      the like.
    - a union of struct classes: union (of one: `Annotated[S, pack.UNION]`); `T | None`: option; `Enum` and its subclasses:
      enum, by the names of the members.
    - `list`, `tuple[T, ...]`, `deque`, `Sequence`, `Collection`, `Iterable`: list; `tuple[A, B]`: tuple; `set`,
      `frozenset`, `Set`: set; `dict`, `OrderedDict`, `defaultdict`, `Counter`, `Mapping`: map. The abstract ones are read
      as list, set and dict; a `deque` has no `maxlen`; the default of a `defaultdict` is made by the declared class of its
      values, where that is a container or a number.
    - `Annotated[array.array, pack.F64]`, `Annotated[memoryview, pack.F64]` (a view of the message where it is aligned),
      `numpy.typing.NDArray[numpy.float64]`, and those of the other numbers: list of numbers.
    - `Any`, `object`, `dict` and `list` without arguments, unions of other types: any. It holds None, bool, int, float, str,
      bytes, list, dict (keys all str, or all int of 64 bits), the times, `Decimal`, `UUID` and arrays of numbers.

    profile: "compact" (default) for the smallest bytes, "fast" for the shortest time; every codec reads both.
    digest: put the schema's digest into each message's header, to be compared on reading.
    limits: bounds on messages, read and written.
    gc: False says that no part of a decoded value will ever become part of a reference cycle, and leaves its records,
        lists, tuples and dicts out of the collector's sight: large values decode and live cheaper, but a cycle through
        such a part is never freed.
    namespace: names for forward references that their module does not know (classes inside functions).

    Raises SamewireError `unsupported` or `misuse` for a type that has no schema; `limit_depth`, `limit_size` or `limit_items` at 0
    for one that is too much for a schema text (spec/limits.md); `misuse` for an option that is none.
    """
    if profile not in tuple(Profile):
        raise SamewireError("misuse", text=f"profile={profile!r}: expected {' or '.join(map(repr, map(str, Profile)))}")
    if not isinstance(limits, Limits):
        raise SamewireError("misuse", text=f"limits={limits!r}: expected a pack.Limits")
    for name, flag in (("digest", digest), ("gc", gc)):
        if not isinstance(flag, bool):
            raise SamewireError("misuse", text=f"{name}={flag!r}: expected True or False")
    if not isinstance(namespace, Mapping | None):
        raise SamewireError("misuse", text=f"namespace={namespace!r}: expected a mapping of names to types")
    options = Options(Profile(profile), digest, gc)
    return Codec[Any]._of(kind, limits, options, namespace)
