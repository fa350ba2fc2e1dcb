"""A producer of the Arrow PyCapsule interface: arrays of any form from Python values, by ctypes alone.

It counts what is handed out and what is released. `python/interop/arrow` hands over the tables of the libraries that
people have.
"""

from __future__ import annotations

import ctypes
import itertools
import struct
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from arrow_reader import Array, Schema, Stream

_new_capsule: Final = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_Destructor: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, _Destructor]
#: What is alive until its release, by `private_data`.
_alive: Final[dict[int, Any]] = {}
_ids: Final = itertools.count(1)

_NUMBERS: Final = dict(zip("csilCSILfg", "bhiqBHIQfd", strict=True)) | {"tdD": "i", "tdm": "q", "tts": "i", "ttm": "i"}


@dataclass
class Column:
    """An array: its buffers, and those of its parts."""

    format: str
    length: int
    buffers: list[bytes | None]
    children: list[Column] = field(default_factory=list)
    dictionary: Column | None = None
    name: str = ""
    offset: int = 0
    null_count: int = -1

    def named(self, name: str) -> Column:
        """The column under this name."""
        self.name = name
        return self

    def sliced(self, offset: int, length: int) -> Column:
        """A part of the column, without a copy."""
        return Column(
            self.format, length, self.buffers, self.children, self.dictionary, self.name, self.offset + offset, self.null_count
        )


def _fields(kind: Any) -> dict[str, Any]:
    return dict(kind._fields_)


