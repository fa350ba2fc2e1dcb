"""Native types of Python types: what `Annotated[int, pack.I32] | None` and the like mean on the wire."""

from __future__ import annotations

import array
import collections
import collections.abc
import datetime
import decimal
import enum
import functools
import re
import sys
import types
import typing
import uuid
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, Final, Literal, TypeVar

from samewire.errors import SamewireError

from .adapters import distinct, each, entries, one_of, one_of_union, standard, unless_null
from .markers import FALLBACK, REF, SYMBOLS_ATTRIBUTE, UNION, Alias, As, Form, Name, Wire, aliases_of, fallback_of, name_of
from .names import INTEGERS, KEY_SCALARS, utf16_order
from .native_type import (
    Adapted,
    Enum,
    Field,
    List,
    ListForm,
    Map,
    NativeType,
    Option,
    Ref,
    Scalar,
    Set,
    Struct,
    Tuple,
    Union,
    parts,
    schema_text,
)
from .struct_class import Declared, Untyped, declaration, generic_model, is_struct_class, standard_of_pydantic

#: Deeper nesting has no schema text (section 2 allows 64); the bound keeps native recursion small.
_DEEPEST: Final = 100

_PLAIN: Final[dict[Any, Scalar]] = {
    bool: Scalar("bool"),
    int: Scalar("i64"),
    float: Scalar("f64"),
    str: Scalar("string"),
    bytes: Scalar("bytes"),
    bytearray: Scalar("bytes", "bytearray"),
    memoryview: Scalar("bytes", "memoryview"),
    decimal.Decimal: Scalar("decimal"),
    uuid.UUID: Scalar("uuid"),
    datetime.date: Scalar("date"),
    datetime.time: Scalar("time"),
    datetime.datetime: Scalar("timestamp"),
    datetime.timedelta: Scalar("duration"),
    Any: Scalar("any"),
    object: Scalar("any"),
    dict: Scalar("any"),
}

_LISTS: Final = (
    list,
    collections.abc.Sequence,
    collections.abc.MutableSequence,
    collections.abc.Collection,
    collections.abc.Iterable,
)
_DICTS: Final = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
_SETS: Final = (set, collections.abc.Set, collections.abc.MutableSet)
#: Classes that a defaultdict may call to make a missing value.
_FACTORIES: Final = (list, dict, set, frozenset, tuple, collections.deque, int, float, str, bytes, bool)
_NUMBERS: Final = frozenset((*INTEGERS, "f32", "f64"))
#: numpy's `kind` and item size to the element's type.
_NUMPY: Final = {
    **{("i", 1 << n): f"i{8 << n}" for n in range(4)},
    **{("u", 1 << n): f"u{8 << n}" for n in range(4)},
    ("f", 4): "f32",
    ("f", 8): "f64",
}


