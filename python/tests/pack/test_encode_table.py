"""Messages of tables (spec/tables.md, section 3): `encode_table` writes the bytes that `encode` does for the same rows."""

# Classes that are made at run time stand where types stand.
# mypy: disable-error-code="valid-type"

from __future__ import annotations

import functools
import random
import signal
import struct
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, make_dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import pytest
from arrow_writer import Batch, Column, Interrupting, Producer, column, dictionary, rows, union
from hypothesis import given, settings
from hypothesis import strategies as st
from samewire import pack
from samewire.errors import SamewireError
from test_tables import LENGTHS, MAKERS, Circle, Nested, Point, Side, Square

Make = Callable[[list[Any]], Column]


def of(form: str, *parts: Any) -> Make:
    return lambda values: column(form, values, *parts)


def refused(call: Any) -> SamewireError:
    with pytest.raises(SamewireError) as caught:
        call()
    return caught.value


# What `table` returns.


def rescaled(row: Any) -> Any:
    """Decimals as a table has them."""
    return replace(row, k=row.k.quantize(Decimal(1).scaleb(-18))) if isinstance(row, Nested) else row


@pytest.mark.parametrize("profile", ["compact", "fast"])
@pytest.mark.parametrize("kind", MAKERS)
def test_a_table_is_encoded_as_its_rows_are(kind: Any, profile: str) -> None:
    r = random.Random(f"{kind.__name__}{profile}back")
    codec = pack.codec(list[kind], profile=profile)
    for length in LENGTHS:
        made = [MAKERS[kind](r) for _ in range(length)]
        data = codec.encode(made)
        wanted = codec.encode([rescaled(row) for row in codec.decode(data)])
        forms: list[dict[str, Any]] = [{}, {"strings": "view"}, {"time_unit": "ns"}]
        for options in forms:
            if options == {"time_unit": "ns"} and kind.__name__ in ("Timed", "Optional"):
                continue
            assert codec.encode_table(codec.table(data, **options)) == wanted


@pytest.mark.parametrize("options", [{"digest": True}, {"check": False}, {}])
def test_the_header_is_that_of_encode(options: Any) -> None:
    codec = pack.codec(list[Point], **options)
    data = codec.encode([Point(1.5, "a")])
    assert codec.encode_table(codec.table(data)) == data


# What others export.

INTEGERS = dict(zip(["I8", "I16", "I32", "I64", "U8", "U16", "U32", "U64"], "csilCSIL", strict=True))
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
TEXTS = ["", "a", "exactly 12 b", "thirteen byte", "é" * 7, "日本語のテキスト", "x" * 300, "😀", "a"]
SYMBOLS = [("BUY", Side.BUY), ("SELL", Side.SELL), ("BUY", Side.BUY)]
LONG = 10**37 + 1
SOME_UUIDS = [UUID(int=0), UUID(int=2**128 - 1), UUID(int=2**100 + 7)]


def same(values: list[Any]) -> list[tuple[Any, Any]]:
    return [(value, value) for value in values]


def times(unit: int) -> list[tuple[int, Any]]:
    return [(n * unit, timedelta(seconds=n)) for n in (0, 5, -7, 86_399)]


UNITS = {"s": 1, "m": 1000, "u": 10**6, "n": 10**9}

