"""Decides a type for each place of the data from what was observed there."""

from __future__ import annotations

from dataclasses import dataclass

from samewire.pack.names import KEYWORDS

from ..emit.casing import pascal
from .inferred_type import (
    InferredEnum,
    InferredForm,
    InferredList,
    InferredMap,
    InferredOption,
    InferredRecursion,
    InferredScalar,
    InferredStruct,
    InferredTuple,
    InferredType,
    InferredUnion,
)
from .observed import MAX_TEXTS, Observed
from .shapes import Shapes
from .symbols import are_symbols, names_things

#: Types nested deeper than this become `any`, so that schema text stays far from its own limit.
MAX_NESTING = 24
#: Lists of numbers that must have one length, and what length, to be tuples.
SAME_LENGTH = 16
TUPLES = range(2, 5)
_NUMERIC = ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f64")
_RANGES = {
    # Half of the range is left to larger numbers than the sample has.
    "roomy": (("i32", -(1 << 30), (1 << 30) - 1), ("i64", -(1 << 63), (1 << 63) - 1)),
    "tight": (
        *(("u8", 0, (1 << 8) - 1), ("i8", -(1 << 7), (1 << 7) - 1), ("u16", 0, (1 << 16) - 1)),
        *(("i16", -(1 << 15), (1 << 15) - 1), ("u32", 0, (1 << 32) - 1), ("i32", -(1 << 31), (1 << 31) - 1)),
        *(("u64", 0, (1 << 64) - 1), ("i64", -(1 << 63), (1 << 63) - 1)),
    ),
}


@dataclass(frozen=True)
class Options:
    """Options of `infer`.

    name: of the outermost struct. texts: whether strings become dates, times, UUIDs and decimals. enums: most symbols
    of an enum, 0 for no enums, at most 255. unions: whether objects with a discriminator field like `type` become
    members of a union. ints: `roomy` (i32, i64, bigint) or `tight` (the narrowest type that holds all values). tuples:
    whether lists of two to four numbers that all have one length become tuples.
    """

    name: str = "Record"
    texts: bool = True
    enums: int = 32
    ints: str = "roomy"
    tuples: bool = True
    unions: bool = True