class Introspector:
    """Converts the Python types of one codec.

    namespace: resolves names in annotations that their module does not have.
    strict: refuses a type that would become an `any` without an explicit `Any`.
    adapters: how classes are written, which need no mark then.
    """

    def __init__(
        self,
        namespace: Mapping[str, Any] | None = None,
        *,
        strict: bool = False,
        adapters: Mapping[type[Any], As] | None = None,
    ) -> None:
        self.namespace = dict(namespace or {})
        self.strict = strict
        self.adapters = dict(adapters or {})
        self.classes: dict[str, type] = {}
        self.made: dict[Any, Struct | Enum] = {}
        self.names: dict[str, Any] = {}
        self.variables: dict[Any, Any] = {}
        self.generics: dict[type, list[Struct]] = {}
        self.twins: list[tuple[Struct, Struct]] = []
        self.depth = 0
        self.trail: list[str] = []
        self.told: SamewireError | None = None

    def settle_names(self) -> None:
        """Gives a generic class whose uses are one struct on the wire its own name, as in the other languages.

        Arguments of one type on the wire, as `str` and `Path`, make one struct."""
        for cls, structs in self.generics.items():
            if len({struct.name for struct in structs}) == 1 and name_of(cls) not in self.names:
                self.names[name_of(cls)] = structs[0]
                for struct in structs:
                    struct.name = name_of(cls)
        for one, other in self.twins:
            if schema_text(one, annotations=True) != schema_text(other, annotations=True):
                raise _namesakes(one.name)

    def convert(self, kind: Any) -> NativeType:
        """The native type of a Python type. Raises SamewireError `unsupported` (no mapping) or `misuse` (not allowed there)."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise SamewireError(
                "limit_depth", 0, text="the type is nested over 64 deep: nest fewer, or use any for the inner types"
            )
        try:
            return self._convert(kind, ())
        finally:
            self.depth -= 1

    def _convert(self, kind: Any, marks: tuple[Any, ...]) -> NativeType:
        while True:
            if isinstance(kind, str | typing.ForwardRef):
                kind = self._named(kind)
            elif isinstance(kind, TypeVar):
                kind = self.variables.get(kind, kind.__bound__ or Untyped)
            elif isinstance(kind, typing.NewType):
                kind = kind.__supertype__
            elif type(kind).__name__ == "TypeAliasType":
                kind = kind.__value__
            elif type(typing.get_origin(kind)).__name__ == "TypeAliasType":
                kind = _without_alias(typing.get_origin(kind), typing.get_args(kind))
            elif typing.get_origin(kind) is Annotated:
                kind, *more = typing.get_args(kind)
                marks = (*marks, *(mark for mark in more if isinstance(mark, Wire | Form | As)))
            elif typing.get_origin(kind) in (typing.Final, typing.ClassVar, typing.Required, typing.NotRequired):
                (kind,) = typing.get_args(kind)
            else:
                break
        origin, arguments = typing.get_origin(kind), typing.get_args(kind)
        if origin is typing.Union or origin is types.UnionType:
            return self._union(arguments, marks)
        if marks:
            return self._marked(kind, origin, arguments, marks)
        if origin is Literal:
            return self._literal(arguments)
        if origin is not None:
            return self._generic(kind, origin, arguments)
        return self._class(kind)

    def _named(self, name: str | typing.ForwardRef) -> Any:
        text = name if isinstance(name, str) else name.__forward_arg__
        holder = types.SimpleNamespace(__annotations__={"it": text})
        try:
            return typing.get_type_hints(holder, dict(vars(typing)), {**self.classes, **self.namespace}, include_extras=True)[
                "it"
            ]
        except NameError as error:
            raise SamewireError("misuse", text=f"{error}: pass namespace={{...}} to codec()") from None

    def _class(self, kind: Any) -> NativeType:
        try:
            adapter, plain = self.adapters.get(kind) or standard(kind), _PLAIN.get(kind)
        except TypeError:
            adapter, plain = None, None
        if adapter is not None:
            return self._adapted(kind, adapter)
        if plain is not None:
            if plain == Scalar("any") and kind not in (Any, object):
                return self._any(kind)
            return plain
        if isinstance(kind, type) and issubclass(kind, enum.Enum):
            return self._enum(kind)
        if is_struct_class(kind):
            return self._struct(kind, kind, ())
        if kind is Untyped:
            return self._any("a field without a type")
        if kind is tuple:
            return List(self._any(kind), "tuple")
        if kind in _LISTS:
            return List(self._any(kind))
        if kind is collections.deque:
            return List(self._any(kind), cast=collections.deque)
        if kind is array.array or getattr(kind, "__module__", "") == "numpy":
            raise SamewireError("unsupported", text=f"{kind!r}: say which numbers, as in Annotated[array.array, pack.F64]")
        if type(kind).__name__ == "PydanticRecursiveRef":
            text = "a generic model that holds itself has no resolved type in pydantic: declare the fields in a class that is not generic"
            raise SamewireError("unsupported", text=text)
        if not isinstance(kind, type):
            raise SamewireError("unsupported", text=f"expected a type, got the value {kind!r:.60}")
        date = standard_of_pydantic(kind)
        if date is not None:
            return _PLAIN[date]
        text = f"{kind!r} has no type on the wire"
        if kind.__module__.startswith("pydantic."):
            text += f": say how it is written, as in adapters={{{kind.__name__}: pack.As(str, encode, decode)}}"
        elif "__annotations__" in vars(kind):
            text += ": make it a dataclass (or a NamedTuple, TypedDict, msgspec.Struct or attrs class)"
        raise SamewireError("unsupported", text=text)

    def _marked(self, kind: Any, origin: Any, arguments: tuple[Any, ...], marks: tuple[Any, ...]) -> NativeType:
        if FALLBACK in marks and UNION in marks:
            struct = self._marked(kind, origin, arguments, (UNION,))
            return Union(struct.members, struct.members[0].name) if isinstance(struct, Union) else struct
        if FALLBACK in marks:
            raise SamewireError("misuse", text=f"{kind!r} is marked as a fallback: expected it in a union")
        if len(marks) != 1:
            raise SamewireError("misuse", text=f"{kind!r} carries {len(marks)} marks: expected one")
        (mark,) = marks
        if isinstance(mark, As):
            return self._adapted(kind, mark)
        if isinstance(mark, Form):
            struct = self._class(kind) if origin is None else self._generic(kind, origin, arguments)
            if not isinstance(struct, Struct):
                raise SamewireError("misuse", text=f"{mark} stands beside {kind!r}: expected a struct class")
            return Ref(struct) if mark is REF else Union((struct,))
        word = mark.kind
        if kind is int and (word in INTEGERS or word == "bigint"):
            return Scalar(word)
        if kind is int and word in ("timestamp", "time", "duration"):
            return Scalar(word, "int")
        if kind is float and word in ("f32", "f64"):
            return Scalar(word)
        if word in _NUMBERS and kind is array.array:
            return List(Scalar(word), "array")
        if word in _NUMBERS and kind is memoryview:
            return List(Scalar(word), "memoryview")
        raise SamewireError("misuse", text=f"pack.{word.upper()} does not go with {kind!r}")

    def _adapted(self, kind: Any, adapter: As) -> NativeType:
        # An adapter may write a class as the same class: it must not be applied again.
        outer = self.adapters
        self.adapters = {cls: other for cls, other in outer.items() if cls is not kind}
        try:
            item = self.convert(adapter.wire)
        finally:
            self.adapters = outer
        if _holds_null(item) or item == Scalar("bool"):
            raise SamewireError("misuse", text=f"{kind!r} cannot be written as {adapter.wire!r}: not as bool, Any or an optional")
        cls = kind if isinstance(kind, type) else typing.get_origin(kind)
        encode, decode = adapter.encode, adapter.decode
        if isinstance(item, Adapted):
            inner = item
            item = inner.item

            def encode(value: Any) -> Any:
                return inner.encode(adapter.encode(value))

            def decode(value: Any) -> Any:
                return adapter.decode(inner.decode(value))

        return Adapted(item, encode, decode, cls if isinstance(cls, type) else None)

    def _list(self, item: NativeType, form: ListForm = "list", cast: Callable[[Any], Any] | None = None) -> NativeType:
        """A list. If items are written together, as numbers or columns, all of them are adapted first."""
        if isinstance(item, Adapted) and _stands_together(item.item):
            made = cast or (tuple if form == "tuple" else list)
            return Adapted(List(item.item), each(item.encode, list), each(item.decode, made), None)
        return List(item, form, cast=cast)

    def _set(self, item: Any, frozen: bool) -> NativeType:
        key = self._key(item)
        if isinstance(key, Adapted):
            made = frozenset if frozen else set
            return Adapted(Set(key.item, frozen), distinct(key.encode), each(key.decode, made), None)
        return Set(key, frozen)

    def _map(self, keys: Any, values: Any, cast: Callable[[Any], Any] | None = None) -> NativeType:
        """A map. Its keys are written together, too."""
        key, value = self._key(keys), self.convert(values)
        if not (isinstance(key, Adapted) or (isinstance(value, Adapted) and _stands_together(value.item))):
            return Map(key, value, cast)
        of_key = (key.encode, key.decode) if isinstance(key, Adapted) else None
        of_value = (value.encode, value.decode) if isinstance(value, Adapted) else None
        plain = Map(key.item if isinstance(key, Adapted) else key, value.item if isinstance(value, Adapted) else value)
        encode, decode = (entries(of_key and of_key[way], of_value and of_value[way]) for way in (0, 1))
        return Adapted(plain, encode, decode if cast is None else lambda read: cast(decode(read)), None)

    def _any(self, kind: Any) -> Scalar:
        """An `any` without an explicit `Any`."""
        if self.strict:
            what = kind if isinstance(kind, str) else getattr(kind, "__name__", None) or repr(kind)
            text = f"{what} would be an `any`, and strict=True refuses that: say which types it holds, or write Any if it may hold every kind"
            raise SamewireError("unsupported", text=text)
        return Scalar("any")

    def _literal(self, values: tuple[Any, ...]) -> NativeType:
        classes = {type(value) for value in values}
        nullable = type(None) in classes
        classes.discard(type(None))
        if len(classes) != 1:
            whole = self._any(f"a Literal of {len(classes)} classes" if classes else "Literal[None]")
            return self._checked(whole, (Literal[values],))
        (only,) = classes
        item = _PLAIN[only] if only in (str, int, bool, bytes) else self.convert(only)
        if only is not bool:
            check = one_of(tuple(value for value in values if value is not None), only)
            item = Adapted(item, check, check, None)
        return Option(item) if nullable else item

    def _union(self, arguments: tuple[Any, ...], marks: tuple[Any, ...]) -> NativeType:
        rest = [kind for kind in arguments if kind is not type(None)]
        nullable = len(rest) < len(arguments)
        if len(rest) == 1:
            item = self._convert(rest[0], marks)
        elif any(mark is not UNION for mark in marks):
            raise SamewireError("misuse", text=f"{marks[0]} stands beside a union: expected one type")
        else:
            plain = [_without_fallback(kind) for kind in rest]
            marked = [kind for kind, bare in zip(rest, plain, strict=True) if kind is not bare]
            rest = plain
            members = [self._convert(kind, ()) for kind in rest if self._is_struct(kind)]
            whole = len(members) == len(rest) and all(
                isinstance(member, Struct) and member.kind != "typeddict" for member in members
            )
            if not whole:
                self._check_any(rest)
            fallback = self._fallback([self._convert(_without_fallback(kind), ()) for kind in marked]) if whole else None
            structs = tuple(member for member in members if isinstance(member, Struct))
            if whole:
                _check_classes(structs)
            item = Union(structs, fallback) if whole else self._checked(self._any(typing.Union[arguments]), arguments)  # noqa: UP007
        return _with_null(item) if nullable else item

    def _checked(self, item: NativeType, kinds: tuple[Any, ...]) -> NativeType:
        """An `any` of these types. If there is a Literal among them, each value is compared with all of them."""
        kinds = tuple(self._plain(kind) for kind in kinds)
        if not any(typing.get_origin(kind) is Literal for kind in kinds):
            return item
        check = one_of_union(kinds)
        return Adapted(item, check, check, None)

    def _plain(self, kind: Any) -> Any:
        """A type without the names and marks around it."""
        while True:
            if isinstance(kind, str | typing.ForwardRef):
                kind = self._named(kind)
            elif isinstance(kind, typing.NewType):
                kind = kind.__supertype__
            elif type(kind).__name__ == "TypeAliasType":
                kind = kind.__value__
            elif typing.get_origin(kind) is Annotated:
                (kind, *_) = typing.get_args(kind)
            else:
                return kind

    def _check_any(self, kinds: Iterable[Any]) -> None:
        """A union with other types than structs is an `any`: its parts must be types that an `any` holds."""
        for kind in kinds:
            while isinstance(kind, typing.NewType):
                kind = kind.__supertype__
            origin = typing.get_origin(kind)
            if origin is Annotated:
                kind, *marks = typing.get_args(kind)
                if any(isinstance(mark, As) for mark in marks):
                    raise SamewireError("unsupported", text=_in_any(kind, "values that an adapter writes"))
                self._check_any((kind,))
                continue
            cls = origin or kind
            if is_struct_class(cls) and not typing.is_typeddict(cls):
                text = (
                    f"{cls.__qualname__} stands in a union beside other types: expected struct classes alone, or a field for each"
                )
                raise SamewireError("unsupported", text=text)
            if isinstance(cls, type) and issubclass(cls, enum.Enum | set | frozenset):
                raise SamewireError("unsupported", text=_in_any(kind, "enums and no sets"))
            if isinstance(kind, type) and origin is None and (self.adapters.get(kind) or standard(kind)) is not None:
                raise SamewireError("unsupported", text=_in_any(kind, "values that are written as another type"))

    def _fallback(self, marked: list[NativeType]) -> str | None:
        """The name of a union's fallback class."""
        names = [struct.name for struct in marked if isinstance(struct, Struct)]
        if len(names) > 1:
            raise SamewireError("misuse", text=f"{' and '.join(names)} are both the fallback of a union: expected one")
        return names[0] if names else None

    def _is_struct(self, kind: Any) -> bool:
        if isinstance(kind, str | typing.ForwardRef):
            kind = self._named(kind)
        return is_struct_class(typing.get_origin(kind) or kind)

    def _generic(self, kind: Any, origin: Any, arguments: tuple[Any, ...]) -> NativeType:
        if origin in _LISTS:
            return self._list(self.convert(arguments[0]))
        if origin is collections.deque:
            return self._list(self.convert(arguments[0]), cast=collections.deque)
        if origin is tuple:
            if len(arguments) == 2 and arguments[1] is Ellipsis:
                return self._list(self.convert(arguments[0]), "tuple")
            if not arguments or len(arguments) > 255:
                raise SamewireError("unsupported", text="a tuple has 1 to 255 values")
            return Tuple(tuple(self.convert(argument) for argument in arguments))
        if origin in _SETS or origin is frozenset:
            return self._set(arguments[0], origin is frozenset)
        if origin in _DICTS:
            return self._map(arguments[0], arguments[1])
        if origin is collections.OrderedDict:
            return self._map(arguments[0], arguments[1], collections.OrderedDict)
        if origin is collections.defaultdict:
            return self._map(arguments[0], arguments[1], _defaulting(arguments[1]))
        if origin is collections.Counter:
            return self._map(arguments[0], int, collections.Counter)
        if is_struct_class(origin):
            return self._struct(kind, origin, arguments)
        numpy = sys.modules.get("numpy")
        if numpy is not None and origin is numpy.ndarray:
            element = (typing.get_args(arguments[1]) or (None,))[0] if len(arguments) == 2 else None
            if isinstance(element, type) and issubclass(element, numpy.generic):
                dtype = numpy.dtype(element)
                if (word := _NUMPY.get((dtype.kind, dtype.itemsize))) is not None:
                    return List(Scalar(word), "numpy")
        raise SamewireError("unsupported", text=f"{kind!r} has no type on the wire")

    def _key(self, kind: Any) -> NativeType:
        key = self.convert(kind)
        written = key.item if isinstance(key, Adapted) else key
        if isinstance(written, Enum) or (isinstance(written, Scalar) and written.kind in KEY_SCALARS):
            return key
        raise SamewireError(
            "misuse", text=f"{kind!r} cannot be a key: elements of sets and keys of dicts are exact, immutable scalars"
        )

    def _claim(self, name: str, key: Any, generic: type | None = None) -> None:
        """Takes a name for a type. Uses of one generic class may share it; `settle_names` compares them."""
        known = self.names.setdefault(name, key)
        if known is key:
            return
        if generic is None or known not in self.generics.get(generic, ()):
            raise _namesakes(name)
        self.twins.append((known, key))

    def _enum(self, cls: type[enum.Enum]) -> Enum:
        made = self.made.get(cls)
        if isinstance(made, Enum):
            return made
        name = name_of(cls)
        if issubclass(cls, enum.Flag):
            raise SamewireError(
                "unsupported",
                text=f"{name} is an enum.Flag: its values are combinations, and an enum holds one symbol; "
                "declare Annotated[int, pack.U32] or the like, and make one of the other where the value is used",
            )
        self._claim(name, cls)
        symbols: dict[str, str] = vars(cls).get(SYMBOLS_ATTRIBUTE, {})
        members = {symbols.get(member.name, member.name): member for member in cls}
        if not members or len(members) < len(cls):
            raise SamewireError("misuse", text=f"enum {name}: no members, or two of one symbol")
        members = dict(sorted(members.items(), key=lambda item: utf16_order(item[0])))
        fallback = next((symbol for symbol, member in members.items() if member is fallback_of(cls)), None)
        choice = Enum(name, cls, members, aliases_of(cls), fallback)
        self.made[cls] = choice
        return choice

    def _struct(self, kind: Any, cls: type, arguments: tuple[Any, ...]) -> Struct:
        outer = self.variables
        arguments = tuple(_bound(argument, outer) for argument in arguments)
        key = (cls, *arguments) if arguments else kind
        made = self.made.get(key)
        if isinstance(made, Struct):
            return made
        inner = dict(_inherited(cls))
        labels = ""
        if arguments:
            labels = "".join("_" + _label(self.convert(argument)) for argument in arguments)
            inner.update(zip(cls.__parameters__, arguments, strict=True))  # type: ignore[attr-defined]
        model = generic_model(cls)
        if model is not None:
            labels = "".join("_" + _label(self.convert(argument)) for argument in model[1])
        generic = model[0] if model is not None else cls
        name = name_of(generic) + labels
        struct = Struct(name, cls, "object", aliases=aliases_of(cls))
        self._claim(name, struct, generic if labels else None)
        self.made[key] = struct
        if labels:
            self.generics.setdefault(generic, []).append(struct)
        self.classes.setdefault(cls.__name__, cls)
        declared = declaration(cls, self._hints)
        struct.kind = declared.kind
        struct.after = declared.after
        struct.construct = declared.construct
        struct.frozen = declared.frozen
        struct.setter = declared.setter
        self.variables = inner
        try:
            fields = []
            for one in declared.fields:
                native = self._field(cls, one)
                if one.absent:
                    native = _with_null(native)
                marks = _marks(one.type)
                names = [mark.name for mark in marks if isinstance(mark, Name)]
                aliases = tuple(alias for mark in marks if isinstance(mark, Alias) for alias in mark.names)
                field = Field((names or [one.name])[0], one.attribute, native, one.default, one.absent, aliases)
                fields.append(field)
        finally:
            self.variables = outer
        struct.fields = tuple(fields)
        return struct

    def _field(self, cls: type, declared: Declared) -> NativeType:
        """The native type of a field. An error has the path of the field, from the outermost struct on."""
        self.trail.append(f".{declared.attribute}" if self.trail else f"{cls.__qualname__}.{declared.attribute}")
        try:
            return self.convert(declared.type)
        except SamewireError as error:
            if error.code not in ("unsupported", "misuse") or error is self.told:
                raise
            self.told = SamewireError(error.code, text=f"{''.join(self.trail)}: {error.text}")
            raise self.told from None
        finally:
            self.trail.pop()

    def _hints(self, cls: type) -> dict[str, Any]:
        """Annotations as types; names from the class's module, then the namespace, then classes met so far."""
        try:
            return typing.get_type_hints(cls, include_extras=True)
        except NameError:
            pass
        try:
            return typing.get_type_hints(cls, localns={**self.classes, **self.namespace}, include_extras=True)
        except NameError as error:
            raise SamewireError("misuse", text=f"{cls.__qualname__}: {error}; pass namespace={{...}} to codec()") from None