#: The type of a field, values of a column with what they are in Python, and the column that holds them.
CASES: dict[str, tuple[Any, list[tuple[Any, Any]], Make]] = {
    "bool": (bool, same([True, False, True]), of("b")),
    **{
        f"{name} from {form}": (Annotated[int, getattr(pack, name)], same([0, 1, 100, 127]), of(form))
        for name in INTEGERS
        for form in [*INTEGERS.values(), "d:38,0", "d:76,0,256"]
    },
    "i64 in full": (int, same([-(2**63), 2**63 - 1, 0]), of("l")),
    "u64 in full": (Annotated[int, pack.U64], same([2**64 - 1, 0]), of("L")),
    "i64 from u64": (int, same([2**63 - 1, 0]), of("L")),
    "f64": (float, same([0.5, -0.0, 1e300, float("inf")]), of("g")),
    "f64 from f32": (float, same([0.5, -0.0, 2.0**100]), of("f")),
    "f64 from integers": (float, [(1, 1.0), (-(2**53), -(2.0**53))], of("l")),
    "f32": (Annotated[float, pack.F32], same([0.5, -0.0]), of("f")),
    "f32 from f64": (Annotated[float, pack.F32], same([0.1, 1e-300, float("-inf")]), of("g")),
    "f32 from integers": (Annotated[float, pack.F32], [(1, 1.0), (2**24 + 1, 2.0**24 + 1)], of("i")),
    **{
        f"bigint from {form}": (Annotated[int, pack.BIGINT], same([0, 1, -1, -128, 127]), of(form))
        for form in ("c", "l", "d:38,0", "d:76,0,256")
    },
    "large bigint": (Annotated[int, pack.BIGINT], same([LONG, -LONG, 2**64]), of("d:38,0")),
    "larger bigint": (Annotated[int, pack.BIGINT], same([2**255 - 1, -(2**255), -(2**127) - 1]), of("d:76,0,256")),
    "decimal": (Decimal, [(125, Decimal("1.25")), (-100, Decimal("-1.00")), (0, Decimal("0.00"))], of("d:38,2")),
    "decimal of a negative scale": (Decimal, [(125, Decimal("125e3")), (0, Decimal("0e3"))], of("d:38,-3")),
    "decimal256": (Decimal, [(10**70, Decimal(f"{10**66}.0000")), (-1, Decimal("-0.0001"))], of("d:76,4,256")),
    **{f"string from {form}": (str, same(TEXTS), of(form)) for form in ("u", "U", "vu")},
    **{f"bytes from {form}": (bytes, same([b"", b"\xff", b"x" * 40, b"abc"]), of(form)) for form in ("z", "Z", "vz")},
    "bytes from w:3": (bytes, same([b"abc", b"\0\1\2"]), of("w:3")),
    "uuid": (UUID, [(one.bytes, one) for one in SOME_UUIDS], of("w:16")),
    "uuid from binary": (UUID, [(one.bytes, one) for one in SOME_UUIDS], of("z")),
    "uuid from text": (UUID, [(str(one).upper(), one) for one in SOME_UUIDS], of("vu")),
    "date": (date, [(n, date(1970, 1, 1) + timedelta(n)) for n in (0, -719_162, 2_932_896)], of("tdD")),
    "date64": (date, [(n * 86_400_000, date(1970, 1, 1) + timedelta(n)) for n in (0, -5, 20_000)], of("tdm")),
    **{
        f"time in {unit}": (time, [(n * each, (EPOCH + timedelta(seconds=n)).time()) for n in (0, 86_399)], of(f"tt{unit}"))
        for unit, each in UNITS.items()
    },
    **{
        f"timestamp in {unit}": (datetime, [(n, EPOCH + moved) for n, moved in times(each)], of(f"ts{unit}:Europe/Zurich"))
        for unit, each in UNITS.items()
    },
    **{f"duration in {unit}": (timedelta, times(each), of(f"tD{unit}")) for unit, each in UNITS.items()},
    "nanoseconds": (Annotated[int, pack.TIMESTAMP], same([-1, 1, 2**62]), of("tsn:UTC")),
    "microseconds": (datetime, [(-1, EPOCH - timedelta(microseconds=1))], of("tsu:UTC")),
    "enum": (Side, SYMBOLS, of("u")),
    "enum in a dictionary": (Side, SYMBOLS, functools.partial(dictionary, "C", made=of("U"))),
    **{
        f"string in a dictionary by {index}": (str, same(TEXTS), functools.partial(dictionary, index, made=of("vu")))
        for index in INTEGERS.values()
    },
    "i64 in a dictionary": (int, same([5, 6, 5]), functools.partial(dictionary, "s", made=of("i"))),
    **{
        f"list from {form}": (list[int | None], same([[1, None, 3], [], [4], [None]]), of(form, of("l")))
        for form in ("+l", "+L", "+vl", "+vL")
    },
    "list from +w:2": (list[int | None], same([[1, None], [3, 4]]), of("+w:2", of("l"))),
    "list of texts": (list[str], same([["a", "bc"], [], ["d" * 20]]), of("+L", of("vu"))),
    "list of numbers": (list[int], same([list(range(40)), [], [-1]]), of("+l", of("s"))),
    "list of lists": (list[list[bool]], same([[[True], []], [], [[False, True]]]), of("+l", of("+L", of("b")))),
    "set": (set[int], [([3, 1, 2], {1, 2, 3}), ([], set()), ([9], {9})], of("+l", of("l"))),
    "set of texts": (set[str], [(["\uffff", "\U0001f600", "a"], {"\uffff", "\U0001f600", "a"})], of("+L", of("U"))),
    "set of integers of any size": (
        set[Annotated[int, pack.BIGINT]], [([5, -3, 0, -300], {5, -3, 0, -300})], of("+l", of("i"))
    ),
}  # fmt: skip


