"""A serializer of RDDs that writes values of declared types with pack."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin

from samewire import pack
from samewire.errors import SamewireError

from . import required
from .program_names import names_of

if TYPE_CHECKING:

    class FramedSerializer:
        """A stand-in for the type checker: PySpark is not installed there."""

else:
    FramedSerializer = required.module("pyspark.serializers").FramedSerializer

#: The first byte of values of other types. Declared types have their number, from 1; bit 7 marks a batch.
_PICKLED = 0
_BATCH = 0x80
_MOST_TYPES = 0x7F


class PackSerializer(FramedSerializer):
    """Writes values of the declared types with pack, and all others with PySpark's pickle.

    A batch whose values are all of one declared type is one message, `list<T>`: smaller than pickle's, and checked when
    it is written and when it is read. Other values of a program (keys, sums, PySpark's own) need no declaration.

    types: dataclasses and other types for `pack.codec`, at most 127. A value belongs to the type with exactly its
    class. For a parametrized type, such as `tuple[str, Book]`, that is the class before the brackets: declare only one
    for each.

    namespace: names for forward references that their module does not know, as for `pack.codec`.

    Raises SamewireError `misuse` for no types, too many, or two of one class; as `pack.codec` does for a type without
    schema. A value of a declared class that does not fit its type is a `type_mismatch` with its path.
    """

    def __init__(self, *types: Any, namespace: Mapping[str, Any] | None = None) -> None:
        if not 1 <= len(types) <= _MOST_TYPES:
            raise SamewireError("misuse", text=f"PackSerializer takes 1 to {_MOST_TYPES} types, not {len(types)}")
        self._types = types
        self._names = {**names_of(types), **(namespace or {})}
        _ = self._codecs

    @cached_property
    def _codecs(self) -> _Codecs:
        return _Codecs(self._types, self._names)

    def dumps(self, obj: Any) -> bytes:
        """Returns the bytes of a value, or of a batch, which is a list."""
        codecs = self._codecs
        if type(obj) is list:
            number = codecs.number_of_all(obj)
            if number is not None:
                return bytes((_BATCH | number,)) + codecs.batches[number - 1].encode(obj)
        number = codecs.numbers.get(type(obj))
        if number is not None:
            return bytes((number,)) + codecs.singles[number - 1].encode(obj)
        pickled: bytes = codecs.pickle.dumps(obj)
        return bytes((_PICKLED,)) + pickled

    def loads(self, obj: bytes) -> Any:
        """Returns the value, or the batch, that `dumps` wrote with the same types.

        Raises SamewireError `malformed` for the bytes of another serializer; as `Codec.decode` for a wrong message.
        """
        data = memoryview(obj)
        tag = data[0] if data else None
        if tag == _PICKLED:
            return self._codecs.pickle.loads(data[1:])
        number = -1 if tag is None else tag & ~_BATCH
        if tag is None or not 1 <= number <= len(self._types):
            raise SamewireError(
                "malformed", 0, text=f"expected a batch of PackSerializer with {len(self._types)} types, first byte {tag}"
            )
        codecs = self._codecs.batches if tag & _BATCH else self._codecs.singles
        return codecs[number - 1].decode(data[1:])

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the types: a worker compiles them again on demand, from its own classes."""
        return _of_arguments, (self._types, self._names)

    def __eq__(self, other: object) -> bool:
        """Serializers of the same types are equal: each reads the other's bytes."""
        return isinstance(other, PackSerializer) and self._types == other._types

    def __hash__(self) -> int:
        """Agrees with `__eq__`."""
        return hash(self._types)

    def __repr__(self) -> str:
        return f"PackSerializer({', '.join(getattr(kind, '__qualname__', str(kind)) for kind in self._types)})"


def _of_arguments(types: tuple[Any, ...], namespace: Mapping[str, Any]) -> PackSerializer:
    """Does not compile the types: a class that is being unpickled with its serializer may have no fields yet."""
    serializer = PackSerializer.__new__(PackSerializer)
    serializer._types = types
    serializer._names = dict(namespace)
    return serializer


class _Codecs:
    """The codecs of a serializer."""

    def __init__(self, types: tuple[Any, ...], names: Mapping[str, Any]) -> None:
        #: The number of a class, from 1: the index of its codecs.
        self.numbers: dict[type, int] = {}
        self.singles: list[pack.Codec[Any]] = []
        self.batches: list[pack.Codec[Any]] = []
        for kind in types:
            bare = get_args(kind)[0] if get_origin(kind) is Annotated else kind
            owner = get_origin(bare) or bare
            if not isinstance(owner, type) or owner is UnionType:
                raise SamewireError("misuse", text=f"PackSerializer({kind!r}): expected a class, or one with arguments")
            if owner in self.numbers:
                raise SamewireError("misuse", text=f"PackSerializer: two types of the class {owner.__qualname__}; declare one")
            batch: Any = list[kind]  # type: ignore[valid-type]
            self.singles.append(pack.codec(kind, namespace=names, check=False))
            self.batches.append(pack.codec(batch, namespace=names, check=False))
            self.numbers[owner] = len(self.singles)
        self.pickle = required.module("pyspark.serializers").CPickleSerializer()

    def number_of_all(self, batch: list[Any]) -> int | None:
        """The number of the common type of a batch's values."""
        if not batch:
            return None
        first = type(batch[0])
        return self.numbers.get(first) if all(type(value) is first for value in batch) else None
