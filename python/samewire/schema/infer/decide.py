"""From what was observed to a plan."""

from __future__ import annotations

from dataclasses import dataclass

from samewire.pack.names import KEYWORDS

from ..emit.casing import pascal
from .observed import MAX_TEXTS, Observed
from .plan import (
    EnumPlan,
    FormPlan,
    ListPlan,
    MapPlan,
    OptionPlan,
    PlainPlan,
    Plan,
    SelfPlan,
    StructPlan,
)

#: Types nested deeper than this become `any`, so that schema text stays far from its own limit.
MAX_NESTING = 24
#: Most fields of a struct; an object with more distinct keys is a map.
MAX_FIELDS = 2000
_RANGES = {
    "roomy": (("i32", -(1 << 31), (1 << 31) - 1), ("i64", -(1 << 63), (1 << 63) - 1)),
    "tight": (
        *(("u8", 0, (1 << 8) - 1), ("i8", -(1 << 7), (1 << 7) - 1), ("u16", 0, (1 << 16) - 1)),
        *(("i16", -(1 << 15), (1 << 15) - 1), ("u32", 0, (1 << 32) - 1), ("i32", -(1 << 31), (1 << 31) - 1)),
        *(("u64", 0, (1 << 64) - 1), ("i64", -(1 << 63), (1 << 63) - 1)),
    ),
}


@dataclass(frozen=True)
class Options:
    """What a user may choose.

    name: of the outermost struct. texts: whether dates, times and UUIDs are read out of texts. enums: most symbols of an
    enum, 0 for none, at most 255. ints: `roomy` (i32, i64, bigint) or `tight` (the smallest that holds what came).
    """

    name: str = "Record"
    texts: bool = True
    enums: int = 32
    ints: str = "roomy"


class Decision:
    """One run over one tree of observations; remembers which names are taken."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.taken: dict[str, tuple[str, ...] | None] = {}  # None: a struct; else the enum's symbols

    def plan(self, seen: Observed, name: str, outer: str, nesting: int = 0) -> Plan:
        """name: what the place is called. outer: the struct around it."""
        inner = self._value(seen, name, outer, nesting)
        if not seen.nulls or inner == PlainPlan("any"):
            return inner
        return OptionPlan(inner)

    def _value(self, seen: Observed, name: str, outer: str, nesting: int) -> Plan:
        kinds = seen.kinds
        if len(kinds) != 1 or nesting >= MAX_NESTING:
            return PlainPlan("any")
        match kinds.pop():
            case "boolean":
                return PlainPlan("bool")
            case "integer":
                return PlainPlan(self._integer(seen))
            case "float":
                exact = not seen.integers or (abs(seen.low) <= 1 << 53 and abs(seen.high) <= 1 << 53)
                return PlainPlan("f64" if exact else "any")
            case "text":
                return self._text(seen, name, outer)
            case "list":
                assert seen.item is not None
                item = self.plan(seen.item, singular(name), outer, nesting + 1)
                return ListPlan(item)
            case _:
                return self._object(seen, name, outer, nesting)

    def _integer(self, seen: Observed) -> str:
        for kind, low, high in _RANGES[self.options.ints]:
            if low <= seen.low and seen.high <= high:
                return kind
        return "u64" if seen.low >= 0 and seen.high < 1 << 64 else "bigint"

    def _text(self, seen: Observed, name: str, outer: str) -> Plan:
        if self.options.texts and seen.form is not None:
            return FormPlan(seen.form)
        symbols = seen.distinct
        if (
            symbols is None
            or not 2 <= len(symbols) <= min(self.options.enums, MAX_TEXTS - 1)
            or seen.texts < 4 * len(symbols)
            or seen.longest > 40
            or "" in symbols
            or all(map(is_numeral, symbols))
        ):
            return PlainPlan("string")
        ordered = tuple(sorted(symbols, key=lambda symbol: symbol.encode("utf-16-be")))
        return EnumPlan(self._name(name, outer, ordered), ordered)

    def _object(self, seen: Observed, name: str, outer: str, nesting: int) -> Plan:
        if is_map(seen):
            values = Observed()
            for place in seen.keys.values():
                values.absorb(place)
            return MapPlan(self.plan(values, singular(name), outer, nesting + 1))
        struct = StructPlan(self._name(name, outer, None))
        for key in sorted(seen.keys, key=_field_order):
            place = seen.keys[key]
            place.nulls += seen.objects - place.values - place.nulls  # missing is null
            if key in seen.recursive and place.holder() is not None:
                again: Plan = SelfPlan(struct)
                if place.lists:
                    again = ListPlan(OptionPlan(again) if place.item is not None and place.item.nulls else again)
                struct.fields[key] = OptionPlan(again) if place.nulls else again
            else:
                struct.fields[key] = self.plan(place, key, struct.name, nesting + 1)
        return struct

    def _name(self, wish: str, outer: str, symbols: tuple[str, ...] | None) -> str:
        """A name in PascalCase that nothing else has, but for an enum of the same symbols."""
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


def is_map(seen: Observed) -> bool:
    """Whether the keys of the objects here are data and not names."""
    keys = seen.keys
    if not keys or len(keys) > MAX_FIELDS or any(not 0 < len(key.encode("utf-16-le")) <= 510 for key in keys):
        return True
    if len(keys) <= 32:
        return False
    if seen.objects > 1:
        return seen.entries < seen.objects * len(keys) / 4
    kinds = {frozenset(place.kinds) for place in keys.values()}
    return len(kinds) == 1


def is_numeral(text: str) -> bool:
    """Whether a text counts or measures, as `1,003`, `12 %` and `2024-05` do, and does not name: it has digits and no letters."""
    return any(map(str.isdigit, text)) and not any(map(str.isalpha, text))


def _field_order(key: str) -> tuple[int, int]:
    """Names that are array indices first, ascending, because objects of JavaScript hold them so; the others as seen."""
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
    """Words of a file name, split at anything that is no letter or digit."""
    return "".join(character if character.isalnum() else " " for character in stem).split()
