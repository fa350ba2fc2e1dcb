"""Java arrays as sequences of fixed length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from samewire.errors import SamewireError

from ..java_object import SHOWN_ELEMENTS, JavaObject, element, plain

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Formats of `memoryview` and `numpy` by the name of an array's class.
FORMATS = {
    f"{name}[]": form
    for name, form in zip(("boolean", "byte", "char", "short", "int", "long", "float", "double"), "?bHhiqfd", strict=True)
}


class JavaArray(JavaObject):
    """A Java array. Slices are read and written in one round trip; reading one returns a new Java array."""

    __slots__ = ()

    def __len__(self) -> int:
        return int(self.__java__.gateway.operations.array_length(self))

    def __bool__(self) -> bool:
        return len(self) > 0

    @property
    def length(self) -> int:
        """The number of elements."""
        return len(self)

    def __getitem__(self, index: int | slice) -> Any:
        operations = self.__java__.gateway.operations
        if isinstance(index, slice):
            return operations.array_slice(self, *index.indices(len(self)))
        return operations.array_get(self, index.__index__())

    def __setitem__(self, index: int | slice, value: Any) -> None:
        operations = self.__java__.gateway.operations
        if not isinstance(index, slice):
            operations.array_set(self, index.__index__(), value)
            return
        start, stop, step = index.indices(len(self))
        values = value if isinstance(value, JavaObject) or hasattr(value, "__len__") else list(value)
        count = len(range(start, stop, step))
        if len(values) != count:
            raise ValueError(f"{len(values)} values for a slice of {count} elements: the length of an array is fixed")
        operations.array_set_slice(self, start, step, values)

    def __iter__(self) -> Iterator[Any]:
        read = self.__java__.gateway.operations.array_list
        start, length = 0, len(self)
        while start < length:
            values = read(self, start, min(start + _CHUNK, length))  # fewer if they are large
            yield from values
            start += len(values)

    def __reversed__(self) -> Iterator[Any]:
        return iter(list(self)[::-1])

    def __contains__(self, value: object) -> bool:
        return any(value is element or value == element for element in self)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, list | tuple):
            return len(self) == len(other) and list(self) == list(other)
        return super().__eq__(other)

    __hash__ = JavaObject.__hash__

    def _shown(self) -> str:
        length = len(self)
        values = self.__java__.gateway.operations.array_list(self, 0, min(length, SHOWN_ELEMENTS))
        return f"[{', '.join([*map(element, values), *(['...'] if length > SHOWN_ELEMENTS else [])])}]"

    def index(self, value: Any) -> int:
        """The index of a value. Raises ValueError if it is missing."""
        return list(self).index(value)

    def count(self, value: Any) -> int:
        """How many elements equal the value."""
        return list(self).count(value)


#: Elements that iteration reads in one round trip.
_CHUNK = 4096


class PrimitiveArray(JavaArray):
    """An array of numbers, characters or booleans: `memoryview` and numpy take a copy of its bytes."""

    __slots__ = ()

    def to_buffer(self) -> memoryview[Any]:
        """The elements as a writable view of a copy, in one round trip: `numpy.frombuffer`, `array.array`, `bytes` take it."""
        raw = bytearray(self.__java__.gateway.operations.array_bytes(self))
        form: Any = FORMATS[self.__java__.name]
        return memoryview(raw).cast(form)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        import numpy

        if copy is False:
            raise ValueError("the elements are in the JVM: an array of them is a copy")
        return numpy.asarray(self.to_buffer(), dtype=dtype)

    def _in_pieces(self, error: SamewireError) -> Any:
        """The value of a large array, of the type that `to_py` returns for small ones. Its bytes follow the message."""
        form = FORMATS[self.__java__.name]
        if form == "b":
            return bytes(self)
        return list(map(chr, self.to_buffer())) if form == "H" else self.to_buffer().tolist()

    def __bytes__(self) -> bytes:
        return bytes(self.__java__.gateway.operations.array_bytes(self))


class ObjectArray(JavaArray):
    """An array of references, or of arrays."""

    __slots__ = ()

    def _in_pieces(self, error: SamewireError) -> Any:
        return [*map(plain, self)]


def form(name: str) -> type[JavaArray]:
    """The Python base class for the array class of that binary name."""
    return PrimitiveArray if name in FORMATS else ObjectArray


Sequence.register(JavaArray)
