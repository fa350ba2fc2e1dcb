"""Measures the memory that decoded values take, by type: bytes a cell (spec/limits.md).

Each message takes all the cells, or all the bytes, that a limit allows. A fresh process, forked from one that has decoded
nothing, decodes it; the figure is its peak resident memory minus that before the call.

usage: memory_shapes.py CELLS [NAME...]      prints a JSON object: bytes a cell by name
"""

from __future__ import annotations

import array
import dataclasses
import datetime
import decimal
import enum
import json
import os
import sys
import tempfile
import typing
import uuid
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import attrs
import msgspec
import numpy as np
import numpy.typing as npt
from samewire import pack

#: A type, and the values of a list of it: how many there are, to the list.
Shape = tuple[Any, Callable[[int], list[Any]]]
#: Sizes at which CPython's sets and dicts have just grown.
SIZES = (0, 1, 2, 5, 6, 11, 22, 86)
BYTES_A_CELL = pack.Limits().frame_bytes / pack.Limits().cells


class Color(enum.Enum):
    RED = 1


@dataclasses.dataclass
class Node:
    """A recursive struct."""

    next: Node | None = None


@dataclasses.dataclass
class Empty:
    """A member of a union."""


@dataclasses.dataclass
class Other:
    """Another member."""

    x: bool = False


@dataclasses.dataclass
class Leaf:
    """A struct that is shared."""

    x: bool = False


def same(value: Any) -> Callable[[int], list[Any]]:
    """A list of one value, again and again."""
    return lambda count: [value] * count


def record(kind: str, width: int) -> Any:
    """A class of so many optional fields."""
    fields: list[tuple[str, Any, Any]] = [(f"f{place}", int | None, None) for place in range(width)]
    if kind in ("dataclass", "slots"):
        given = [(name, of, dataclasses.field(default=default)) for name, of, default in fields]
        return dataclasses.make_dataclass("Row", given, slots=kind == "slots")
    if kind == "msgspec":
        return msgspec.defstruct("Row", fields)
    if kind == "attrs":
        return attrs.make_class("Row", {name: attrs.field(type=of, default=None) for name, of, _ in fields})
    if kind == "namedtuple":
        return NamedTuple("Row", [(name, of) for name, of, _ in fields])
    return typing.TypedDict("Row", {name: of for name, of, _ in fields})  # type: ignore[operator]


