"""Codecs: a type compiled once, then `encode` and `decode`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, Literal, Self, TypeVar, overload

from samewire._native import Engine
from samewire.errors import SamewireError
from samewire.limits import Limits

from .compiled_type import Options, describe
from .introspect import native_type_of
from .markers import As
from .native_type import NativeType, schema_text
from .profile import Profile

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

    from samewire._native import Table

    from .arrow import ArrowTable
    from .schema import Schema

T = TypeVar("T")


class Decoder(Engine, Generic[T]):
    """Reads messages of another schema as this side's types; made by `Codec.resolve`."""

    __slots__ = ("writer_schema",)

    writer_schema: Schema
    """The schema that the messages were written with."""

    if TYPE_CHECKING:

        def decode(self, data: ReadableBuffer, /) -> T:
            """Returns the value of one whole message. Raises SamewireError with code, offset in bytes and path."""

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
    """Encodes and decodes values of one type. Keeps no state between messages, and stays usable after an error.

    Decoding makes instances without calling their class: it stores the fields where the class keeps them. Code that a
    class defines beside its fields runs as follows. `__post_init__` (`__attrs_post_init__`) is called on every instance.
    A class with its own `__new__` is called with its fields as keywords. `__init__`, converters and validators do not
    run. A user-defined `__setattr__` is called for each field.

    The cyclic garbage collector does not run while a message is decoded; it may run at the next allocation after the
    call. Encoding runs code of the value's classes (properties, iterators) only for values that are not exactly of the
    declared types.

    If memory runs out, everything that grows with a message raises MemoryError, and the codec stays usable. Small
    allocations (error texts, paths, tables of a few entries; some KiB a call) and the scratch buffer for packing one
    list of integers cannot fail in Rust: without memory for those, the process ends (SIGABRT, "memory allocation of n
    bytes failed"). Code of the value's classes that calls codecs recursively gets a RecursionError at the end of the
    thread's stack.
    """

    __slots__ = ("_limits", "_made_of", "_native_type", "_options", "_schema")

    _schema: Schema | None
    _native_type: NativeType
    _limits: Limits
    _options: Options
    _made_of: tuple[Any, dict[str, Any]]
    """The arguments of `codec`."""

    if TYPE_CHECKING:

        def encode(self, value: T, /) -> bytes:
            """Returns the message as bytes.

            Raises SamewireError with the path of the offending value: `type_mismatch`, `bad_utf8` for a lone surrogate,
            `limit_depth`, `limit_size`, `limit_items`.
            """

        def decode(self, data: ReadableBuffer, /) -> T:
            """Returns the value of one whole message. Raises SamewireError with code, offset in bytes and path."""

        def encode_into(self, value: T, buffer: bytearray, /) -> int:
            """Appends the message to `buffer` and returns the message's length in bytes.

            Raises as `encode` does; `buffer` is then unchanged.
            """

        def encode_chunks(self, value: T, size: int, /) -> Iterator[bytes]:
            """Returns an iterator over the message in chunks of `size` bytes; the last may be shorter.

            Raises as `encode` does, and `misuse` for a size below 1 or beyond 64 bits.
            """

        def table(
            self, data: ReadableBuffer, /, *, time_unit: Literal["us", "ns"] = "us", strings: Literal["utf8", "view"] = "utf8"
        ) -> Table:
            """Returns one whole message, of a list of structs, as Arrow columns, for pyarrow, pandas, polars, DuckDB and others.

            No object is made for a row (spec/tables.md). time_unit: of times, timestamps and durations.
            strings: plain strings, or string views, which store a repeated text once.

            Raises as `decode` does; SamewireError `unsupported` with the path of a type that has no Arrow type,
            `type_mismatch` for a value that its Arrow type cannot hold.
            """

        def encode_table(self, table: ArrowTable, /) -> bytes:
            """Returns the message of a list of all rows of a table of Arrow columns (spec/tables.md, section 3).

            No object is made for a row or a value: the bytes are those of `encode` for the same values. table: of
            pyarrow (also a reader of batches), pandas, polars, DuckDB, or any object with `__arrow_c_stream__` or
            `__arrow_c_array__`. Its columns have the names of the fields, in any order. The GIL is released meanwhile.

            Raises SamewireError `schema_mismatch` for a column that is missing or one too many; `type_mismatch`, with row and path,
            for a value that its field cannot hold and for a null where the field is not optional, with `[]` for a column of another
            type; `bad_utf8`; `unsupported` as `table` does; and as `encode` does. OSError if the table's producer fails.
            """

    @classmethod
    def _compiled(cls, native_type: NativeType, limits: Limits, options: Options, made_of: tuple[Any, dict[str, Any]]) -> Self:
        try:
            codec = cls.__new__(cls, describe(native_type, schema_text(native_type, annotations=True), limits, options))
        except SamewireError as error:
            # The schema text is generated: only a name can be invalid in it, and the user has never seen its offsets.
            if error.code == "malformed":
                raise SamewireError("misuse", text=error.text) from None
            if error.code in ("limit_depth", "limit_size", "limit_items"):
                raise SamewireError(error.code, 0, text=error.text) from None
            raise
        codec._schema = None
        codec._native_type = native_type
        codec._limits = limits
        codec._options = options
        codec._made_of = made_of
        return codec

    def __init__(self, *_: object) -> None:
        """Codecs come from the function `codec`."""

    def _with_digest(self) -> Codec[T]:
        """This codec, writing the schema's digest into each message's header."""
        return self if self._options.digest else self._with(digest=True)

    def _bare(self) -> Codec[T]:
        """This codec without digest and check, for messages in places where the schema is known."""
        bare = not (self._options.digest or self._options.check)
        return self if bare else self._with(digest=False, check=False)

    def _with(self, **changed: bool) -> Codec[T]:
        kind, options = self._made_of
        made_of = kind, {**options, **changed}
        return self._compiled(self._native_type, self._limits, replace(self._options, **changed), made_of)  # type: ignore[arg-type]

    @property
    def schema(self) -> Schema:
        """The type's schema: canonical text, digest and types."""
        if self._schema is None:
            from .schema import Schema

            self._schema = Schema(self._native_schema)
        return self._schema

    @property
    def digest(self) -> bytes:
        """The schema's digest, eight bytes."""
        return self._native_schema.digest

    def resolve(self, writer: str | bytes | Schema) -> Decoder[T]:
        """Returns a decoder for messages that another schema wrote (spec/pack.md, section 13).

        Raises SamewireError `schema_mismatch` with the path of the first difference that no rule covers, and as
        `Schema.parse` does for text.
        """
        from .schema import Schema

        schema = writer if isinstance(writer, Schema) else Schema.parse(writer)
        description = describe(self._native_type, self._native_schema, self._limits, self._options)
        return Decoder[T]._of(description, schema)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the arguments of `codec`: another process compiles the type again, from its own classes."""
        return _of_arguments, self._made_of

    def __repr__(self) -> str:
        return f"<Codec of {self._native_schema.text}>"


def _of_arguments(kind: Any, options: Mapping[str, Any]) -> Codec[Any]:
    return codec(kind, **options)


@overload
def codec(
    kind: type[T],
    /,
    *,
    profile: Profile | str = ...,
    digest: bool = ...,
    check: bool = ...,
    require_digest: bool = ...,
    sort_keys: bool = ...,
    limits: Limits = ...,
    gc: bool = ...,
    times: Literal["exact", "truncate"] = ...,
    strict: bool = ...,
    adapters: Mapping[type[Any], As] | None = ...,
    namespace: Mapping[str, Any] | None = ...,
) -> Codec[T]: ...
@overload
def codec(
    kind: Any,
    /,
    *,
    profile: Profile | str = ...,
    digest: bool = ...,
    check: bool = ...,
    require_digest: bool = ...,
    sort_keys: bool = ...,
    limits: Limits = ...,
    gc: bool = ...,
    times: Literal["exact", "truncate"] = ...,
    strict: bool = ...,
    adapters: Mapping[type[Any], As] | None = ...,
    namespace: Mapping[str, Any] | None = ...,
) -> Codec[Any]: ...
def codec(
    kind: Any,
    /,
    *,
    profile: Profile | str = Profile.COMPACT,
    digest: bool = False,
    check: bool = True,
    require_digest: bool = False,
    sort_keys: bool = False,
    limits: Limits = Limits(),  # noqa: B008 - immutable
    gc: bool = True,
    times: Literal["exact", "truncate"] = "exact",
    strict: bool = False,
    adapters: Mapping[type[Any], As] | None = None,
    namespace: Mapping[str, Any] | None = None,
) -> Codec[Any]:
    """Compiles a type and returns its codec. Make a codec once and keep it. Pickled, it is compiled again where it is loaded.

    Python types and their schema types (spec/pack.md, section 1):

    - `bool`, `float`, `str`, `bytes` (`bytearray`, `memoryview`), `Decimal`, `UUID`: bool, f64, string, bytes, decimal,
      uuid; `Annotated[float, pack.F32]`: f32. `int`: i64; `Annotated[int, pack.I32]` and its like: the other integers;
      `pack.BIGINT`: bigint, up to 4,096 bytes.
    - `date`, `time` (naive), `datetime` (aware; the instant is kept, the zone is not: decoding returns UTC), `timedelta`:
      date, time, timestamp, duration, in microseconds. `Annotated[int, pack.TIMESTAMP]` (`TIME`, `DURATION`): the same
      in nanoseconds.
    - dataclasses, `NamedTuple`, `TypedDict`, `msgspec.Struct`, attrs classes: struct. `Annotated[S, pack.REF]`: ref.
      An instance of a subclass is written as the declared class; one with further fields, which would be lost, is refused.
      A generic class keeps its own name; if a type uses it with arguments of several types on the wire, they are named
      `Box_i64` and so on.
    - a union of struct classes: union (of one: `Annotated[S, pack.UNION]`); `T | None`: option; `Enum` and its
      subclasses: enum, by the names of the members.
    - `list`, `tuple[T, ...]`, `deque`, `Sequence`, `Collection`, `Iterable`: list; `tuple[A, B]`: tuple; `set`,
      `frozenset`, `Set`: set; `dict`, `OrderedDict`, `defaultdict`, `Counter`, `Mapping`: map. Abstract classes are
      decoded as list, set and dict; a `deque` has no `maxlen`; a `defaultdict` makes its defaults by the declared class
      of its values if that is a container or a number.
    - `Annotated[array.array, pack.F64]`, `Annotated[memoryview, pack.F64]` (a view of the message if it is aligned),
      `numpy.typing.NDArray[numpy.float64]`, and those of the other numbers: list of numbers.
    - paths (`pathlib`) and IP addresses (`ipaddress`): string. Other classes: `Annotated[Money, pack.As(int, Money.cents,
      Money)]`, or `adapters`.
    - `Literal`: the type of its values; another value is refused, written and read, also in a union.
    - `Any`, `object`, `dict` and `list` without arguments, unions of other types: any. It holds None, bool, int, float,
      str, bytes, list, dict (keys all str, or all int of 64 bits), the times, `Decimal`, `UUID` and arrays of numbers.

    profile: "compact" (default) for the smallest messages, "fast" for the shortest time; every codec reads both.
    digest: write the schema's digest into each message's header (8 bytes) instead of the check; readers compare it, and
        `digest_of` and a store of schemas find the writer's schema by it. Use it if types may change, and for stored
        messages.
    check: write the first two bytes of the digest into each message's header, unless the digest itself is written.
        Readers compare them: a message of another type is refused with `schema_mismatch`, except for one in 65,536.
        Without both, a message does not identify its schema: after a change of the type a reader may return wrong
        values without an error, for example if two fields of one type are swapped. Pass False only if the schema is
        known otherwise.
    require_digest: refuse messages that carry no digest, with `schema_mismatch` at 0.
    sort_keys: write maps, also those in an `Any`, in ascending order of their keys, the order of sets (spec/pack.md, section 8):
        equal dicts then give equal bytes, independent of the order in which their entries were added. Sorting may take several times
        as long as writing. `encode_table` keeps the table's order. Readers accept any order.
    limits: bounds on messages, read and written.
    gc: pass False only if no part of a decoded value will ever become part of a reference cycle. The collector then does
        not track its instances, lists, tuples and dicts: large values decode faster and cost no collection, but a cycle
        through such a part is never freed.
    times: how a decoded time with nanoseconds (as of Java's `Instant.now()`) is read as `time`, `datetime` or
        `timedelta`: "exact" (default) refuses it with `type_mismatch`, "truncate" drops the part below a microsecond.
    strict: refuse, with `unsupported`, a type that would be an `any` without an explicit `Any`: containers without
        arguments, unions of anything but structs, fields and variables without a type. An `any` costs more bytes and
        time, and its schema does not describe its content.
    adapters: how classes without a schema are written, in all places: `{Money: pack.As(int, Money.cents, Money)}`.
    namespace: names for forward references that their module does not know (classes inside functions).

    Raises SamewireError `unsupported` or `misuse` for a type that has no schema; `limit_depth`, `limit_size` or
    `limit_items` at 0 for a type whose schema text exceeds its limits (spec/limits.md); `misuse` for an invalid option.
    """
    arguments = {
        "profile": profile,
        "digest": digest,
        "check": check,
        "require_digest": require_digest,
        "sort_keys": sort_keys,
        "limits": limits,
        "gc": gc,
        "times": times,
        "strict": strict,
        "adapters": adapters,
        "namespace": namespace,
    }
    if profile not in tuple(Profile):
        raise SamewireError("misuse", text=f"profile={profile!r}: expected {' or '.join(map(repr, map(str, Profile)))}")
    if not isinstance(limits, Limits):
        raise SamewireError("misuse", text=f"limits={limits!r}: expected a pack.Limits")
    flags = {
        "digest": digest,
        "check": check,
        "require_digest": require_digest,
        "sort_keys": sort_keys,
        "gc": gc,
        "strict": strict,
    }
    for name, flag in flags.items():
        if not isinstance(flag, bool):
            raise SamewireError("misuse", text=f"{name}={flag!r}: expected True or False")
    if times not in ("exact", "truncate"):
        raise SamewireError("misuse", text=f"times={times!r}: expected 'exact' or 'truncate'")
    _check_adapters(adapters)
    if not isinstance(namespace, Mapping | None):
        raise SamewireError("misuse", text=f"namespace={namespace!r}: expected a mapping of names to types")
    options = Options(Profile(profile), digest, check, require_digest, gc, times == "truncate", sort_keys)
    native_type = native_type_of(kind, namespace, strict=strict, adapters=adapters)
    return Codec[Any]._compiled(native_type, limits, options, (kind, arguments))


def _check_adapters(adapters: object) -> None:
    known = adapters is None or (isinstance(adapters, Mapping) and all(isinstance(one, As) for one in adapters.values()))
    if not known:
        raise SamewireError("misuse", text=f"adapters={adapters!r}: expected a mapping of classes to pack.As(...)")