def entries(key: Make, value: Make, *names: str) -> Make:
    def made(pairs: list[Any]) -> Column:
        parts = key([pair[0] for pair in pairs]).named(names[0]), value([pair[1] for pair in pairs]).named(names[1])
        return column("+s", pairs, *parts)

    return made


def points(values: list[Any]) -> Column:
    """Structs of x and label, in the other order."""
    held = [value or (0.0, "below a null") for value in values]
    return column("+s", values, column("u", [h[1] for h in held], name="label"), column("g", [h[0] for h in held], name="x"))


def pairs(values: list[Any]) -> Column:
    held = [value or (0, "below a null") for value in values]
    return column("+s", values, column("l", [h[0] for h in held], name="f0"), column("u", [h[1] for h in held], name="f1"))


PAIRS = [([("b", 1), ("a", 2)], {"b": 1, "a": 2}), ([], {}), ([("c", 3)], {"c": 3})]
POINT_ROWS = [((0.5, "a"), Point(0.5, "a")), ((1.5, None), Point(1.5, None))]
MAP = of("+m", entries(of("u"), of("l"), "keys", "values"))
CASES |= {
    "map": (dict[str, int], PAIRS, MAP),
    "map from a list": (dict[str, int], PAIRS, of("+L", entries(of("vu"), of("i"), "key", "value"))),
    "map of points": (
        dict[int, Point], [([(i, (0.5, "x")) for i in range(70)], {i: Point(0.5, "x") for i in range(70)}), ([], {})],
        of("+m", entries(of("l"), points, "key", "value")),
    ),
    "struct": (Point, POINT_ROWS, points),
    "list of structs": (
        list[Point], [([], []), *(([raw] * n, [value] * n) for n in (1, 70) for raw, value in POINT_ROWS)], of("+l", points)
    ),
    "tuple": (tuple[int, str], [((1, "a"), (1, "a")), ((2, "b"), (2, "b"))], pairs),
}  # fmt: skip


def check(kind: Any, values: list[Any], raw: list[Any], make: Make) -> None:
    """Compares with `encode`: whole, sliced, in batches."""
    row = make_dataclass("Row", [("n", int), ("v", kind)])
    numbers = column("l", range(len(raw)))
    held = make(raw)

    def part(start: int, length: int) -> Column:
        return rows(held.sliced(start, length).named("v"), numbers.sliced(start, length).named("n"))

    third = len(raw) // 3
    chunks = [part(0, third), part(third, 0), part(third, third + 1), part(2 * third + 1, len(raw) - 2 * third - 1)]
    for profile in "compact", "fast":
        codec = pack.codec(list[row], profile=profile)
        wanted = codec.encode([row(n, value) for n, value in enumerate(values)])
        assert codec.encode_table(Producer([part(0, len(raw))])) == wanted
        assert codec.encode_table(Batch([rows(held.named("v"), numbers.named("n"))])) == wanted
        assert codec.encode_table(Producer(chunks)) == wanted
        # Of a struct that is sliced itself.
        whole = rows(make(raw).named("v"), column("l", [n - 3 for n in range(len(raw))]).named("n")).sliced(3, len(raw) - 3)
        wanted = codec.encode([row(n, value) for n, value in enumerate(values[3:])])
        assert codec.encode_table(Producer([whole])) == wanted


