"""Out of memory: calls raise MemoryError, the process survives, and the codec works on."""

from __future__ import annotations

import datetime
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest
from samewire import pack
from test_memory import Many, many, steady

#: Encodes values that need more memory than the interpreter's limit allows, several times.
SCRIPT = """
import resource, sys
from typing import Any
from samewire import pack

ROOM = 100 << 20
limits = pack.Limits(frame_bytes=2**31 - 1, text_bytes=2**31 - 1, items=2**31 - 1, cells=2**31 - 1)
text, wide, raw = "\\xe9" * (1 << 20), "\\u0416" * (1 << 20), bytes(1 << 20)
numbers = [float(n) for n in range(1 << 20)]
calls = [(list[str], [text] * 400), (list[str], [wide] * 400), (Any, [text] * 400), (list[bytes], [raw] * 400),
         (list[list[float]], [numbers] * 50), (list[str], [f"text number {n}" for n in range(100_000)])]
cases = [(kind, pack.codec(kind, limits=limits), value) for kind, value in calls]
small = [codec.encode(value[:1]) for _, codec, value in cases]
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + ROOM, used + ROOM))
failed = 0
for (kind, codec, value), first in zip(cases, small):
    for call in (codec.encode, lambda it: codec.encode_into(it, bytearray()), lambda it: b"".join(codec.encode_chunks(it, 1 << 16))):
        try:
            call(value)
        except MemoryError:
            failed += 1
        assert codec.encode(value[:1]) == first, kind
print(failed)
"""


def test_messages_that_take_more_memory_than_there_is() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    # All but the last value, which is small enough.
    assert int(done.stdout) == 15


#: Memory that a codec and a scanner take beside the message: shared structs, and buffered bytes.
BUFFERED = """
import resource
from dataclasses import dataclass
from typing import Annotated
from samewire import pack


@dataclass(slots=True)
class Leaf:
    n: int


ROOM = 20 << 20
own = pack.codec(list[Annotated[Leaf, pack.REF]])
leaves = [Leaf(1) for _ in range(600_000)]
scanner = pack.FrameScanner(pack.Limits(frame_bytes=2**31 - 1, buffered_bytes=2**31 - 1))
scanner.feed(bytes([0x80, 0x80, 0x80, 0x40]))
piece = bytes(1 << 20)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + ROOM, used + ROOM))
try:
    own.encode(leaves)
except MemoryError:
    print("encode")
assert own.decode(own.encode(leaves[:3])) == leaves[:3]
try:
    for fed in range(128):
        scanner.feed(piece)
except MemoryError:
    print("feed", scanner.buffered == fed * len(piece) + 4)
"""


def test_what_is_held_beside_a_message_may_not_find_memory_either() -> None:
    done = subprocess.run([sys.executable, "-c", BUFFERED], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "encode\nfeed True\n"), done.stderr


def all_that_come(pieces: Iterator[bytes]) -> list[bytes]:
    """Returns the chunks of an iterator; each is requested again while an allocation fails, a later one each time."""
    come: list[bytes] = []
    at = 1
    while not come or come[-1]:
        try:
            # With a default for the end: CPython itself crashes if memory runs out while it raises StopIteration.
            come.append(without_memory(lambda: next(pieces, b""), at))
            at = 1
        except MemoryError:
            at += 1
    return come[:-1]


def test_a_frame_for_which_there_is_no_memory_is_still_to_come() -> None:
    scanner = pack.FrameScanner()
    messages = [bytes([0x80 + n]) * 700 for n in range(3)]
    scanner.feed(b"".join(map(pack.frame, messages)))
    assert all_that_come(scanner) == messages


def without_memory(call: Callable[[], Any], at: int) -> Any:
    """Returns the call's outcome if allocation number `at` fails; needs an interpreter that can inject failures."""
    if find_spec("_testcapi") is None:
        return call()
    hooks = import_module("_testcapi")
    hooks.set_nomemory(at, at + 1)
    try:
        return call()
    finally:
        hooks.remove_mem_hooks()


