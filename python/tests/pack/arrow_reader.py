"""A consumer of the Arrow PyCapsule interface: rows as Python values, by ctypes alone.

It reads what the C data interface says and no more, so that tests need no Arrow library. `python/interop/arrow` reads the same
tables by the libraries that people have.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from itertools import pairwise
from typing import Any, Final
from uuid import UUID

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Schema(ctypes.Structure):
    """`struct ArrowSchema`."""


class Array(ctypes.Structure):
    """`struct ArrowArray`."""


class Stream(ctypes.Structure):
    """`struct ArrowArrayStream`."""


Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(Schema))),
    ("dictionary", ctypes.POINTER(Schema)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(Schema))),
    ("private_data", ctypes.c_void_p),
]
Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(Array))),
    ("dictionary", ctypes.POINTER(Array)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(Array))),
    ("private_data", ctypes.c_void_p),
]
Stream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Schema))),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Array))),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(Stream))),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(Stream))),
    ("private_data", ctypes.c_void_p),
]

_pointer_of: Final = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype = ctypes.c_void_p
_pointer_of.argtypes = [ctypes.py_object, ctypes.c_char_p]


class StreamFailed(Exception):
    """A stream's `get_next` has failed with this text."""


@dataclass
class Type:
    """A field: the format of the interface, its name, and its parts."""

    format: str
    name: str
    nullable: bool
    children: list[Type]
    dictionary: Type | None
    extended: bool

    def text(self) -> str:
        """The field as one line."""
        parts = ", ".join(child.text() for child in self.children)
        inside = f"<{parts}>" if self.children else ""
        return f"{self.name}: {self.format}{'?' * self.nullable}{'#' * (self.dictionary is not None)}{inside}"


def _type(schema: Any) -> Type:
    children = [_type(schema.children[i].contents) for i in range(schema.n_children)]
    dictionary = _type(schema.dictionary.contents) if schema.dictionary else None
    name = schema.name.decode()
    return Type(schema.format.decode(), name, bool(schema.flags & 2), children, dictionary, bool(schema.metadata))


def type_of(table: Any) -> Type:
    """The type of a table's rows, by `__arrow_c_schema__`."""
    capsule = table.__arrow_c_schema__()
    schema = Schema.from_address(_pointer_of(capsule, b"arrow_schema"))
    found = _type(schema)
    schema.release(ctypes.byref(schema))
    assert not schema.release
    return found


def batches(table: Any) -> Iterator[list[dict[str, Any]]]:
    """The rows of each batch, by `__arrow_c_stream__`. Raises StreamFailed."""
    capsule = table.__arrow_c_stream__()
    stream = Stream.from_address(_pointer_of(capsule, b"arrow_array_stream"))
    schema = Schema()
    try:
        assert stream.get_schema(ctypes.byref(stream), ctypes.byref(schema)) == 0
        kind = _type(schema)
        schema.release(ctypes.byref(schema))
        while True:
            array = Array()
            if stream.get_next(ctypes.byref(stream), ctypes.byref(array)) != 0:
                raise StreamFailed(stream.get_last_error(ctypes.byref(stream)).decode())
            if not array.release:
                return
            rows = values(kind, array)
            array.release(ctypes.byref(array))
            assert not array.release
            yield rows
    finally:
        stream.release(ctypes.byref(stream))


def rows_of(table: Any) -> list[dict[str, Any]]:
    """All rows of a table."""
    return [row for batch in batches(table) for row in batch]


def text_bytes(table: Any) -> int:
    """The bytes of the buffers of the first column, string views, in the first batch."""
    stream = Stream.from_address(_pointer_of(capsule := table.__arrow_c_stream__(), b"arrow_array_stream"))
    array = Array()
    assert stream.get_next(ctypes.byref(stream), ctypes.byref(array)) == 0
    column = array.children[0].contents
    total: int = sum(_numbers(column, column.n_buffers - 1, ctypes.c_int64, column.n_buffers - 3))
    array.release(ctypes.byref(array))
    del capsule
    return total


def _bytes(address: Any, size: int) -> bytes:
    return ctypes.string_at(address, size) if size else b""


def _numbers(array: Any, index: int, kind: Any, count: int) -> list[Any]:
    return list((kind * count).from_buffer_copy(_bytes(array.buffers[index], ctypes.sizeof(kind) * count)))


