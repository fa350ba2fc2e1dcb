"""Random values of a schema, in the notation of spec/vectors/README.md.

Biased to edges: extremes of numbers, lists around the size of a block, repeated and new texts, Latin-1 and wide. Values
that some language cannot hold are left out (README.md).
"""

from __future__ import annotations

import random
from typing import Any
from uuid import UUID

from spec.oracle.pack.notation import NAN, float_text, key_order, numeric
from spec.oracle.pack.rows import limits_of
from spec.oracle.pack.schema import (
    FLOATS,
    INTEGERS,
    Enum,
    List,
    Map,
    Option,
    Ref,
    Scalar,
    Set,
    Struct,
    Tuple,
    Type,
    Union,
)
from spec.oracle.pack.times import BILLION, DATE_MAX, DATE_MIN, SECONDS_MAX, SECONDS_MIN, TIME_MAX

DEEPEST = 12
COUNTS = [0, 0, 1, 1, 2, 3, 5, 8]
ROW_COUNTS = [0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 127, 128, 129, 200, 256, 257]
TEXT_LENGTHS = [0, 1, 2, 2, 3, 4, 5, 6, 8, 12, 20, 27, 28, 29, 30, 94, 95, 96, 97, 130]
LATIN = "abcdefghijklmnopqrstuvwxyz ABC0123456789_-.\x00\n\x7f\x80\xa0\xe9\xfc\xff"
BEYOND = "\u0100\u0416\u05d0\u4e2d\u6587\u20ac\ud7ff\ue000\ufeff\ufffd\U0001f600\U00010000\U0010ffff"
ANY_NUMBERS = ["i8", "i16", "i32", "i64", "u16", "u32", "u64", "f32", "f64"]
FLOAT_EDGES = {
    "f32": ["00000000", "80000000", "3f800000", "7f800000", "ff800000", "00000001", "7f7fffff", NAN["f32"]],
    "f64": ["0" * 16, "8" + "0" * 15, "3ff0000000000000", "7ff0000000000000", "fff0000000000000"]
    + ["0000000000000001", "7fefffffffffffff", "40c3880000000000", NAN["f64"]],
}


class Heights:
    """Computes the depth of the shallowest value of each type; None for a type without finite values."""

    def __init__(self) -> None:
        self.known: dict[int, int] = {}

    def of(self, t: Type, inside: frozenset[int] = frozenset()) -> int | None:
        match t:
            case Scalar() | Enum() | Option() | List() | Set() | Map():
                return 0
            case Tuple():
                return self.most([self.of(item, inside) for item in t.items])
            case Ref():
                return self.of(t.item, inside)
            case Union():
                found = [height for height in (self.of(m, inside) for m in t.structs()) if height is not None]
                return min(found, default=None)
            case Struct():
                if id(t) in self.known:
                    return self.known[id(t)]
                if id(t) in inside:
                    return None
                height = self.most([self.of(inner, inside | {id(t)}) for _, inner in t.fields])
                if height is None:
                    return None
                if not inside:
                    self.known[id(t)] = height + 1
                return height + 1

    @staticmethod
    def most(heights: list[int | None]) -> int | None:
        found = [height for height in heights if height is not None]
        return max(found, default=0) if len(found) == len(heights) else None


