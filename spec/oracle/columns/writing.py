"""Which bytes a writer of columns makes (columns.md sections 1 to 6): each mode, and both sides of each of its rules."""

from __future__ import annotations

from itertools import pairwise, product

from spec.oracle.pack.bit_packing import PLAIN, pack_all
from spec.oracle.pack.canonical import canonical
from spec.oracle.pack.cases.table import Topic, f32, f64, tidy, varint
from spec.oracle.pack.columns import MARK
from spec.oracle.pack.columns_writer import single
from spec.oracle.pack.encode import encode, is_columnar
from spec.oracle.pack.notation import Value
from spec.oracle.pack.parse import parse
from spec.oracle.pack.rows import limits_of
from spec.oracle.pack.schema import INTEGERS

TOPIC = Topic("writing", "columns.md")
ROWS = 64


def scattered(count: int, bits: int) -> list[int]:
    """Returns numbers below a power of two, far from their neighbours."""
    return [(i * 0x9E3779B97F4A7C15 % (1 << 64)) >> 64 - bits for i in range(1, count + 1)]


def whole(name: str, schema: str, value: Value, named: int = 0) -> None:
    """Adds a value. It is kept in rows of the profile `fast`."""
    TOPIC.rewritten(name, schema, value, "compact", named)


def of(kind: str) -> str:
    return f"list<struct Row {{ a: {kind} }}>"


def column(name: str, kind: str, values: list[Value]) -> None:
    """Adds a list of structs with one field."""
    whole(name, of(kind), [{"a": value} for value in values])


def written(kind: str, values: list[Value]) -> bytes:
    """Returns the bytes of a column of more than 63 values."""
    data = encode(parse(canonical(parse(of(kind)))), tidy([{"a": value} for value in values]))
    count = bytes.fromhex(varint(len(values) + MARK))
    return data[data.rindex(count) + len(count) :]


def mode(name: str, kind: str, wanted: int, values: list[Value]) -> None:
    """Adds a column whose first byte is a mode, written by hand."""
    if written(kind, values)[0] != wanted:
        raise AssertionError(f"{name}: mode {written(kind, values)[0]}, not {wanted}")
    column(name, kind, values)


def columnar(name: str, schema: str, value: Value, wanted: bool) -> None:
    """Adds a value of which the profile makes something columnar, or nothing."""
    t = parse(canonical(parse(schema)))
    if is_columnar(t, tidy(value)) != wanted:
        raise AssertionError(f"{name}: columnar is not {wanted}")
    whole(name, schema, value)


# Section 1: where.
for count in (0, 1, 63, 64):
    columnar(f"{count} elements", of("i8"), [{"a": i} for i in range(count)], count >= 64)
for count in (67, 68):
    fields = ", ".join(f"f{i}: bool" for i in range(17))
    columnar(f"{count} elements of 17 columns", f"list<struct Wide {{ {fields} }}>", [{f"f{i}": i == j % 17 for i in range(17)} for j in range(count)], count >= 68)  # fmt: skip
NESTED = (
    "a: option<list<i8>>, b: map<bool, option<bool>>, c: tuple<i8, bool>, d: struct In { x: i8, y: set<bool> }, "
    "e: struct Tree { kids: list<Tree> }, f: any, g: union { In }"
)
LINE: dict[str, Value] = {
    "a": None,
    "b": [[True, None]],
    "c": [1, True],
    "d": {"x": 1, "y": [True]},
    "e": {"kids": []},
    "f": None,
    "g": {"In": {"x": 1, "y": []}},
}
for columns in (15, 16):
    more = ", h: bool" if columns == 16 else ""
    line = LINE | ({"h": True} if columns == 16 else {})
    for count in (67, 68)[: columns - 14]:
        columnar(f"{count} entries of {columns} columns and a key", f"map<u8, struct Nest {{ {NESTED}{more} }}>", [[i, line] for i in range(count)], count == 68 or columns == 15)  # fmt: skip