def scalars() -> Iterator[tuple[str, Shape]]:
    """Every scalar, each in the least bytes; texts and large numbers also as long as a message can have them."""
    yield "bool", (bool, same(False))
    for mark in (pack.I8, pack.I64, pack.U64, pack.BIGINT):
        yield mark.kind, (Annotated[int, mark], same(0))
    yield "i64, large", (int, same(-(1 << 62)))
    yield "f64", (float, same(0.5))
    yield "bigint, long", (Annotated[int, pack.BIGINT], same(1 << 120))
    yield "decimal", (decimal.Decimal, same(decimal.Decimal(0)))
    yield "decimal, long", (decimal.Decimal, same(decimal.Decimal(1 << 120)))
    yield "str", (str, lambda count: [f"{number:x}." for number in range(count)])
    yield (
        "str, wide",
        (str, lambda count: [chr(0x4E00 + number % 9999) + chr(0x4E00 + number // 9999) for number in range(count)]),
    )
    yield (
        "str, astral",
        (str, lambda count: [chr(0x10000 + number % 0xFFFFF) + chr(0xE0 + number // 0xFFFFF) for number in range(count)]),
    )
    for kind in (bytes, bytearray, memoryview):
        yield kind.__name__, (kind, same(kind(b"")))
        yield f"{kind.__name__}, long", (kind, same(kind(bytes(20))))
    yield "uuid", (uuid.UUID, lambda count: [uuid.UUID(int=number) for number in range(count)])
    yield "date", (datetime.date, same(datetime.date(2000, 1, 1)))
    yield "time", (datetime.time, same(datetime.time(1)))
    yield "datetime", (datetime.datetime, same(datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)))
    yield "timedelta", (datetime.timedelta, same(datetime.timedelta(0)))
    yield "timestamp", (Annotated[int, pack.TIMESTAMP], same(1 << 60))
    yield "enum", (Color, same(Color.RED))


def containers() -> Iterator[tuple[str, Shape]]:
    """Lists of small containers of every class."""
    for size in SIZES:
        numbers = list(range(1000, 1000 + size))
        yield f"list of {size}", (list[bool], same([False] * size))
        yield f"tuple of {size}", (tuple[bool, ...], same((False,) * size))
        yield f"set of {size}", (set[int], same(set(numbers)))
        yield f"frozenset of {size}", (frozenset[int], same(frozenset(numbers)))
        yield f"dict of {size}", (dict[int, bool], same(dict.fromkeys(numbers, False)))
        yield f"dict of {size} texts", (dict[str, bool], same({f"{number:x}": False for number in numbers}))
        yield f"deque of {size}", (deque[bool], same(deque([False] * size)))
        yield f"OrderedDict of {size}", (OrderedDict[int, bool], same(OrderedDict.fromkeys(numbers, False)))
        yield f"defaultdict of {size}", (defaultdict[int, bool], same(defaultdict(bool, dict.fromkeys(numbers, False))))
        yield f"Counter of {size}", (Counter[int], same(Counter(numbers)))
        yield f"any list of {size}", (Any, same([None] * size))
        yield f"any dict of {size}", (Any, same(dict.fromkeys(numbers)))
        yield f"any numbers of {size}", (Any, same(array.array("b", bytes(size))))
        yield f"array of {size}", (Annotated[array.array, pack.F64], same(array.array("d", bytes(8 * size))))
        yield f"memoryview of {size}", (Annotated[memoryview, pack.I8], same(memoryview(bytes(size)).cast("b")))
        yield f"numpy of {size}", (npt.NDArray[np.int8], same(np.zeros(size, np.int8)))


def structs() -> Iterator[tuple[str, Shape]]:
    """Lists of structs of every kind of class, and structs in every place."""
    for width in (1, 2, 6, 8, 32):
        for kind in ("dataclass", "slots", "msgspec", "attrs", "namedtuple", "typeddict"):
            made = record(kind, width)
            value = made(**{f"f{place}": None for place in range(width)})
            yield f"{kind} of {width}", (made, same(value))
            yield f"option of {kind} of {width}", (made | None, same(value))
    yield "option", (int | None, same(None))
    yield "pair", (tuple[bool, bool], same((False, False)))
    yield "recursive", (Node, same(Node(Node())))
    yield "union", (Empty | Other, same(Other()))
    yield "empty member", (Empty | Other, same(Empty()))
    yield "ref", (Annotated[Leaf, pack.REF], lambda count: [Leaf() for _ in range(count)])


def anys() -> Iterator[tuple[str, Shape]]:
    """Every kind of value in an `any`."""
    for name, value in {
        "None": None, "int": 1 << 62, "float": 0.5, "bytes": b"", "decimal": decimal.Decimal(0), "uuid": uuid.UUID(int=0),
        "date": datetime.date(2000, 1, 1), "time": datetime.time(1), "datetime": datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC),
        "timedelta": datetime.timedelta(0), "TimestampNs": pack.TimestampNs(1), "TimeNs": pack.TimeNs(1),
        "DurationNs": pack.DurationNs(1), "bigint": 1 << 120,
    }.items():  # fmt: skip
        yield f"any {name}", (Any, same(value))
    yield "any str", (Any, lambda count: [f"{number:x}." for number in range(count)])


def shapes() -> dict[str, Shape]:
    """All shapes by name."""
    return dict([*scalars(), *containers(), *structs(), *anys()])


def codec(kind: Any, cells: int = pack.Limits().cells) -> pack.Codec[Any]:
    """The codec of a list of a type."""
    return pack.codec(list[kind], namespace=globals(), limits=pack.Limits(cells=cells))


def cells_of(kind: Any, message: bytes, guess: int) -> int:
    """How many cells a message takes: the least limit under which it is read, which is soon found near a good guess."""

    def enough(cells: int) -> bool:
        try:
            codec(kind, cells).decode(message)
        except pack.SamewireError:
            return False
        return True

    low, high = 1, guess
    while not enough(high):
        low, high = high + 1, 2 * high
    while low < high:
        middle = (low + high) // 2
        if enough(middle):
            high = middle
        else:
            low = middle + 1
    return low


def fullest(shape: Shape, cells: int) -> tuple[bytes, int]:
    """The longest message within so many cells and their share of bytes; and the cells that it takes."""
    kind, values = shape
    few, many = (codec(kind).encode(values(count)) for count in (100, 300))
    first = cells_of(kind, few, 512)
    each = (cells_of(kind, many, 3 * first) - first) / 200
    count = int(min((cells - 10) / each, cells * BYTES_A_CELL / ((len(many) - len(few)) / 200 + 0.01)))
    while True:
        message = codec(kind).encode(values(count))
        if len(message) <= cells * BYTES_A_CELL:
            return message, int(count * each)
        count = int(count * 0.9)


def forked(work: Callable[[], float]) -> float:
    """What `work` returns, called in a process of its own."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(into, repr(work()).encode())
        os._exit(0)
    os.close(into)
    with os.fdopen(out, encoding="ascii") as said:
        text = said.read()
    os.waitpid(child, 0)
    return float(text)


def resident(line: str) -> int:
    """Bytes of memory by a line of the process's status: VmRSS, now, or VmHWM, at most so far."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return 1024 * int(status.split(f"{line}:")[1].split()[0])


def measure(shape: Shape, cells: int, file: Path) -> float:
    """Bytes that decoding takes at its peak for each cell that is allowed."""

    def write() -> float:
        file.write_bytes(fullest(shape, cells)[0])
        return 0

    def read() -> float:
        message, own = file.read_bytes(), codec(shape[0])
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
        before = resident("VmRSS")
        value = own.decode(message)
        peak = resident("VmHWM") - before
        assert value
        return peak / cells

    forked(write)
    return forked(read)


def main(arguments: list[str]) -> None:
    """Prints the figures."""
    cells, wanted = int(arguments[0]), arguments[1:]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "message"
        every = shapes()
        print(json.dumps({name: measure(every[name], cells, file) for name in wanted or every}))


if __name__ == "__main__":
    main(sys.argv[1:])