def _bits(values: Sequence[Any]) -> bytes:
    data = bytearray(-(-len(values) // 8))
    for i, value in enumerate(values):
        data[i // 8] |= bool(value) << (i % 8)
    return bytes(data)


def _validity(values: Sequence[Any]) -> bytes | None:
    return None if all(value is not None for value in values) else _bits([value is not None for value in values])


def _ends(lengths: Sequence[int], code: str) -> bytes:
    ends = [0, *itertools.accumulate(lengths)]
    return struct.pack(f"={len(ends)}{code}", *ends)


def column(form: str, values: Sequence[Any], *parts: Any, name: str = "") -> Column:
    """An array of values, None for nulls.

    parts: of a list, what makes the column of all its elements; of a struct, the columns of its fields.
    """
    count, valid = len(values), _validity(values)
    code = _NUMBERS.get(form) or ("q" if form[:3] in ("ttu", "ttn") or form[:2] in ("ts", "tD") else None)
    if code is not None:
        data = struct.pack(f"={count}{code}", *(0 if value is None else value for value in values))
        return Column(form, count, [valid, data], name=name)
    if form == "n":
        return Column(form, count, [], name=name, null_count=count)
    if form == "b":
        return Column(form, count, [valid, _bits(values)], name=name)
    if form.startswith("d:"):
        size = 32 if form.endswith(",256") else 16
        data = b"".join((0 if value is None else value).to_bytes(size, "little", signed=True) for value in values)
        return Column(form, count, [valid, data], name=name)
    if form.startswith("w:"):
        size = int(form[2:])
        return Column(form, count, [valid, b"".join(value or bytes(size) for value in values)], name=name)
    if form in ("u", "U", "z", "Z", "vu", "vz"):
        texts = [b"" if value is None else value.encode() if isinstance(value, str) else value for value in values]
        if form.startswith("v"):
            return Column(form, count, [valid, *_views(texts)], name=name)
        ends = _ends([len(text) for text in texts], "i" if form in "uz" else "q")
        return Column(form, count, [valid, ends, b"".join(texts)], name=name)
    return _nested(form, values, valid, parts, name)


def _nested(form: str, values: Sequence[Any], valid: bytes | None, parts: Sequence[Any], name: str) -> Column:
    count = len(values)
    if form == "+s":
        return Column(form, count, [valid], list(parts), name=name)
    if form.startswith("+w:"):
        size = int(form[3:])
        items = [item for value in values for item in (value if value is not None else [None] * size)]
        return Column(form, count, [valid], [parts[0](items)], name=name)
    lengths = [0 if value is None else len(value) for value in values]
    items = [item for value in values if value is not None for item in value]
    if form in ("+l", "+m", "+L"):
        return Column(form, count, [valid, _ends(lengths, "q" if form == "+L" else "i")], [parts[0](items)], name=name)
    # Views, of which the last list stands first.
    code = "i" if form == "+vl" else "q"
    starts, items = [], []
    for value in reversed(values):
        starts.append(len(items))
        items += value or []
    packed = struct.pack(f"={count}{code}", *reversed(starts)), struct.pack(f"={count}{code}", *lengths)
    return Column(form, count, [valid, *packed], [parts[0](items)], name=name)


def _views(texts: Sequence[bytes]) -> list[bytes]:
    """Views, and two buffers of which the longer texts take turns."""
    views, buffers = [], [bytearray(), bytearray()]
    for i, text in enumerate(texts):
        if len(text) <= 12:
            views.append(struct.pack("=i12s", len(text), text))
        else:
            views.append(struct.pack("=i4sii", len(text), text[:4], i % 2, len(buffers[i % 2])))
            buffers[i % 2] += text
    return [b"".join(views), *map(bytes, buffers), struct.pack("=2q", *map(len, buffers))]


def dictionary(index: str, values: Sequence[Any], made: Callable[[list[Any]], Column], name: str = "") -> Column:
    """Indices into the distinct values; the first of these stands for nothing."""
    distinct = list(dict.fromkeys(value for value in values if value is not None))
    places = {value: i for i, value in enumerate(distinct, 1)}
    indices = column(index, [None if value is None else places[value] for value in values])
    return Column(index, len(values), indices.buffers, dictionary=made([distinct[0] if distinct else None, *distinct]), name=name)


def union(
    values: Sequence[tuple[int, Any]], members: Sequence[Callable[[list[Any]], Column]], dense: bool, name: str = ""
) -> Column:
    """Values of the members with these numbers. The ids are twice the number and one."""
    ids = struct.pack(f"={len(values)}b", *(2 * member + 1 for member, _ in values))
    known = ",".join(str(2 * i + 1) for i in range(len(members)))
    held = [[value for member, value in values if member == i] for i in range(len(members))]
    if not dense:
        held = [[value if member == i else None for member, value in values] for i in range(len(members))]
        return Column(
            f"+us:{known}", len(values), [ids], [make(part) for make, part in zip(members, held, strict=True)], name=name
        )
    counts = [itertools.count() for _ in members]
    places = struct.pack(f"={len(values)}i", *(next(counts[member]) for member, _ in values))
    parts = [make(part) for make, part in zip(members, held, strict=True)]
    return Column(f"+ud:{known}", len(values), [ids, places], parts, name=name)


def rows(*columns: Column) -> Column:
    """The struct of the columns of a table."""
    return Column("+s", columns[0].length if columns else 0, [None], list(columns))


@dataclass
class Counted:
    """Batches of one type, and how often they were handed out and released."""

    batches: Sequence[Column | str]
    type: Column | None = None
    made: Counter[str] = field(default_factory=Counter)
    released: Counter[str] = field(default_factory=Counter)

    def _fill(self, out: Any, kind: str, made: tuple[Any, list[Any]]) -> None:
        ctypes.memmove(ctypes.byref(out), ctypes.byref(made[0]), ctypes.sizeof(made[0]))
        self._own(out, kind, made)

    def _own(self, root: Any, kind: str, parts: Any) -> None:
        key = next(_ids)
        released = self.released

        def release(pointer: Any) -> None:
            released[kind] += 1
            pointer.contents.release = type(pointer.contents.release)()
            _alive.pop(key, None)

        callback = _fields(type(root))["release"](release)
        root.release = callback
        root.private_data = key
        _alive[key] = (parts, callback)
        _callbacks.append(callback)
        self.made[kind] += 1


#: Callbacks live on: one is in use while it drops what it stands with.
_callbacks: Final[list[Any]] = []


@dataclass
class Producer(Counted):
    """A table, by `__arrow_c_stream__`. It fails where a batch is a text, with that text."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return _capsule(b"arrow_array_stream", self._stream())

    def _stream(self) -> Any:
        batches: Iterator[Column | str] = iter(self.batches)
        kind = self.type or next(batch for batch in self.batches if isinstance(batch, Column))
        error = ctypes.create_string_buffer(100)

        def get_schema(_: Any, out: Any) -> int:
            self._fill(out.contents, "schema", _schema(kind))
            return 0

        def get_next(_: Any, out: Any) -> int:
            batch = next(batches, None)
            if isinstance(batch, str):
                error.value = batch.encode()
                return 5
            if batch is None:
                ctypes.memset(out, 0, ctypes.sizeof(Array))
            else:
                self._fill(out.contents, "array", _array(batch))
            return 0

        calls = _fields(Stream)
        stream = Stream()
        stream.get_schema, stream.get_next = calls["get_schema"](get_schema), calls["get_next"](get_next)
        stream.get_last_error = calls["get_last_error"](lambda _: ctypes.addressof(error))
        self._own(stream, "stream", [stream.get_schema, stream.get_next, stream.get_last_error, error])
        return stream


#: Sets the flag of SIGINT, as its handler in C does, without the GIL.
_interrupt: Final = ctypes.cast(ctypes.pythonapi.PyErr_SetInterrupt, ctypes.c_void_p).value


@dataclass
class Interrupting(Producer):
    """A table whose batches interrupt the main thread when they are released, by code that is not Python's."""

    def _own(self, root: Any, kind: str, parts: Any) -> None:
        super()._own(root, kind, parts)
        if kind == "array":
            address = ctypes.c_void_p.from_buffer(root, type(root).release.offset)
            address.value = _interrupt


@dataclass
class Batch(Counted):
    """One batch, by `__arrow_c_array__`."""

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        assert isinstance(self.batches[0], Column)
        schema, array = Schema(), Array()
        self._fill(schema, "schema", _schema(self.batches[0]))
        self._fill(array, "array", _array(self.batches[0]))
        return _capsule(b"arrow_schema", schema), _capsule(b"arrow_array", array)


def _destroy_capsule(capsule: int) -> None:
    for name in (b"arrow_schema", b"arrow_array", b"arrow_array_stream"):
        found = _held.pop((capsule, name), None)
        if found is not None and found.release:
            found.release(ctypes.byref(found))


_destroy: Final = _Destructor(_destroy_capsule)
#: The structs of capsules.
_held: Final[dict[tuple[int, bytes], Any]] = {}


def _capsule(name: bytes, value: Any) -> object:
    capsule = _new_capsule(ctypes.addressof(value), name, _destroy)
    _held[id(capsule), name] = value
    return capsule


def _schema(column: Column) -> tuple[Any, list[Any]]:
    made, kept = Schema(), list[Any]()
    made.format, made.name, made.flags = column.format.encode(), column.name.encode(), 2
    _parts(made, [_schema(child) for child in column.children], _schema(column.dictionary) if column.dictionary else None, kept)
    return made, kept


def _array(column: Column) -> tuple[Any, list[Any]]:
    made = Array()
    made.length, made.offset, made.null_count = column.length, column.offset, column.null_count
    kept: list[Any] = [None if data is None else ctypes.create_string_buffer(data, len(data) + 1) for data in column.buffers]
    addresses = (ctypes.c_void_p * max(1, len(kept)))(*(None if data is None else ctypes.addressof(data) for data in kept))
    made.n_buffers, made.buffers = len(kept), ctypes.cast(addresses, ctypes.POINTER(ctypes.c_void_p))
    kept.append(addresses)
    _parts(made, [_array(child) for child in column.children], _array(column.dictionary) if column.dictionary else None, kept)
    return made, kept


def _parts(made: Any, children: list[tuple[Any, list[Any]]], values: tuple[Any, list[Any]] | None, kept: list[Any]) -> None:
    kind = type(made)
    pointers = (ctypes.POINTER(kind) * max(1, len(children)))(*(ctypes.pointer(child) for child, _ in children))
    made.n_children, made.children = len(children), ctypes.cast(pointers, ctypes.POINTER(ctypes.POINTER(kind)))
    # Parts are released with the whole; their own callback is never called.
    callback = _fields(kind)["release"](lambda _: None)
    for child, _ in [*children, *([values] if values else [])]:
        child.release = callback
    if values:
        made.dictionary = ctypes.pointer(values[0])
    kept += [pointers, callback, children, values]


__all__ = ["Batch", "Column", "Interrupting", "Producer", "column", "dictionary", "rows", "union"]