def _bits(address: int | None, count: int) -> list[bool]:
    data = _bytes(address, -(-count // 8))
    return [bool(data[i // 8] >> (i % 8) & 1) for i in range(count)]


def values(kind: Type, array: Any) -> list[Any]:
    """The values of an array, None for nulls."""
    assert array.offset == 0
    count = array.length
    made = _values(kind, array, count)
    assert len(made) == count
    if kind.format.startswith("+u"):
        assert array.null_count == 0
        return made
    valid = _bits(array.buffers[0], count) if array.buffers[0] else [True] * count
    assert valid.count(False) == array.null_count
    assert kind.nullable or array.null_count == 0
    return [value if there else None for value, there in zip(made, valid, strict=True)]


_NUMBERS: Final[dict[str, Any]] = {
    "c": ctypes.c_int8,
    "s": ctypes.c_int16,
    "i": ctypes.c_int32,
    "l": ctypes.c_int64,
    "C": ctypes.c_uint8,
    "S": ctypes.c_uint16,
    "I": ctypes.c_uint32,
    "L": ctypes.c_uint64,
    "f": ctypes.c_float,
    "g": ctypes.c_double,
}
_TIMES: Final[dict[str, tuple[Any, Callable[[int], Any]]]] = {
    "tdD": (ctypes.c_int32, lambda days: date(1970, 1, 1) + timedelta(days)),
    "ttu": (ctypes.c_int64, lambda micros: (datetime(1970, 1, 1) + timedelta(microseconds=micros)).time()),
    "tsu:UTC": (ctypes.c_int64, lambda micros: EPOCH + timedelta(microseconds=micros)),
    "tDu": (ctypes.c_int64, lambda micros: timedelta(microseconds=micros)),
    "ttn": (ctypes.c_int64, int),
    "tsn:UTC": (ctypes.c_int64, int),
    "tDn": (ctypes.c_int64, int),
}


def _values(kind: Type, array: Any, count: int) -> list[Any]:
    form = kind.format
    if kind.dictionary is not None:
        symbols = values(kind.dictionary, array.dictionary.contents)
        return [symbols[index] for index in _numbers(array, 1, ctypes.c_int32, count)]
    if form in _NUMBERS:
        return _numbers(array, 1, _NUMBERS[form], count)
    if form in _TIMES:
        width, make = _TIMES[form]
        return [make(number) for number in _numbers(array, 1, width, count)]
    if form == "b":
        return _bits(array.buffers[1], count)
    if form == "vu":
        return _views(array, count)
    if form == "w:16":
        assert kind.extended
        data = _bytes(array.buffers[1], 16 * count)
        return [UUID(bytes=data[i * 16 : i * 16 + 16]) for i in range(count)]
    if form.startswith("d:"):
        return _decimals(array, count, int(form.split(",")[1]))
    if form in ("u", "z"):
        ends = _numbers(array, 1, ctypes.c_int32, count + 1)
        data = _bytes(array.buffers[2], ends[-1])
        cut = [data[start:end] for start, end in pairwise(ends)]
        return [piece.decode() for piece in cut] if form == "u" else cut
    parts = [values(part, array.children[i].contents) for i, part in enumerate(kind.children)]
    if form == "+s":
        names = [part.name for part in kind.children]
        assert all(len(part) == count for part in parts)
        return [dict(zip(names, row, strict=True)) for row in zip(*parts, strict=True)] if parts else [{}] * count
    if form in ("+l", "+m"):
        ends = _numbers(array, 1, ctypes.c_int32, count + 1)
        lists = [parts[0][start:end] for start, end in pairwise(ends)]
        return lists if form == "+l" else [[(entry["key"], entry["value"]) for entry in entries] for entries in lists]
    assert form.startswith("+ud:")
    ids, places = _numbers(array, 0, ctypes.c_int8, count), _numbers(array, 1, ctypes.c_int32, count)
    for member, part in enumerate(parts):
        assert [place for of, place in zip(ids, places, strict=True) if of == member] == list(range(len(part)))
    return [parts[member][place] for member, place in zip(ids, places, strict=True)]


def _views(array: Any, count: int) -> list[str]:
    views = _bytes(array.buffers[1], 16 * count)
    sizes = _numbers(array, array.n_buffers - 1, ctypes.c_int64, array.n_buffers - 3)
    data = [_bytes(array.buffers[2 + i], size) for i, size in enumerate(sizes)]
    made = []
    for at in range(0, len(views), 16):
        size = int.from_bytes(views[at : at + 4], "little")
        if size <= 12:
            text = views[at + 4 : at + 4 + size]
            assert not any(views[at + 4 + size : at + 16])
        else:
            buffer, start = (int.from_bytes(views[at + place : at + place + 4], "little") for place in (8, 12))
            text = data[buffer][start : start + size]
            assert text[:4] == views[at + 4 : at + 8]
            assert len(text) == size
        made.append(text.decode())
    return made


def _decimals(array: Any, count: int, scale: int) -> list[Decimal]:
    data = _bytes(array.buffers[1], 16 * count)
    numbers = (int.from_bytes(data[at : at + 16], "little", signed=True) for at in range(0, 16 * count, 16))
    return [Decimal((number < 0, tuple(map(int, str(abs(number)))), -scale)) for number in numbers]


__all__ = ["StreamFailed", "Type", "batches", "rows_of", "text_bytes", "type_of", "values"]