class Decision:
    """One run over one tree of observations. Stores used names, and the structs by their shape."""

    def __init__(self, options: Options, shapes: Shapes) -> None:
        self.options = options
        self.shapes = shapes
        self.structs: dict[int, InferredStruct] = {}  # by the identity of what was observed
        self.unions: dict[int, InferredUnion] = {}  # as the structs
        self.open: set[str] = set()  # structs whose fields are being decided
        self.taken: dict[str, tuple[str, ...] | None] = {}  # None: a struct; else the enum's symbols

    def type(self, seen: Observed, name: str, outer: str, nesting: int = 0) -> InferredType:
        """Returns the type of a place. name: the place's. outer: the enclosing struct's."""
        inner = self._value(seen, name, outer, nesting)
        if not seen.nulls or inner == InferredScalar("any"):
            return inner
        return InferredOption(inner)

    def _value(self, seen: Observed, name: str, outer: str, nesting: int) -> InferredType:
        kinds = seen.kinds
        if len(kinds) != 1 or nesting >= MAX_NESTING:
            return InferredScalar("any")
        match kinds.pop():
            case "boolean":
                return InferredScalar("bool")
            case "integer":
                return InferredScalar(self._integer(seen))
            case "float":
                exact = not seen.integers or (abs(seen.low) <= 1 << 53 and abs(seen.high) <= 1 << 53)
                return InferredScalar("f64" if exact else "any")
            case "text":
                return self._text(seen, name, outer)
            case "list":
                assert seen.item is not None
                item = self.type(seen.item, singular(name), outer, nesting + 1)
                numeric = isinstance(item, InferredScalar) and item.kind in _NUMERIC
                if numeric and self.options.tuples and seen.lists >= SAME_LENGTH and seen.shortest == seen.most in TUPLES:
                    return InferredTuple(item, seen.most)
                return InferredList(item, numeric and 2 * seen.long >= seen.lists)
            case _:
                return self._object(seen, name, outer, nesting)

    def _integer(self, seen: Observed) -> str:
        for kind, low, high in _RANGES[self.options.ints]:
            if low <= seen.low and seen.high <= high:
                return kind
        return "u64" if seen.low >= 0 and seen.high < 1 << 64 else "bigint"

    def _text(self, seen: Observed, name: str, outer: str) -> InferredType:
        form = seen.text_form
        if self.options.texts and form is not None and not (form.kind == "decimal" and names_things(name)):
            return InferredForm(form)
        if not are_symbols(seen, name, min(self.options.enums, MAX_TEXTS - 1)):
            return InferredScalar("string")
        assert seen.distinct is not None
        ordered = tuple(sorted(seen.distinct, key=lambda symbol: symbol.encode("utf-16-be")))
        return InferredEnum(self._name(name, outer, ordered), ordered)

    def _object(self, seen: Observed, name: str, outer: str, nesting: int) -> InferredType:
        if seen.value is not None:
            return InferredMap(self.type(seen.value, singular(name), outer, nesting + 1))
        seen = self.shapes.joint(seen)
        if seen.variants:
            return self._union(seen, name, nesting)
        if (known := self.structs.get(id(seen))) is not None:
            return InferredRecursion(known) if known.name in self.open else known
        struct = self.structs[id(seen)] = InferredStruct(self._name(name, outer, None))
        self._fields(struct, seen, nesting)
        return struct

    def _union(self, seen: Observed, name: str, nesting: int) -> InferredUnion:
        if (known := self.unions.get(id(seen))) is not None:
            return known
        union = self.unions[id(seen)] = InferredUnion(seen.tag, {})
        # All names first: a field's struct must not take a member's.
        for text in sorted(seen.variants, key=lambda text: text.encode("utf-16-be")):
            union.members[text] = InferredStruct(self._name(text, name, None))
        for text, member in union.members.items():
            self._fields(member, seen.variants[text], nesting)
        return union

    def _fields(self, struct: InferredStruct, seen: Observed, nesting: int) -> None:
        self.open.add(struct.name)
        for key in sorted(seen.keys, key=_field_order):
            place = seen.keys[key]
            place.nulls += max(0, seen.objects - place.values - place.nulls)  # missing is null
            if key in seen.recursive and place.holder() is not None:
                again: InferredType = InferredRecursion(struct)
                if place.lists:
                    again = InferredList(InferredOption(again) if place.item is not None and place.item.nulls else again)
                struct.fields[key] = InferredOption(again) if place.nulls else again
            else:
                struct.fields[key] = self.type(place, key, struct.name, nesting + 1)
        self.open.discard(struct.name)

    def _name(self, wish: str, outer: str, symbols: tuple[str, ...] | None) -> str:
        """Returns a unique name in PascalCase; enums with equal symbols share one."""
        short, number = pascal(wish), 1
        candidates = [short, pascal(f"{outer} {wish}")]
        while True:
            for candidate in candidates:
                if candidate in KEYWORDS:
                    continue
                if candidate not in self.taken:
                    self.taken[candidate] = symbols
                    return candidate
                if symbols is not None and self.taken[candidate] == symbols:
                    return candidate
            number += 1
            candidates = [f"{short}{number}"]


def _field_order(key: str) -> tuple[int, int]:
    """Sort key: array indices first, ascending, as JavaScript's objects order them; other names as seen."""
    index = key.isascii() and key.isdigit() and (key == "0" or key[0] != "0") and int(key) < (1 << 32) - 1
    return (0, int(key)) if index else (1, 0)


def singular(name: str) -> str:
    """`movies` to `movie`, `cities` to `city`; a guess, for names of structs only."""
    if name.lower().endswith(("movies", "series", "species", "cookies")):
        return name[:-1] if not name.lower().endswith(("series", "species")) else name
    if len(name) > 4 and name.endswith("ies"):
        return name[:-3] + "y"
    if name.endswith(("sses", "shes", "ches", "xes")):
        return name[:-2]
    return name[:-1] if len(name) > 3 and name.endswith("s") and not name.endswith(("ss", "us", "is")) else name


def name_from(stem: str) -> str:
    """A struct's name from a file's: `flights-2k` is `Flight`, `sp500` is `Sp500`."""
    words = pascal_words(stem)
    chosen = [word for word in words if not any(map(str.isdigit, word))] or [word for word in words if word[0].isalpha()]
    return pascal(singular(" ".join(chosen))) if chosen else "Record"


def pascal_words(stem: str) -> list[str]:
    """Words of a file name, split at anything but letters and digits."""
    return "".join(character if character.isalnum() else " " for character in stem).split()