def failing(call: Callable[[], Any], step: int = 1) -> Iterator[str]:
    """Returns the outcomes of repeated calls, each failing at a later allocation than the one before, until none fails."""
    passed, at = 0, 0
    while passed < 5:
        at += step
        outcome = "passed"
        try:
            without_memory(call, at)
        except BaseException as error:
            outcome = repr(error)
        passed = passed + 1 if outcome == "passed" else 0
        yield outcome


@pytest.mark.parametrize("profile", pack.Profile)
def test_allocations_that_fail(profile: pack.Profile) -> None:
    own = pack.codec(Many, profile=profile)
    value = many()
    data = own.encode(value)
    calls: list[Callable[[], Any]] = [
        *(lambda: own.encode(value), lambda: own.encode_into(value, bytearray()), lambda: list(own.encode_chunks(value, 10))),
        *(lambda: own.decode(data), lambda: own.decode(bytearray(data)), lambda: own.decode(memoryview(data))),
    ]
    for call in calls:
        for outcome in failing(call):
            assert outcome in ("passed", "MemoryError()")
            assert own.encode(value) == data
            assert own.decode(data) == value


@dataclass(slots=True)
class Part:
    x: float
    count: int | None


@dataclass(slots=True)
class Row:
    """A field of every kind that columns have."""

    id: int
    name: str
    note: str | None
    real: float
    flag: bool
    when: datetime.datetime
    day: datetime.date
    key: uuid.UUID
    raw: bytes
    exact: Decimal
    part: Part
    other: Part | None
    texts: list[str]
    counts: dict[str, int]
    parts: list[Part]
    pair: tuple[int, float]


def row(n: int) -> Row:
    return Row(
        id=n * 7,
        name=f"name {n % 9}" if n % 3 else f"\u65e5 {n}",
        note=None if n % 4 else "a note",
        real=n / 7 if n % 2 else n / 4,
        flag=n % 2 == 0,
        when=datetime.datetime.fromtimestamp(n, datetime.UTC),
        day=datetime.date.fromordinal(n + 1),
        key=uuid.UUID(int=n << 64),
        raw=b"%d" % n,
        exact=Decimal(n) / 8,
        part=Part(n / 8, n if n % 2 else None),
        other=None if n % 5 else Part(1.5, 2),
        texts=[f"text {n}"] * (n % 4),
        counts={f"k{n}": n} if n % 3 else {},
        parts=[Part(n / 2, 1)] * (n % 3),
        pair=(n, n / 10),
    )


def test_allocations_that_fail_amid_columns() -> None:
    own = pack.codec(list[Row])
    rows = [row(n) for n in range(130)]
    data = own.encode(rows)
    assert len(data) < 0.6 * len(pack.codec(list[Row], profile="fast").encode(rows)), "these are columns"
    calls: list[Callable[[], Any]] = [
        *(lambda: own.encode(rows), lambda: own.encode_into(rows, bytearray())),
        *(lambda: list(own.encode_chunks(rows, 64)), lambda: own.decode(data), lambda: own.decode(memoryview(data))),
    ]
    for call in calls:
        outcomes = list(failing(call, 3))
        assert set(outcomes) <= {"passed", "MemoryError()"}
        assert own.encode(rows) == data
        assert own.decode(data) == rows
        with steady(call):
            list(failing(call, 3))


#: A fresh interpreter, in which the first call of all finds no memory.
FIRST = """
import _testcapi, sys
from samewire import pack

own = pack.codec(list[int])
at, wrong = 0, set()
while at < 40:
    at += 1
    _testcapi.set_nomemory(at, at + 1)
    try:
        own.encode_chunks([1], 64)
    except MemoryError:
        pass
    except BaseException as error:
        wrong.add(type(error).__name__)
    finally:
        _testcapi.remove_mem_hooks()
print(wrong)
"""


@pytest.mark.skipif(find_spec("_testcapi") is None, reason="needs an interpreter that can inject failures")
def test_the_first_chunks_for_which_there_is_no_memory() -> None:
    done = subprocess.run([sys.executable, "-c", FIRST], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "set()\n"), done.stderr


def test_a_piece_for_which_there_is_no_memory_is_still_to_come() -> None:
    own = pack.codec(list[str])
    value = [f"text {n}" for n in range(200)]
    assert b"".join(all_that_come(own.encode_chunks(value, 700))) == own.encode(value)
