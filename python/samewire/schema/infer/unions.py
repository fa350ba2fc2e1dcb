"""Finds unions: objects with a discriminator field, where each kind has fields of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..emit.casing import words
from .observed import Observed
from .shapes import is_map

#: Last words of the names of such fields: `type`, `$type`, `eventType`, `__typename`.
_LAST_WORDS = frozenset(("type", "kind", "event", "tag", "op", "action", "object", "typename", "discriminator"))
#: Values that are neither objects nor lists.
_ATOMS = frozenset((str, bool, int, float, type(None)))
#: The most members of a plausible union, and the most texts of a discriminator.
MAX_MEMBERS = 64
#: The fewest objects of a member that show which fields it always has.
MEMBER_OBJECTS = 4
#: So many objects would have shown all members.
KNOWN_OBJECTS = 64


class _Walk:
    """The paths to the places of one pass: to inner places, or an end, where discriminators are tried.

    trials: by the candidate field, then by its text, the objects of that kind without the field.
    """

    __slots__ = ("item", "keys", "kinds", "seen", "tag", "trials", "value")

    def __init__(self, seen: Observed) -> None:
        self.seen = seen
        self.trials: dict[str, dict[str, Observed]] = {}
        self.keys: dict[str, _Walk] = {}
        self.item: _Walk | None = None
        self.value: _Walk | None = None
        self.tag = ""
        self.kinds: dict[str, _Walk] = {}

    def visit(self, value: Any) -> None:
        """Passes a value to the trials below this place."""
        if type(value) is dict:
            if self.trials:
                self._try(value)
            elif self.kinds:
                if (walk := self.kinds.get(value[self.tag])) is not None:
                    walk.visit(value)
            elif self.value is not None:
                for inner in value.values():
                    self.value.visit(inner)
            else:
                for key, walk in self.keys.items():
                    if (inner := value.get(key)) is not None:
                        walk.visit(inner)
        elif self.item is not None and type(value) not in _ATOMS:
            for inner in value:
                self.item.visit(inner)

    def _try(self, value: dict[str, Any]) -> None:
        for key, kinds in self.trials.items():
            if (kind := kinds.get(value[key])) is None:
                kind = kinds[value[key]] = Observed()
            kind.see({name: inner for name, inner in value.items() if name != key})


def find_unions(root: Observed, value: Any) -> None:
    """Sets `tag` and `variants` of the places whose objects should be a union. value: the observed data.

    Iterates over the value once for each level of nested unions, and keeps none of its objects.
    """
    decided: set[int] = set()
    trees: set[int] = set()
    while (walk := _walk(root, decided, trees)) is not None:
        walk.visit(value)
        for end in _ends(walk):
            decided.add(id(end.seen))
            if _decide(end.seen, end.trials):
                trees.add(id(end.seen))


def _walk(seen: Observed, decided: set[int], trees: set[int]) -> _Walk | None:
    """The paths to the places from here on where a discriminator is possible and undecided; None if there are none."""
    if id(seen) in trees:
        return None
    walk = _Walk(seen)
    if seen.kinds == {"object"} and id(seen) not in decided:
        tells = [key for key in seen.keys if _may_tell(seen, key)]
        if tells and (_missing(seen) > 0 or _mixed(seen) > 0):
            walk.trials = {key: {} for key in tells}
            return walk
    if seen.variants:
        walk.tag = seen.tag
        walk.kinds = _walks(seen.variants, decided, trees)
    else:
        walk.keys = _walks(seen.keys, decided, trees)
        walk.item = None if seen.item is None else _walk(seen.item, decided, trees)
        walk.value = None if seen.value is None else _walk(seen.value, decided, trees)
    return walk if walk.kinds or walk.keys or walk.item or walk.value else None


def _walks(places: dict[str, Observed], decided: set[int], trees: set[int]) -> dict[str, _Walk]:
    found = ((key, _walk(place, decided, trees)) for key, place in places.items())
    return {key: walk for key, walk in found if walk is not None}


def _ends(walk: _Walk) -> Iterator[_Walk]:
    if walk.trials:
        yield walk
    inside = [*walk.keys.values(), *walk.kinds.values(), walk.item, walk.value]
    for inner in inside:
        if inner is not None:
            yield from _ends(inner)


def _may_tell(seen: Observed, key: str) -> bool:
    place = seen.keys[key]
    return (
        place.texts == seen.objects == place.values + place.nulls
        and place.distinct is not None
        and 2 <= len(place.distinct) <= MAX_MEMBERS
        and all(any(map(str.isalpha, text)) for text in place.distinct)
        and bool(last := words(key)[-1:])
        and last[0].lower() in _LAST_WORDS
    )


def _decide(seen: Observed, trials: dict[str, dict[str, Observed]]) -> bool:
    """Splits one place if that is better. Returns whether the objects are nodes of a tree, which is not split here."""
    together = _mixed(seen), _missing(seen)
    best = together
    for key, variants in trials.items():
        if len(variants) < 2:
            continue
        if any(_holds(variant, key, variants) for variant in variants.values()):
            return True
        apart = sum(map(_mixed, variants.values())), sum(map(_missing, variants.values()))
        if apart < best and _is_worth(seen, key, variants, together, apart):
            best, seen.tag, seen.variants = apart, key, variants
    _share_options(seen)
    return False


def _share_options(seen: Observed) -> None:
    """Gives every kind the fields that most kinds have now and then: of an envelope, which a rare kind just lacked so far."""
    kinds = seen.variants.values()
    for key in seen.keys:
        places = [(kind, kind.keys[key]) for kind in kinds if key in kind.keys]
        if 2 * len(places) > len(kinds) and all(place.values < kind.objects for kind, place in places):
            for kind in kinds:
                if key not in kind.keys:
                    kind.keys[key] = Observed()
                    kind.keys[key].absorb(places[0][1])
                    kind.keys[key].nulls += 1


def _is_worth(seen: Observed, key: str, variants: dict[str, Observed], together: tuple[int, int], apart: tuple[int, int]) -> bool:
    """Whether kinds are better held apart. together, apart: places of mixed kinds, and fields that objects lack."""
    if any(variant.keys and is_map(variant) for variant in variants.values()):
        return False
    spared = together[1] - apart[1]
    if seen.objects < KNOWN_OBJECTS:
        if apart[0] < together[0]:
            return True  # one struct would hold `any`
        if seen.objects >= MEMBER_OBJECTS * len(variants) and spared >= 2 * seen.objects and 2 * apart[1] <= together[1]:
            return True  # several fields each depend on the kind, although some kinds were seen once
    settled = all(
        variant.objects >= MEMBER_OBJECTS and 2 * variant.keys_since >= variant.objects for variant in variants.values()
    )
    if not settled or 2 * seen.keys[key].known_since < seen.objects:
        return False
    # Without mixed kinds, at least a field each must be spared, and half of the options.
    return apart[0] < together[0] or (spared >= seen.objects and 2 * apart[1] <= together[1])


def _holds(seen: Observed, tag: str, texts: dict[str, Observed]) -> bool:
    """Whether objects of the same kinds stand inside."""
    place = seen.keys.get(tag)
    if place is not None and place.distinct is not None and not place.distinct.keys().isdisjoint(texts):
        return True
    return any(_holds(each, tag, texts) for each in _inside(seen))


def _inside(seen: Observed) -> list[Observed]:
    return [place for place in (*seen.keys.values(), seen.item, seen.value) if place is not None]


def _mixed(seen: Observed) -> int:
    """How many places, with those inside, hold values of several kinds."""
    return sum(map(_mixed, _inside(seen))) + (len(seen.kinds) > 1)


def _missing(seen: Observed) -> int:
    """How many fields the objects at a place and inside it lack, of those that others there have."""
    lacked = 0 if seen.value is not None else seen.objects * len(seen.keys) - seen.entries
    return sum(map(_missing, _inside(seen))) + lacked