POINT = "struct Point { x: i32, y: i32 }"


def points(count: int) -> list[Value]:
    return [{"x": i, "y": -i} for i in range(count)]


columnar("tuples", "list<tuple<i32, string>>", [[i, "ab"] for i in range(ROWS)], True)
columnar("a map of structs, its keys in their order", f"map<string, {POINT}>", [[f"k{i * 37 % 64}", {"x": i, "y": 7}] for i in range(ROWS)], True)  # fmt: skip
columnar("a map of tuples", "map<timestamp, tuple<bool>>", [[i * 10**9, [i % 2 == 0]] for i in range(ROWS)], True)
columnar("a struct that holds a recursive one", of("struct Tree { kids: list<Tree> }"), [{"a": {"kids": [{"kids": []}] * (i % 2)}} for i in range(ROWS)], True)  # fmt: skip
columnar("numbers stay", "list<i32>", list(range(100)), False)
columnar("texts stay", "list<string>", [f"t{i % 3}" for i in range(100)], False)
columnar("a set stays", "set<i16>", list(range(100)), False)
columnar("a map of numbers stays", "map<u8, i32>", [[i, i] for i in range(100)], False)
columnar("options of structs stay", f"list<option<{POINT}>>", points(100), False)
columnar("shared structs stay", f"list<ref<{POINT}>>", [{"ref": i, "value": p} for i, p in enumerate(points(100))], False)
columnar("unions stay", f"list<union {{ {POINT} }}>", [{"Point": p} for p in points(100)], False)
columnar("recursive structs stay", "list<struct Tree { kids: list<Tree> }>", [{"kids": []}] * 100, False)
columnar("an any stays", "any", {"list": [{"map": [[{"string": "x"}, {"int": "1"}]]}] * 100}, False)
columnar("a list of long lists", f"list<list<{POINT}>>", [points(2), points(64), points(70), points(63)], True)
columnar("a long list of short lists", f"list<list<{POINT}>>", [points(i % 3) for i in range(100)], False)
columnar("structs inside options inside lists", f"list<option<struct Page {{ points: list<{POINT}> }}>>", [None, {"points": points(64)}, {"points": points(3)}], True)  # fmt: skip
columnar("a list within shared structs", f"list<ref<struct Page {{ points: list<{POINT}> }}>>", [{"ref": 0, "value": {"points": points(64)}}, {"ref": 0}], True)  # fmt: skip
columnar("a list within a recursive struct within a column", f"list<struct Row {{ a: struct Tree {{ kids: list<Tree>, points: list<{POINT}> }} }}>", [{"a": {"kids": [], "points": points(64 if i == 3 else 1)}} for i in range(ROWS)], True)  # fmt: skip
columnar("lists of structs within a column", of(f"list<{POINT}>"), [{"a": points(70 if i == 9 else i % 3)} for i in range(ROWS)], True)  # fmt: skip
columnar("maps of structs within a column", of(f"map<u8, {POINT}>"), [{"a": [[i, p] for i, p in enumerate(points(i % 3))]} for i in range(ROWS)], True)  # fmt: skip
TWO = "struct Two { first: list<struct Line { n: u16, text: string }>, rows: list<string>, second: list<Line>, by: map<string, Line> }"
columnar(
    "several lists, and texts that refer to each other",
    TWO,
    {
        "first": [{"n": i, "text": f"name {i}"} for i in range(ROWS)],
        "rows": ["name 3", "other"],
        "second": [{"n": 7, "text": f"name {i * 2}"} for i in range(70)],
        "by": [[f"name {i}", {"n": i, "text": "other"}] for i in range(ROWS)],
    },
    True,
)
whole("a digest", of("i8"), [{"a": i} for i in range(ROWS)], named=8)


