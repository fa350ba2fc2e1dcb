"""Converts values of classes that the extension does not know, and received messages of pack schemas."""

from __future__ import annotations

import datetime
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, get_args
from weakref import ref

from samewire._native import Object, Peer, Value
from samewire.errors import SamewireError

from .casts import Cast, passed
from .causes import java_exception
from .exceptions import JavaError
from .flat import is_flat, native
from .implement import Implementation, implemented
from .java_class import JavaClass

if TYPE_CHECKING:
    from samewire.pack import Codec

    from .parts import Parts

#: Converts a value of a class to one that the extension knows.
Conversion = Callable[[Any], Any]

#: Decodes messages of one schema; and such decoders by the text of the schema.
_Decoder = Callable[[bytes], Any]
_Decoders = dict[str, _Decoder]


class Values:
    """The conversions of one session.

    records: the struct classes that the program registered, with the names of their classes in Java.
    """

    def __init__(self, gateway: Parts, records: Mapping[type, str]) -> None:
        self._gateway = gateway
        self._records = dict(records)
        self._conversions: dict[type, Conversion] = {JavaClass: self._class, list: self._list}
        self._decoders: dict[str, Callable[[bytes], Any]] = {}
        self._typed: dict[Any, Callable[[Any], Any]] = {}
        self._implementing: dict[int, tuple[ref[Any], tuple[str, ...]]] = {}
        self._lists: dict[type, Codec[Any]] = {}
        self._asked = threading.local()

    # --- to Java -----------------------------------------------------------------------------------------------

    def convert(self, value: Any) -> Any:
        """Converts a value that the extension does not know. Raises TypeError if that is not possible."""
        kind = type(value)
        conversion = self._conversions.get(kind)
        if conversion is None:
            conversion = self._conversions[kind] = self._choose(kind)
        return conversion(value)

    def _choose(self, kind: type) -> Conversion:
        if issubclass(kind, JavaError):
            return lambda error: error.java
        if issubclass(kind, JavaClass):
            return self._class
        if issubclass(kind, Cast):
            return lambda cast: passed(self._gateway, cast)
        if issubclass(kind, Implementation):
            return lambda implementation: implementation.peer
        interfaces = implemented(kind)
        if interfaces:
            return lambda target: Peer(target, interfaces)
        if issubclass(kind, BaseException):
            return lambda error: java_exception(self._gateway, error)
        from .conversions import conversion

        found = conversion(kind)
        if found is not None:
            return found
        if is_struct(kind):
            codec: Codec[Any] = self._codec(kind)
            schema = codec.schema.text
            return lambda value: Value(schema, codec.encode(value))
        if any("__call__" in vars(base) for base in kind.__mro__):
            return Peer
        from .iteration import of_iterable

        iterable = of_iterable(kind)
        if iterable is not None:
            return iterable
        name = f"{kind.__module__}.{kind.__qualname__}"

        def refuse(value: Any) -> Any:
            known = self._implementing.get(id(value))
            if known is not None and known[0]() is value:
                return Peer(value, known[1])
            lent = None if kind is memoryview else _lent(value)
            if lent is not None:
                return lent
            raise TypeError(
                f"a value of {name} cannot be passed to Java: pass a value that has a kind (spec/bridge.md, section 4), a callable, "
                f"or an object whose class says what it implements: class Java: implements = [...]"
            )

        return refuse

    def remember(self, target: Any, interfaces: tuple[str, ...]) -> None:
        """Stores the interfaces of an object whose class does not declare them, for when Java passes it back."""
        key = id(target)
        try:
            self._implementing[key] = (ref(target, lambda _: self._implementing.pop(key, None)), interfaces)
        except TypeError:  # its class has no weak references: the program has to wrap it again
            return

    def _class(self, kind: JavaClass) -> Any:
        """A Java class as an argument is its `java.lang.Class`."""
        if kind.__dict__.get("__java__") is None:
            raise TypeError(f"{kind.__name__} is not a class of Java: it cannot be passed")
        return kind.class_

    def _list(self, values: list[Any]) -> Any:
        """A list of one struct class crosses as one message; any other element by element."""
        kind = type(values[0])
        if not is_struct(kind) or any(type(value) is not kind for value in values):
            return values
        codec = self._lists.get(kind)
        if codec is None:
            from samewire import pack

            listed: Any = list[kind]  # type: ignore[valid-type]
            codec = self._lists[kind] = pack.codec(listed, check=False)
        return Value(codec.schema.text, codec.encode(values))

    def _codec(self, kind: type) -> Codec[Any]:
        """The codec of a struct class. Its messages are read as that class from now on, unless another has the schema."""
        from samewire import pack

        struct: Any = kind
        codec: Codec[Any] = pack.codec(struct, check=False)
        self._decoders.setdefault(codec.schema.text, codec.decode)
        return codec

    # --- from Java ---------------------------------------------------------------------------------------------

    def decode(self, schema: str, message: bytes) -> Any:
        """Reads a message of a schema: registered structs as their classes, others as dataclasses made for them."""
        how = getattr(self._asked, "how", None)
        if how is not None:
            known, make = how
            if schema not in known:
                known[schema] = make(schema)
            return known[schema](message)
        decoder = self._decoders.get(schema)
        if decoder is None:
            from .conversions import decoder_of

            for kind in self._records:
                self._codec(kind)
            decoder = self._decoders.get(schema) or decoder_of(schema, {kind.__name__: kind for kind in self._records})
            self._decoders[schema] = decoder
        return decoder(message)

    def typed(self, value: Object, kind: Any) -> Any:
        """The value of an object as a type that pack knows."""
        read = self._typed.get(kind)
        if read is None:
            from samewire import pack

            codec: Codec[Any] = pack.codec(kind)
            read = self._reading(kind, codec)
            self._typed[kind] = read
        return read(value)

    def _reading(self, kind: Any, codec: Codec[Any]) -> Callable[[Any], Any]:
        """The function that reads a value as a type: by its schema, or, without a Java class, untyped and checked here."""
        if kind in (datetime.datetime, datetime.time, datetime.timedelta):
            return lambda owner: self._gateway.operations.python_time(owner, kind.__name__)
        value: Any = self._gateway.operations.value
        schema = codec.schema.text
        if is_flat(schema):
            ask = value.returning(schema)
            return lambda owner: native(kind, ask(owner))
        exactly = value.returning(schema)

        from .conversions import decoder_of

        whole: _Decoders = {schema: codec.decode}
        pieces: _Decoders = {}
        structs = {self._codec(part).schema.text.split()[1]: part for part in _parts(kind) if is_struct(part)}

        def read(owner: Any) -> Any:
            try:
                return self._decoding(whole, lambda written: codec.resolve(written).decode, exactly, owner)
            except SamewireError as error:
                if error.code != "misuse":  # Java has no class of that name; for a denied one it is `unsupported`
                    raise
            natural = self._decoding(pieces, lambda written: decoder_of(written, structs), value, owner)
            try:
                return codec.decode(codec.encode(natural))
            except SamewireError as error:
                if error.code != "type_mismatch":
                    raise
                came = f"{owner.__java__.name} arrives as {_shown(natural)}, which is not a value of {schema}"
                text = f"{came}: {error.text}; a struct has the name and the fields of the record (samewire.pack.named)"
                raise SamewireError("type_mismatch", path=error.path, text=text) from None

        return read

    def _decoding(self, known: _Decoders, make: Callable[[str], _Decoder], call: Callable[[Any], Any], owner: Any) -> Any:
        """Makes a call with decoders of its own, by the schemas of the reply. Missing ones are made on demand."""
        before, self._asked.how = getattr(self._asked, "how", None), (known, make)
        try:
            return call(owner)
        finally:
            self._asked.how = before


def _lent(value: Any) -> memoryview | None:
    """The buffer of a value such as `mmap` or of `ctypes`; None if it has none."""
    try:
        return memoryview(value)
    except TypeError:
        return None


def _parts(kind: Any) -> Iterator[type]:
    """The classes in a type: str and Book for `dict[str, list[Book]]`."""
    if isinstance(kind, type) and not get_args(kind):
        yield kind
    for part in get_args(kind):
        yield from _parts(part)


def _shown(value: Any) -> str:
    """A value for an error text: only its class if its repr is long."""
    text = repr(value)
    return text if len(text) <= 100 else f"a {type(value).__name__}"


def is_struct(kind: type) -> bool:
    """Whether instances of a class are structs of pack: dataclasses, NamedTuples, msgspec.Structs, attrs classes."""
    fields = kind.__dict__
    return not hasattr(kind, "__members__") and (
        hasattr(kind, "__dataclass_fields__")
        or hasattr(kind, "__attrs_attrs__")
        or hasattr(kind, "__struct_fields__")
        or (issubclass(kind, tuple) and "_fields" in fields and bool(getattr(kind, "__annotations__", None)))
    )