@pytest.mark.parametrize("count", [5, 150])
@pytest.mark.parametrize("case", CASES)
def test_each_arrow_type_is_encoded_as_its_values_are(case: str, count: int) -> None:
    kind, known, make = CASES[case]
    chosen = [known[i % len(known)] for i in range(count)]
    raw, values = [one[0] for one in chosen], [one[1] for one in chosen]
    check(kind, values, raw, make)
    r = random.Random(case)
    there = [r.random() < 0.7 for _ in range(count)]
    check(
        kind | None, [v if t else None for v, t in zip(values, there, strict=True)],
        [v if t else None for v, t in zip(raw, there, strict=True)], make,
    )  # fmt: skip
    check(kind | None, [None] * count, [None] * count, of("n"))


def circles(values: list[Any]) -> Column:
    return column("+s", values, column("g", [value or 0.0 for value in values], name="r"), name="Circle")


def squares(values: list[Any]) -> Column:
    held = [value or 0 for value in values]
    return column("+s", values, column("i", held, name="side"), column("n", [None] * len(held), name="note"), name="Square")


@pytest.mark.parametrize("count", [5, 150])
@pytest.mark.parametrize("dense", [True, False])
def test_unions_are_dense_or_sparse_and_their_members_in_any_order(dense: bool, count: int) -> None:
    chosen = [(i % 2, i / 2 if i % 2 else i) for i in range(count)]
    check(
        Circle | Square, [Circle(value) if member else Square(int(value), None) for member, value in chosen], chosen,
        lambda values: union(values, [squares, circles], dense),
    )  # fmt: skip
    nulls = [(member, value if i % 3 else None) for i, (member, value) in enumerate(chosen)]
    check(
        Circle | Square | None,
        [None if value is None else Circle(value) if member else Square(int(value), None) for member, value in nulls],
        nulls, lambda values: union(values, [squares, circles], dense),
    )  # fmt: skip
    only = [Circle(i / 2) for i in range(count)]
    check(Circle | Square, only, [(0, one.r) for one in only], lambda values: union(values, [circles], dense))


NUMBERS = st.lists(st.one_of(st.none(), st.integers(-(2**31), 2**31 - 1)), max_size=90)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.text(max_size=20), NUMBERS, st.one_of(st.none(), st.floats(allow_nan=False))), max_size=90), st.data()
)
def test_any_rows_are_encoded_as_encode_does(made: list[tuple[str, list[int | None], float | None]], data: Any) -> None:
    row = make_dataclass("Row", [("a", str), ("b", list[Annotated[int, pack.I32] | None]), ("c", float | None)])
    text, numbers = data.draw(st.sampled_from(["u", "U", "vu"])), data.draw(st.sampled_from(["+l", "+L", "+vl", "+vL"]))
    table = rows(
        column("g", [one[2] for one in made], name="c"), column(numbers, [one[1] for one in made], of("l"), name="b"),
        column(text, [one[0] for one in made], name="a"),
    )  # fmt: skip
    cut = data.draw(st.integers(0, len(made)))
    codec = pack.codec(list[row], profile=data.draw(st.sampled_from(["compact", "fast"])))
    batches = [table.sliced(0, cut), table.sliced(cut, len(made) - cut)]
    assert codec.encode_table(Producer(batches)) == codec.encode([row(*one) for one in made])


# What is refused.


@dataclass
class Small:
    n: Annotated[int, pack.I8]
    tags: list[str]


def small(n: Column, tags: Column) -> Producer:
    return Producer([rows(n.named("n"), tags.named("tags"))])


GOOD = column("l", [1, 2, 3]), column("+l", [["a"], [], ["b", "c"]], of("u"))