def _without_fallback(kind: Any) -> Any:
    """Removes the fallback mark from a class in a union; other types are unchanged."""
    if typing.get_origin(kind) is Annotated and FALLBACK in typing.get_args(kind)[1:]:
        return typing.get_args(kind)[0]
    return kind


def _holds_null(native: NativeType) -> bool:
    """Whether null is a value of a type already: it needs no option around it."""
    while isinstance(native, Adapted):
        native = native.item
    return isinstance(native, Option) or native == Scalar("any")


def _with_null(native: NativeType) -> NativeType:
    """A type that holds null as well."""
    if isinstance(native, Adapted) and _holds_null(native):
        return Adapted(native.item, unless_null(native.encode), unless_null(native.decode), None)
    return native if _holds_null(native) else Option(native)


def _stands_together(native: NativeType) -> bool:
    """Whether many such values are written together: numbers in rows, and structs and tuples in columns."""
    return isinstance(native, Struct | Tuple) or (isinstance(native, Scalar) and native.kind in _NUMBERS)


def _bound(kind: Any, variables: Mapping[Any, Any]) -> Any:
    """A type argument with its type variables replaced."""
    if isinstance(kind, TypeVar):
        return variables.get(kind, kind)
    open_ones = getattr(kind, "__parameters__", ())
    if isinstance(kind, type) or not open_ones:
        return kind
    return kind[tuple(variables.get(one, one) for one in open_ones)]