# Section 3: integers.
def sums(values: list[int]) -> tuple[int, int]:
    """Returns S1 and S2, for numbers whose differences fit in 63 bits."""
    steps = [2 * d if d >= 0 else -2 * d - 1 for d in (b - a for a, b in pairwise(values))]
    return sum((v - min(values)).bit_length() for v in values), sum(step.bit_length() for step in steps)


def summing(difference: int) -> list[int]:
    """Returns integers with S2 = S1 + difference."""
    for high in range(1, 200):
        for low in range(60):
            values = [3] * 10 + [high if i % 2 else low for i in range(20)] + [high] * 34
            for last in range(40):
                one, two = sums([*values, last])
                if two == one + difference:
                    return [*values, last]
    raise AssertionError(difference)


for difference, wanted in ((-1, 2), (0, 1), (1, 1)):
    mode(f"S2 = S1 + {difference}", "i32", wanted, summing(difference))
# Of more than 128 integers the sample decides: those at its positions and the ones before them.
for count in (129, 192, 1000):
    sample = {i * count // 128 for i in range(128)}
    seen = sample | {position - 1 for position in sample}
    wild = scattered(count, 20)
    mode(f"a sample of {count} in order", "i32", 2, [i * 9 if i in seen else wild[i] for i in range(count)])
    mode(f"a sample of {count} in no order", "i32", 1, [wild[i] if i in sample else wild[i] + 1 for i in range(count)])
    least = next(i for i in range(2, count) if i not in sample)
    mode(f"the least of {count} outside the sample", "i64", 1, [-(1 << 40) if i == least else 7 + i % 2 for i in range(count)])
mode("steps to the sample alone", "u16", 1, [1000 + i % 7 if i % 2 else 0 for i in range(256)])


def of_size(kind: str, less: int) -> list[int]:
    """Returns integers that take m × the type's width − less bytes after the mode byte in mode 1: with less = 0 they are raw."""
    size = INTEGERS[kind] // 8
    low, high = limits_of(kind)
    width = min(size * 8 - 1, 32)
    for count, small, large in product(range(ROWS, ROWS + 9), range(3), range(1, 64)):
        values = [low, *(low + number for number in scattered(count - 1, width))]
        values[1 : 1 + small] = [low + (1 << min(width + 7, size * 8 - 1))] * small
        values[5 : 5 + large] = [high - i if i % 2 else low + (1 << size * 8 - 1) + i for i in range(min(large, count - 5))]
        high_bits = [(value - low) >> width for value in values]
        guess = 4 + sum(1 + (bits.bit_length() + 6) // 7 for bits in high_bits if bits) + (count * width + 7) // 8
        if abs(guess - count * size) > 12:
            continue
        packed = len(single(kind, low)) + len(pack_all([value - low for value in values], PLAIN))
        one, two = sums(values)
        if packed == count * size - less and one <= two:
            return values
    raise AssertionError((kind, less))


for name in ("i8", "i16", "u32", "i64"):
    mode(f"{name}, packed as long as raw", name, 0, of_size(name, 0))
    mode(f"{name}, packed one byte shorter", name, 1, of_size(name, 1))
for bits in (8, 16, 32, 64):
    low, high = -(1 << bits - 1), (1 << bits - 1) - 1
    mode(f"i{bits} in no order", f"i{bits}", 0, [low, high, *(low + number for number in scattered(62, bits))])
    mode(f"u{bits} in no order", f"u{bits}", 0, [0, 2 * high + 1, *scattered(62, bits)])
    mode(f"i{bits} about the least", f"i{bits}", 1, [low + i * 5 % 7 for i in range(ROWS)])
    mode(f"u{bits} about the most", f"u{bits}", 1, [2 * high + 1 - i * 5 % 7 for i in range(ROWS)])
    mode(f"i{bits} that fall", f"i{bits}", 2, [high - 2 * i for i in range(ROWS)])
    mode(f"u{bits} that rise", f"u{bits}", 2, [2 * i for i in range(ROWS)])
for count in (128, 129, 130, 257):
    mode(f"{count} integers in blocks", "i32", 2, [i * i // 9 + (1 << 20) * (i == 100) for i in range(count)])
mode("integers that are all the same", "i64", 1, [-(1 << 63)] * ROWS)
mode("steps that wrap", "i64", 2, [((1 << 63) - 1) if i // 16 % 2 else -(1 << 63) for i in range(ROWS)])
mode("steps of the greatest size", "i64", 2, [(1 << 62) * (i % 4 // 2 * 2 - 1) for i in range(ROWS)])
mode("offsets of 64 bits", "u64", 1, [0] * 30 + [(1 << 64) - 1] + [0] * 2 + [1 << 63] + [0] * 30)
mode("integers beyond 53 bits", "u64", 2, [(1 << 53) - 20 + i for i in range(ROWS)])
mode("negative integers beyond 53 bits", "i64", 2, [-(1 << 53) + 20 - i for i in range(ROWS)])
mode("offsets beyond 32 bits", "i64", 1, [-(10**12) + number for number in scattered(ROWS, 34)])
for bits in (31, 32, 51, 52, 53):
    for far in ((1 << bits) - 1, 1 << bits):
        mode(f"one of 64 is {far:,} above", "i64", 1, [-5, far - 5, *(i * 5 % 7 - 5 for i in range(62))])
        mode(f"half of 64 are {far:,} above", "u64", 2, [*range(32), *(far + i for i in range(-31, 1))])
    mode(f"sums that are equal, of {bits} bits", "i64", 1, [1 << bits - 1, *[0] * 63])
    mode(f"steps that are one bit shorter, of {bits} bits", "u64", 2, [1 << bits - 1, *[0] * 60, 1, 1, 1])
mode("exceptions in a block", "u32", 1, [(1 << 31) + i if i % 21 == 0 else i * 7 % 8 for i in range(ROWS)])
mode("dates", "date", 1, [[-719_162, 2_932_896, 0, -1][i % 4] for i in range(ROWS)])
mode("dates in order", "date", 2, [18_000 + i for i in range(ROWS)])
mode("times of day", "time", 1, [[0, 86_399_999_999_999, 1][i % 3] for i in range(ROWS)])
mode("times of day in order", "time", 2, [i * 60 * 10**9 for i in range(ROWS)])
SYMBOLS = ", ".join(f"s{i:03}" for i in range(300))
mode("an enum", "enum Suit { clubs, diamonds, hearts, spades }", 1, [["spades", "clubs", "hearts"][i % 3] for i in range(ROWS)])
mode("an enum of 300 symbols", f"enum Many {{ {SYMBOLS} }}", 2, [f"s{i * 4:03}" for i in range(ROWS)])
mode("an enum of one symbol", "enum Only { one }", 1, ["one"] * ROWS)
for kind, number, wanted in (("u8", 200, 0), ("i16", 5, 0), ("i32", 63, 1), ("i32", 64, 0), ("u32", 127, 1), ("u32", 128, 0), ("i64", 1 << 40, 0), ("i64", 1 << 33, 1)):  # fmt: skip
    column(f"one {kind}: {number}, mode {wanted}", f"option<{kind}>", [number if i == 40 else None for i in range(ROWS)])
    assert written(f"option<{kind}>", [number if i == 40 else None for i in range(ROWS)])[8] == wanted
for count in (2, 3, 7):
    column(f"{count} integers", "option<i32>", [i * 3 if i < count else None for i in range(ROWS)])

# Section 4: times.
SECOND = 10**9
LOW, HIGH = -62_135_596_800 * SECOND, (253_402_300_799 + 1) * SECOND - 1
MOST = (1 << 63) - 1
for kind, name, wanted, values in (
    ("timestamp", "seconds", 0, [i * 5 % 7 * SECOND for i in range(ROWS)]),
    ("timestamp", "milliseconds", 1, [1_700_000_000 * SECOND + i * 10**6 for i in range(ROWS)]),
    ("timestamp", "microseconds", 2, [-i * 1000 for i in range(ROWS)]),
    ("timestamp", "nanoseconds", 3, [1_700_000_000 * SECOND + i for i in range(ROWS)]),
    ("timestamp", "seconds but one of microseconds", 2, [i * SECOND + 1000 * (i == 63) for i in range(ROWS)]),
    ("timestamp", "the whole calendar in seconds", 0, [LOW, HIGH - SECOND + 1, *[0] * 62]),
    ("timestamp", "the whole calendar in milliseconds", 1, [LOW, HIGH - 999_999, *[0] * 62]),
    ("timestamp", "the whole calendar in nanoseconds", 4, [LOW, HIGH, *[0] * 62]),
    ("timestamp", "the greatest i64 of nanoseconds", 3, [MOST] * ROWS),
    ("timestamp", "one nanosecond more", 4, [MOST + 1] * ROWS),
    ("timestamp", "the least i64 of nanoseconds", 3, [-MOST - 1] * ROWS),
    ("timestamp", "one nanosecond less", 4, [-MOST - 2, *[0] * 63]),
    ("duration", "days", 0, [i * 86_400 * SECOND for i in range(ROWS)]),
    ("duration", "nothing", 0, [0] * ROWS),
    ("duration", "negative nanoseconds", 3, [-1 - i * i for i in range(ROWS)]),
    ("duration", "the greatest i64 of seconds", 0, [MOST * SECOND, (-MOST - 1) * SECOND, *[0] * 62]),
    ("duration", "the greatest i64 of microseconds", 2, [MOST * 1000] * ROWS),
    ("duration", "one microsecond more", 4, [(MOST + 1) * 1000] * ROWS),
    ("duration", "the longest ones", 4, [MOST * SECOND + SECOND - 1, (-MOST - 1) * SECOND, *range(62)]),
):
    mode(f"{kind}, {name}", kind, wanted, values)

# Section 5: floats. `ODD` is not decimal with any e.
ODD = 1e200
SMALL = [5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, float("inf"), float("-inf"), float("nan"), -0.0]


def floats(name: str, wanted: int, numbers: list[float], exponent: int | None = None) -> None:
    values = [f64(number) for number in numbers]
    assert exponent is None or written("f64", values)[1] == exponent, (name, written("f64", values)[:2].hex())
    mode(name, "f64", wanted, values)


for exponent in range(16):
    floats(f"{exponent} decimals", 1, [(i * 10 + 1) / 10.0**exponent for i in range(-20, 44)], exponent)
floats("2^53 and less", 1, [float((1 << 53) - 2 * i) for i in range(ROWS)], 0)
floats("-2^53 and more", 1, [float(-(1 << 53) + 2 * i) for i in range(ROWS)], 0)
floats("numbers that 0.5 rounds away", 0, [float((1 << 52) + 2 * i + 1) for i in range(ROWS)])
floats("numbers that 0.5 keeps", 1, [float((1 << 52) + 2 * i) for i in range(ROWS)], 0)
floats("just below a half", 1, [0.49999999999999994, -0.49999999999999994, 0.5, -0.5, *[3.0] * 55, ODD, *[ODD] * 4], 1)
floats("beyond 2^53", 0, [float((1 << 53) + 2 * i + 2) for i in range(ROWS)])
floats("large powers of ten", 2, [float(f"1e{15 + i % 12}") for i in range(ROWS)])
floats("numbers that are no numbers", 2, [float("nan") if i % 2 else float("inf") for i in range(ROWS)])
floats("eight exceptions of 64", 1, [SMALL[i // 8 % 7] if i % 8 == 3 else i / 4 for i in range(ROWS)], 2)
floats("nine exceptions of 64", 0, [ODD * (1 + i) if i % 8 == 3 or i == 0 else i / 4 for i in range(ROWS)])
floats("exceptions first and last", 1, [ODD if i in (0, 1, 63) else i / 2 for i in range(ROWS)], 1)
floats("one exception", 1, [-0.0 if i == 9 else float(i) for i in range(ROWS)], 0)
for count in (128, 129):
    size = min(count, 128)
    sample = {i * count // size for i in range(size)}
    need = -(-7 * size // 8)
    for less in (0, 1):
        # All but a few of the sample are whole; those few have one decimal, and so has what the sample leaves out, up to ⌊m/8⌋.
        tenths = sorted(sample)[3 : 3 + size - need + less]
        numbers = [float(i) if i not in tenths else i + 0.5 for i in range(count)]
        floats(f"{need - less} of a sample of {size} of {count} are whole", 1, numbers, less)
outside = [i for i in range(160) if i not in {j * 160 // 128 for j in range(128)}]
for few in (19, 20, 21):
    floats(f"{few} of 160 are not decimal, outside the sample", 1 if few <= 20 else 0, [ODD * (1 + i) if i in outside[:few] else i / 8 for i in range(160)])  # fmt: skip
for few in (31, 32, 33):
    floats(f"{few} of 64 numbers are distinct", 2 if few <= 32 else 0, [ODD * (1 + i % few) for i in range(ROWS)])
for few in (32, 33):
    floats(f"{few} of 65 numbers are distinct", 2 if few <= 32 else 0, [ODD * (1 + i % few) for i in range(65)])
for few in (128, 129):
    floats(f"{few} of {2 * few} numbers are distinct, all at first", 2 if few == 128 else 0, [ODD * (1 + i % few) for i in range(2 * few)])  # fmt: skip
floats("129 of 258 numbers are distinct, one repeated early", 2, [ODD * max(i % 129, 1) for i in range(258)] + [ODD])
column("one float", "option<f64>", [f64(2.5) if i == 7 else None for i in range(ROWS)])
column("one float that is not decimal", "option<f64>", [f64(ODD) if i == 7 else None for i in range(ROWS)])
column("two equal floats that are not decimal", "option<f64>", [f64(ODD) if i in (7, 9) else None for i in range(ROWS)])
column("floats of 4 bytes", "f32", [*(f32(i / 3) for i in range(61)), f32(float("nan")), f32(float("-inf")), f32(-0.0)])


# Section 6: strings. Texts of one character have no number.
def text(i: int) -> str:
    return chr(0x21 + i // 90) + chr(0x21 + i % 90)


for few in (31, 32, 33):
    mode(f"{few} of 64 texts are distinct", "string", 1 if few <= 32 else 0, [text(i % few) for i in range(ROWS)])
for few in (32, 33):
    column(f"{few} of 65 texts are distinct", "string", [text(i % few) for i in range(65)])
EARLY = [text(i) for i in range(129)]
mode("128 of 256 texts are distinct, all at first", "string", 1, [*EARLY[:128], *["!!"] * 128])
mode("129 of 258 texts are distinct, all at first", "string", 0, [*EARLY, *["!!"] * 129])
mode("129 of 258 texts are distinct, one repeated early", "string", 1, ["!!", *EARLY, *["!!"] * 128])
column("empty texts", "string", [""] * ROWS)
column("texts of one character", "string", [chr(0x41 + i) for i in range(ROWS)])
column("texts of 95 and 96 characters", "option<string>", [["x" * 95, "y" * 96, "z" * 125][i % 3] if i < 6 else None for i in range(ROWS)])  # fmt: skip
column("long texts that do not repeat", "option<string>", ["x" * (93 + i) if i < 5 else None for i in range(ROWS)])
column("Latin and other texts", "string", [["é", "日本", "😀", "", "\x00", "日本語" * 12][i % 6] for i in range(ROWS)])
column("128 misses", "string", [text(i) for i in range(128)] + ["!!"] * 10)
column("one text", "option<string>", ["one" if i == 7 else None for i in range(ROWS)])
column("two equal texts", "option<string>", ["one" if i in (7, 8) else None for i in range(ROWS)])
whole(
    "texts of one column in another",
    "list<struct Row { a: string, b: string, c: list<string> }>",
    [{"a": f"name {i % 5}", "b": f"name {i}", "c": [f"name {i}", "name 1"][: i % 3]} for i in range(ROWS)],
)

# Section 2: what else there is.
column("bytes", "bytes", [bytes(range(i % 5)) for i in range(ROWS)])
column("bytes without any", "bytes", [b""] * ROWS)
column("long bytes", "bytes", [bytes(200) if i == 3 else b"" for i in range(ROWS)])
column("uuids", "option<uuid>", [f"00112233-4455-6677-8899-{i:012x}" if i % 8 == 3 else None for i in range(ROWS)])
for count in (64, 65, 72):
    column(f"{count} booleans", "bool", [i % 3 == 0 or i > 62 for i in range(count)])
column("no option", "option<struct In { x: i8, y: string, z: list<f64> }>", [None] * ROWS)
column("every option", "option<i8>", list(range(ROWS)))
column("options of booleans", "option<bool>", [[None, False, True][i % 3] for i in range(67)])
IN = "struct In { x: i32, y: option<string>, z: option<struct Deep { w: bool }> }"
column("options within options", f"option<{IN}>", [{"x": i, "y": "y" if i % 3 else None, "z": {"w": i > 40} if i % 5 else None} if i % 2 else None for i in range(ROWS)])  # fmt: skip
column("options of lists of options", "option<list<option<i8>>>", [[i, None][: i % 3] if i % 4 else None for i in range(ROWS)])
column("options of tuples", "option<tuple<bool, u8>>", [[True, i] if i % 4 else None for i in range(ROWS)])
column("lists of lists", "list<list<i16>>", [[[j] * j for j in range(i % 4)] for i in range(ROWS)])
column("lists of more than 127", "list<u8>", [list(range(200)) if i == 5 else [] for i in range(ROWS)])
column("lists without elements", "list<struct In { x: i32 }>", [[]] * ROWS)
column("sets", "set<string>", [sorted({"b", "a", f"c{i}"}) for i in range(ROWS)])
column("sets of booleans", "set<bool>", [[False, True][: i % 3] for i in range(ROWS)])
column("sets of integers", "set<i32>", [[-i - 2, -1, 5] for i in range(ROWS)])
column("maps", "map<string, option<i64>>", [[[f"k{9 - j}", j or None] for j in range(i % 3)] for i in range(ROWS)])
column("maps of maps", "map<u8, map<bool, string>>", [[[j, [[True, "ab"], [False, "cd"]][: j + 1]] for j in range(i % 3)] for i in range(ROWS)])  # fmt: skip
column("tuples within structs", "tuple<i8, tuple<string, bool>, f64>", [[i, ["t", i > 9], f64(i / 2)] for i in range(ROWS)])
column("big integers", "bigint", [(1 << 2 * i) * (-1) ** i for i in range(ROWS)])
column("decimals", "decimal", [f"{i * 7}/{i % 3}" for i in range(ROWS)])
column("any", "any", [[{"int": str(i)}, {"string": "ab"}, None, {"list": [{"f64": f64(1.5)}]}][i % 4] for i in range(ROWS)])
column("unions", f"union {{ struct A {{ x: i8 }}, struct B {{ y: list<{POINT}> }} }}", [{"A": {"x": i}} if i % 2 else {"B": {"y": points(i // 60 * 64)}} for i in range(ROWS)])  # fmt: skip
whole(
    "shared structs",
    "struct Both { first: ref<struct Tag { id: u8 }>, rows: list<struct Row { a: ref<Tag>, b: i32 }> }",
    {
        "first": {"ref": 0, "value": {"id": "7"}},
        "rows": [{"a": {"ref": 1, "value": {"id": "8"}} if i == 0 else {"ref": i % 2}, "b": i} for i in range(ROWS)],
    },
)