def test_values_that_do_not_fit_are_named_by_row_and_path() -> None:
    codec = pack.codec(list[Small])

    def fails(table: Any, code: str, path: str, text: str) -> None:
        error = refused(lambda: codec.encode_table(table))
        assert (error.code, error.path) == (code, path), error
        assert text in (error.text or "")

    fails(small(column("l", [1, 2, 128]), GOOD[1]), "type_mismatch", "$[2].n", "128 is out of range for i8 (-128 to 127)")
    fails(small(column("d:38,0", [1, 2, 10**37]), GOOD[1]), "type_mismatch", "$[2].n", "out of range for i8")
    fails(small(column("l", [1, None, 3]), GOOD[1]), "type_mismatch", "$[1].n", "got a null: the field is not optional")
    fails(small(GOOD[0], column("+l", [["a"], [], ["b", None]], of("u"))), "type_mismatch", "$[2].tags[1]", "null")
    fails(small(GOOD[0], column("+l", [["a"], None, []], of("u"))), "type_mismatch", "$[1].tags", "null")
    broken = column("+L", [["a"], [], ["b", "c"]], lambda _: column("u", [b"a", b"b", b"\xff"]))
    fails(small(GOOD[0], broken), "bad_utf8", "$[2].tags[1]", "valid UTF-8")
    null = dictionary("c", [1, 2, None], of("l"))
    fails(small(null, GOOD[1]), "type_mismatch", "$[2].n", "null")
    fails(small(dictionary("c", [1, 2, 300], of("l")), GOOD[1]), "type_mismatch", "$[2].n", "300 is out of range")
    table = rows(GOOD[0].named("n"), GOOD[1].named("tags"))
    late = rows(column("l", [1000], name="n"), column("+l", [[]], of("u"), name="tags"))
    fails(Producer([table, late]), "type_mismatch", "$[3].n", "1000 is out of range")
    fails(Batch([replace(table, buffers=[b"\x05"])]), "type_mismatch", "$[1]", "expected a row, got a null")


@pytest.mark.parametrize(
    ("kind", "make", "values", "text"),
    [
        (time, of("tts"), [0, 86_400], "a time of day"),
        (time, of("ttn"), [0, -1], "a time of day"),
        (date, of("tdm"), [0, 86_400_001], "whole days"),
        (date, of("tdD"), [0, 2_932_897], "the years 1 to 9999"),
        (datetime, of("tss:UTC"), [0, 2**62], "the years 1 to 9999"),
        (float, of("l"), [0, 2**53 + 1], "no float holds exactly"),
        (Annotated[float, pack.F32], of("g"), [0, 1e300], "1e300 is out of range for f32"),
        (UUID, of("z"), [bytes(16), b"short"], "expected a UUID, got 5 bytes"),
        (UUID, of("u"), [str(UUID(int=1)), "no UUID"], 'got "no UUID"'),
        (Side, of("u"), ["BUY", "HOLD"], 'expected a symbol of Side, got "HOLD"'),
        (set[int], of("+l", of("l")), [[1], [2, 3, 2]], "each element once"),
        (dict[str, int], MAP, [[("a", 1)], [("b", 1), ("b", 2)]], "each key once"),
    ],
)
def test_values_without_a_place_are_refused(kind: Any, make: Make, values: list[Any], text: str) -> None:
    row = make_dataclass("Row", [("v", kind)])
    error = refused(lambda: pack.codec(list[row]).encode_table(Producer([rows(make(values).named("v"))])))
    assert (error.code, error.path) == ("type_mismatch", "$[1].v")
    assert text in (error.text or "")


def test_paths_lead_into_maps_and_unions() -> None:
    row = make_dataclass("Row", [("m", dict[Annotated[int, pack.I8], Annotated[int, pack.I8]]), ("u", Circle | Square)])
    codec = pack.codec(list[row])

    def path(pairs: Any, shapes: Any, dense: bool) -> str | None:
        maps = of("+m", entries(of("l"), of("l"), "key", "value"))([[(1, 1)], pairs])
        table = rows(maps.named("m"), union(shapes, [squares, circles], dense, name="u"))
        error = refused(lambda: codec.encode_table(Producer([table])))
        assert error.code == "type_mismatch"
        return error.path

    good = [(0, 1), (1, 0.5)]
    for dense in True, False:
        assert path([(1, 2), (300, 1)], good, dense) == "$[1].m[1].key"
        assert path([(1, 2), (3, 300)], good, dense) == "$[1].m[1].value"
        assert path([], [(0, 1), (1, None)], dense) == "$[1].u"