def _in_any(kind: Any, lacking: str) -> str:
    return f"{kind!r} stands in a union: an `any`, which that is, holds no {lacking}; give each a field of its own"


def _namesakes(name: str) -> SamewireError:
    return SamewireError("misuse", text=f"two types are called {name!r}: rename one with pack.named(...)")


def _check_classes(structs: tuple[Struct, ...]) -> None:
    """Checks that no two members of a union share a class or a name: a value's member is found by its class."""
    classes: dict[type, Struct] = {}
    names: dict[str, Struct] = {}
    for struct in structs:
        known = classes.setdefault(struct.cls, struct)
        if known is not struct:
            text = (
                f"{known.name} and {struct.name} are of one class, by which a union tells its values: "
                f"declare a subclass of {struct.cls.__qualname__} for each"
            )
            raise SamewireError("unsupported", text=text)
        if names.setdefault(struct.name, struct) is not struct:
            raise _namesakes(struct.name)


def _defaulting(value: Any) -> Callable[[Any], Any]:
    """Makes defaultdicts whose missing values are empty containers, 0 or "", by the declared type; others have none."""
    while typing.get_origin(value) is Annotated:
        (value, *_) = typing.get_args(value)
    made = typing.get_origin(value) or value
    factory = made if made in _FACTORIES else None
    return functools.partial(collections.defaultdict, factory)