class ValueMaker:
    """Makes values of one schema. The same generator and schema give the same values."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.heights = Heights()
        self.words: list[str] = []
        self.shared: list[Struct] = []
        self.budget = 0
        self.repetition = 0.0

    def value(self, t: Type) -> Any:
        """Returns the value of one message, with its own repeated texts and shared structs."""
        self.words = []
        self.shared = []
        self.budget = self.rng.choice([20, 60, 200, 600, 600, 3000])
        self.repetition = self.rng.choice([0.0, 0.02, 0.3, 0.6, 0.9])
        return self.make(t, 0)

    def make(self, t: Type, depth: int) -> Any:
        self.budget -= 1
        match t:
            case Scalar():
                return self.any(depth) if t.name == "any" else self.scalar(t.name)
            case Enum():
                return self.rng.choice(t.symbols)
            case Option():
                return None if self.small(depth) or self.rng.random() < 0.3 else self.make(t.item, depth)
            case List():
                return self.row(t.item, self.count(t.item, depth), depth)
            case Set():
                return sorted(self.keys(t.item, depth), key=key_order(t.item))
            case Map():
                keys = self.keys(t.key, depth)
                self.rng.shuffle(keys)
                return [[key, value] for key, value in zip(keys, self.row(t.value, len(keys), depth), strict=True)]
            case Tuple():
                return [self.make(item, depth) for item in t.items]
            case Struct():
                return {name: self.make(inner, depth + 1) for name, inner in t.fields}
            case Union():
                return self.union(t, depth)
            case Ref():
                return self.ref(t, depth)

    def small(self, depth: int) -> bool:
        return depth >= DEEPEST or self.budget < 0

    def count(self, t: Type, depth: int) -> int:
        if self.small(depth):
            return 0
        plain = isinstance(t, Scalar | Enum) or (isinstance(t, Option) and isinstance(t.item, Scalar))
        long = self.rng.random() < (0.5 if numeric(t) else 0.15 if plain or self.budget > 500 else 0.0)
        return self.rng.choice(ROW_COUNTS if long else COUNTS)

    def row(self, t: Type, count: int, depth: int) -> list[Any]:
        name = numeric(t)
        if name in INTEGERS:
            return self.integers(name, count)
        return [self.make(t, depth + 1) for _ in range(count)]

    def keys(self, t: Type, depth: int) -> list[Any]:
        distinct = dict.fromkeys(self.row(t, self.count(t, depth), depth))
        return list(distinct)

    def union(self, t: Union, depth: int) -> Any:
        members = t.structs()
        if self.small(depth):
            heights = {id(member): self.heights.of(member) for member in members}
            possible = [member for member in members if heights[id(member)] is not None]
            member = min(possible, key=lambda member: heights[id(member)] or 0)
        else:
            member = self.rng.choice([member for member in members if self.heights.of(member) is not None])
        return {member.name: self.make(member, depth)}

    def ref(self, t: Ref, depth: int) -> Any:
        earlier = [number for number, struct in enumerate(self.shared) if struct is t.item]
        if earlier and (self.small(depth) or self.rng.random() < 0.5):
            return {"ref": self.rng.choice(earlier)}
        value = self.make(t.item, depth)
        assert isinstance(t.item, Struct)
        self.shared.append(t.item)
        return {"ref": len(self.shared) - 1, "value": value}

    # Scalars

    def scalar(self, name: str) -> Any:
        rng = self.rng
        if name in INTEGERS:
            return self.integers(name, 1)[0]
        if name in FLOATS:
            return self.float(name)
        match name:
            case "bool":
                return rng.random() < 0.5
            case "bigint":
                return str(self.bigint())
            case "decimal":
                scale = rng.choice([0, 1, 2, 2, 3, 9, -1, -5, 40, rng.randint(-1000, 1000), (1 << 31) - 1, -(1 << 31)])
                return f"{self.bigint()}/{scale}"
            case "string":
                return self.text()
            case "bytes":
                return rng.randbytes(rng.choice([0, 1, 2, 5, 16, 127, 128, 200])).hex()
            case "uuid":
                return str(UUID(int=rng.choice([0, 1, (1 << 128) - 1, rng.getrandbits(128), rng.getrandbits(128)])))
            case "date":
                return str(rng.choice([0, -1, DATE_MIN, DATE_MAX, rng.randint(DATE_MIN, DATE_MAX), rng.randint(0, 25_000)]))
            case "time":
                return str(self.exact(rng.choice([0, TIME_MAX, rng.randint(0, TIME_MAX)])))
            case "timestamp":
                low, high = SECONDS_MIN * BILLION, SECONDS_MAX * BILLION + BILLION - 1
                recent = rng.randint(1_500_000_000, 1_900_000_000) * BILLION + rng.randrange(BILLION)
                return str(self.exact(rng.choice([0, -1, low, high, rng.randint(low, high), recent, recent])))
            case "duration":
                edges = [0, 1, -1, (1 << 63) * BILLION - 1, -(1 << 63) * BILLION]
                return str(self.exact(rng.choice([*edges, rng.randint(-(10**13), 10**13), rng.randint(-(10**9), 10**9)])))
        raise AssertionError(name)

    def exact(self, nanoseconds: int) -> int:
        """Returns nanoseconds, often whole microseconds, milliseconds or seconds."""
        unit = self.rng.choice([1, 1_000, 1_000_000, BILLION])
        return nanoseconds // unit * unit if nanoseconds >= 0 else -(-nanoseconds // unit * unit)

    def float(self, name: str) -> str:
        if self.rng.random() < 0.4:
            return self.rng.choice(FLOAT_EDGES[name])
        return float_text(name, self.rng.getrandbits(FLOATS[name]))

    def bigint(self) -> int:
        number = self.rng.getrandbits(self.rng.choice([1, 7, 8, 9, 15, 16, 31, 32, 63, 64, 65, 127, 128, 300, 2000]))
        return -number if self.rng.random() < 0.5 else number

    def integers(self, name: str, count: int) -> list[str]:
        """Returns a row of one pattern: small, increasing, arbitrary, with outliers, or extremes."""
        rng = self.rng
        low, high = limits_of(name)
        habit = rng.choice(["small", "increasing", "any", "mostly small", "extremes", "one"])
        width = rng.randint(1, INTEGERS[name])
        least = low if rng.random() < 0.5 else 0
        start = rng.randint(low, high) // 2
        made: list[int] = []
        for i in range(count):
            spread = rng.randint(0, (1 << width) - 1)
            match habit:
                case "small":
                    number = max(least, -spread) if least < 0 and rng.random() < 0.5 else spread
                case "increasing":
                    number = start + i * 3
                case "any":
                    number = rng.randint(low, high)
                case "mostly small":
                    number = rng.randint(low, high) if rng.random() < 0.05 else spread % 50
                case "extremes":
                    number = rng.choice([low, high, 0, 1, high - 1, low + 1])
                case _:
                    number = made[0] if made else rng.randint(low, high)
            made.append(min(high, max(low, number)))
        return [str(number) for number in made]

    def text(self) -> str:
        """Returns a new text or one of this message. Some repeat so few that dedup slots are disabled."""
        if self.words and self.rng.random() < self.repetition:
            return self.rng.choice(self.words)
        length = self.rng.choice(TEXT_LENGTHS)
        letters = LATIN if self.rng.random() < 0.7 else LATIN[:8] + BEYOND
        text = "".join([self.rng.choice(letters) for _ in range(length)])
        self.words.append(text)
        return text

    # any

    def any(self, depth: int) -> Any:
        rng = self.rng
        self.budget -= 1
        kind = rng.choice(["null", "bool", "int", "int", "f64", "string", "string", "scalar", "numbers", "list", "map", "map"])
        if kind in ("list", "map", "numbers") and self.small(depth):
            kind = "int"
        match kind:
            case "null":
                return None
            case "bool":
                return rng.random() < 0.5
            case "int":
                return self.any_integer()
            case "scalar":
                name = rng.choice(["bytes", "decimal", "uuid", "date", "time", "timestamp", "duration"])
                return {name: self.scalar(name)}
            case "numbers":
                name = rng.choice(ANY_NUMBERS)
                count = rng.choice(ROW_COUNTS)
                numbers = [self.float(name) for _ in range(count)] if name in FLOATS else self.integers(name, count)
                return {f"{name}s": numbers}
            case "list":
                return {"list": [self.any(depth + 1) for _ in range(rng.choice(COUNTS))]}
            case "map":
                keys = self.any_keys()
                return {"map": [[key, self.any(depth + 1)] for key in keys]}
            case _:
                return {kind: self.scalar(kind)}

    def any_integer(self) -> Any:
        number = self.rng.choice([0, 1, 127, 128, -1, self.bigint(), int(self.scalar("i64")), int(self.scalar("i32"))])
        return {"int" if -(1 << 63) <= number < 1 << 63 else "bigint": str(number)}

    def any_keys(self) -> list[Any]:
        count = self.rng.choice(COUNTS)
        texts = self.rng.random() < 0.7
        keys: list[Any] = []
        for _ in range(count):
            key = {"string": self.text()} if texts else self.any_integer()
            if "bigint" not in key and key not in keys:
                keys.append(key)
        return keys