def test_columns_that_are_missing_or_too_many_are_named() -> None:
    codec = pack.codec(list[Small])
    n, tags = GOOD[0].named("n"), GOOD[1].named("tags")
    for table, path, text in [
        (rows(n), "$[].tags", 'expected a column "tags", got "n"'),
        (rows(n, tags, column("l", [1, 2, 3], name="more")), "$[].more", 'expected no column "more"'),
        (rows(n, tags, column("l", [1, 2, 3], name="n")), "$[].n", "got several"),
    ]:
        error = refused(lambda t=table: codec.encode_table(Producer([t])))
        assert (error.code, error.path) == ("schema_mismatch", path)
        assert text in (error.text or "")
    row = make_dataclass("Row", [("p", list[Point])])
    error = refused(
        lambda: pack.codec(list[row]).encode_table(
            Producer([rows(of("+l", lambda v: column("+s", v, column("g", v, name="x")))([[1.0]]).named("p"))])
        )
    )
    assert (error.code, error.path) == ("schema_mismatch", "$[].p[].label")


@pytest.mark.parametrize(
    ("kind", "wrong", "text"),
    [
        (int, column("u", ["1"]), 'expected integers, or a decimal of scale 0, got string (Arrow format "u"): cast'),
        (int, column("g", [1.0]), "got float64"),
        (int, column("d:38,2", [100]), "got decimal"),
        (int, column("n", [None]), "for optional fields only"),
        (str, column("z", [b"a"]), "expected string"),
        (datetime, column("tsu:", [1]), "got timestamp without a time zone"),
        (float, column("b", [True]), "expected float32 or float64"),
        (list[int], column("l", [1]), "expected a list"),
        (dict[str, int], column("+l", [[1]], of("l")), "expected a map"),
        (str, dictionary("c", [1], of("l")), "got int64"),
        (Decimal, column("g", [1.0]), "expected decimal128"),
        (bool, column("C", [1]), "expected bool, got uint8"),
        (timedelta, replace(column("l", [1]), format="tin"), 'a type (Arrow format "tin")'),
    ],
)
def test_columns_of_another_type_are_named(kind: Any, wrong: Column, text: str) -> None:
    row = make_dataclass("Row", [("v", kind)])
    error = refused(lambda: pack.codec(list[row]).encode_table(Producer([rows(wrong.named("v"))])))
    assert (error.code, error.path) == ("type_mismatch", "$[].v")
    assert text in (error.text or "")


def test_limits_are_those_of_encode() -> None:
    numbers = [random.Random(i).random() for i in range(100)]
    table = rows(column("g", numbers, name="x"), column("n", [None] * 100, name="label"))
    made = [Point(number, None) for number in numbers]
    for limits in {"items": 99}, {"cells": 50}, {"frame_bytes": 40}:
        codec = pack.codec(list[Point], limits=pack.Limits(**limits))
        calls = functools.partial(codec.encode, made), functools.partial(codec.encode_table, Producer([table]))
        errors = [refused(call) for call in calls]
        assert errors[0].code == errors[1].code
    # No memory says how long an array of nulls is.
    row = make_dataclass("Row", [("v", list[int | None])])
    endless = Column("+L", 1, [None, struct.pack("=2q", 0, 2**55)], [Column("n", 2**55, [])], name="v")
    error = refused(lambda: pack.codec(list[row]).encode_table(Producer([rows(endless)])))
    assert (error.code, error.path) == ("limit_items", "$[0].v")
    error = refused(lambda: pack.codec(list[Point]).encode_table(Producer([replace(table, length=2**60)])))
    assert error.code == "malformed"