def _inherited(cls: type) -> dict[Any, Any]:
    """The type arguments of a class's generic bases, by type variable."""
    bound: dict[Any, Any] = {}
    for base in getattr(cls, "__orig_bases__", ()):
        origin = typing.get_origin(base)
        if isinstance(origin, type) and origin is not typing.Generic:
            bound.update(_inherited(origin))
            bound.update(zip(getattr(origin, "__parameters__", ()), typing.get_args(base), strict=False))
    return bound


def _marks(kind: Any) -> tuple[Any, ...]:
    """The metadata of the outermost `Annotated`, through the qualifiers of TypedDict."""
    while typing.get_origin(kind) in (typing.Required, typing.NotRequired, typing.Final):
        (kind,) = typing.get_args(kind)
    return typing.get_args(kind)[1:] if typing.get_origin(kind) is Annotated else ()


def _label(kind: NativeType) -> str:
    """A type argument as one word, for the name of a generic class with arguments."""
    match kind:
        case Scalar(word):
            return word
        case Struct(name) | Enum(name):
            return name
        case _:
            return re.sub(r"\W+", "_", schema_text(kind)).strip("_")


def native_type_of(
    kind: Any,
    namespace: Mapping[str, Any] | None = None,
    *,
    strict: bool = False,
    adapters: Mapping[type[Any], As] | None = None,
) -> NativeType:
    """The native type of a Python type. Raises SamewireError as `codec.codec` documents."""
    introspector = Introspector(namespace, strict=strict, adapters=adapters)
    native = introspector.convert(kind)
    introspector.settle_names()
    _check_empty(native)
    return native


def _check_empty(native: NativeType) -> None:
    """Refuses a struct without fields anywhere but in a union (section 1)."""
    seen: set[int] = set()

    def walk(node: NativeType) -> None:
        if isinstance(node, Struct):
            if not node.fields:
                raise SamewireError("misuse", text=f"struct {node.name} has no fields: it may stand only in a union")
            if id(node) in seen:
                return
            seen.add(id(node))
        inner = [member for member in node.members if member.fields] if isinstance(node, Union) else parts(node)
        for part in inner:
            walk(part)

    walk(native)


def _without_alias(alias: Any, arguments: tuple[Any, ...]) -> Any:
    """The type of `alias[arguments]`, for an alias with parameters (numpy's `NDArray` on CPython 3.12 and later)."""
    given = dict(zip(alias.__type_params__, arguments, strict=False))
    parameters = getattr(alias.__value__, "__parameters__", ())
    return alias.__value__[tuple(given.get(parameter, Any) for parameter in parameters)] if parameters else alias.__value__