@pytest.mark.parametrize(
    ("kind", "broken"),
    [
        (str, Column("u", 2, [None, struct.pack("=3i", 0, 2, 1), b"abc"])),
        (str, Column("u", 2, [None, struct.pack("=3i", -1, 2, 3), b"abc"])),
        (str, Column("u", 2, [None, struct.pack("=3i", 0, 2, 3)])),
        (str, Column("u", 2, [None, None, b"abc"])),
        (str, Column("vu", 1, [None, struct.pack("=i4sii", 13, b"abcd", 0, 1), b"x" * 13, struct.pack("=q", 13)])),
        (str, Column("vu", 1, [None, struct.pack("=i4sii", 13, b"abcd", 1, 0), b"x" * 13, struct.pack("=q", 13)])),
        (str, Column("vu", 1, [None, struct.pack("=i4sii", -1, b"abcd", 0, 0), b"x" * 13, struct.pack("=q", 13)])),
        (str, Column("c", 1, [None, b"\x05"], dictionary=column("u", ["a"]))),
        (str, Column("c", 1, [None, b"\xff"], dictionary=column("u", ["a"]))),
        (int, Column("l", 1, [None])),
        (int, Column("l", 1, [None, None])),
        (int, Column("l", -1, [None, bytes(8)])),
        (int, Column("l", 1, [None, bytes(8)], offset=-1)),
        (list[int], Column("+l", 1, [None, struct.pack("=2i", 0, 3)], [column("l", [1, 2])])),
        (list[int], Column("+l", 2, [None, struct.pack("=3i", 0, 2, 1)], [column("l", [1, 2])])),
        (list[int], Column("+vl", 1, [None, struct.pack("=i", 1), struct.pack("=i", 2)], [column("l", [1, 2])])),
        (list[int], Column("+w:3", 1, [None], [column("l", [1, 2])])),
        (Point, Column("+s", 2, [None], [column("g", [1.0], name="x"), column("u", ["a", "b"], name="label")])),
        (Circle | Square, Column("+ud:0", 1, [b"\x05", bytes(4)], [circles([1.0])])),
        (Circle | Square, Column("+ud:0", 1, [b"\x00", struct.pack("=i", 7)], [circles([1.0])])),
        (Circle | Square, Column("+us:0", 1, [b"\xff"], [circles([1.0])])),
    ],
)
def test_what_can_be_checked_of_an_array_is_checked(kind: Any, broken: Column) -> None:
    row = make_dataclass("Row", [("v", kind)])
    made = Producer([Column("+s", max(broken.length, 1), [None], [broken.named("v")])])
    error = refused(lambda: pack.codec(list[row]).encode_table(made))
    assert error.code == "malformed", error
    assert made.made == made.released


# The life of what is handed over.


def test_everything_is_released_once() -> None:
    codec = pack.codec(list[Small])
    good = rows(GOOD[0].named("n"), GOOD[1].named("tags"))
    bad = rows(column("l", [1, 2, 300], name="n"), GOOD[1].named("tags"))
    cases: list[tuple[list[Column | str], dict[str, int]]] = [
        ([good, good], {"stream": 1, "schema": 1, "array": 2}),
        ([good, bad], {"stream": 1, "schema": 1, "array": 2}),
        ([good, "the disk is gone"], {"stream": 1, "schema": 1, "array": 1}),
        ([rows(GOOD[0].named("n"))], {"stream": 1, "schema": 1}),
    ]
    for batches, released in cases:
        made = Producer(batches)
        with suppress(SamewireError, OSError):
            codec.encode_table(made)
        assert made.released == made.made == released
    for batch in good, bad:
        one = Batch([batch])
        with suppress(SamewireError):
            codec.encode_table(one)
        assert one.released == one.made == {"schema": 1, "array": 1}


def test_an_empty_stream_is_an_empty_list() -> None:
    codec = pack.codec(list[Small])
    kind = rows(GOOD[0].named("n"), GOOD[1].named("tags"))
    some: list[list[Column]] = [[], [kind.sliced(0, 0)], [kind.sliced(2, 0), kind.sliced(0, 0)]]
    for batches in some:
        assert codec.encode_table(Producer(batches, kind)) == codec.encode([])


class Stopped(Exception):
    pass


def test_a_signal_stops_a_stream_of_empty_batches_without_end() -> None:
    kind = rows(GOOD[0].named("n"), GOOD[1].named("tags"))
    most = 1_000
    endless = Interrupting([kind.sliced(0, 0)] * most)

    def stop(*_: object) -> None:
        raise Stopped

    before = signal.signal(signal.SIGINT, stop)
    try:
        with pytest.raises(Stopped):
            pack.codec(list[Small]).encode_table(endless)
    finally:
        signal.signal(signal.SIGINT, before)
    assert endless.made["array"] == 1


def test_a_stream_is_read_until_its_rows_are_too_many() -> None:
    kind = rows(GOOD[0].named("n"), GOOD[1].named("tags"))
    endless = Producer([kind] * 1_000)
    codec = pack.codec(list[Small], limits=pack.Limits(items=10 * kind.length))
    error = refused(lambda: codec.encode_table(endless))
    assert error.code == "limit_items"
    assert endless.made["array"] <= 11
    assert endless.made == endless.released


def test_a_producers_failure_is_an_oserror_with_its_text() -> None:
    table = Producer([rows(GOOD[0].named("n"), GOOD[1].named("tags")), "the disk is gone"])
    with pytest.raises(OSError, match="the disk is gone") as caught:
        pack.codec(list[Small]).encode_table(table)
    assert caught.value.errno == 5


def test_what_is_no_table_is_a_type_error() -> None:
    codec = pack.codec(list[Small])
    others: list[Any] = [[], {"n": [1]}, None, b""]
    for other in others:
        with pytest.raises(TypeError, match="encode_table\\(\\) takes a table that has __arrow_c_stream__"):
            codec.encode_table(other)

    class Wrong:
        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return 5

    class Used:
        def __init__(self) -> None:
            self.capsule = codec.table(codec.encode([])).__arrow_c_stream__()

        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return self.capsule

    with pytest.raises(ValueError, match="PyCapsule"):
        codec.encode_table(Wrong())
    used = Used()
    assert codec.encode_table(used) == codec.encode([])
    assert refused(lambda: codec.encode_table(used)).code == "misuse"


def test_codecs_without_tables_say_so() -> None:
    table = Producer([rows(GOOD[0].named("n"))])
    for kind in Small, list[int], dict[str, Small], list[Any]:
        assert refused(lambda k=kind: pack.codec(k).encode_table(table)).code == "unsupported"
    error = refused(
        lambda: pack.codec(list[Small]).resolve("list<struct Small { n: i8, tags: list<string> }>").encode_table(table)
    )
    assert error.code == "misuse"


# Record files.


def test_a_table_is_written_to_a_record_file(tmp_path: Path) -> None:
    for kind, make in MAKERS.items():
        made = [make(random.Random(i)) for i in range(100)]
        codec = pack.codec(list[kind])
        paths = tmp_path / "one.records", tmp_path / "other.records"
        with pack.RecordWriter[Any](paths[0], kind, block_bytes=2000) as writer:
            writer.write_many([rescaled(row) for row in codec.decode(codec.encode(made))])
        with pack.RecordWriter[Any](paths[1], kind, block_bytes=2000) as writer:
            writer.write_table(codec.table(codec.encode(made)))
            assert writer.records == 100
        assert paths[0].read_bytes() == paths[1].read_bytes()


def test_batches_before_a_row_at_fault_are_records(tmp_path: Path) -> None:
    path = tmp_path / "small.records"
    good = rows(GOOD[0].named("n"), GOOD[1].named("tags"))
    bad = rows(column("l", [1, 2, 300], name="n"), GOOD[1].named("tags"))
    with pack.RecordWriter(path, Small) as writer:
        error = refused(lambda: writer.write_table(Producer([good, bad])))
        assert (error.code, error.path) == ("type_mismatch", "$.n")
        assert "row 5: 300 is out of range" in (error.text or "")
        with pytest.raises(TypeError, match="write_table\\(\\) takes a table"):
            writer.write_table([])  # type: ignore[arg-type]
    with pack.RecordReader(path, Small) as reader:
        assert list(reader) == [Small(1, ["a"]), Small(2, []), Small(3, ["b", "c"])]
    assert refused(lambda: writer.write_table(Producer([good]))).code == "closed"
