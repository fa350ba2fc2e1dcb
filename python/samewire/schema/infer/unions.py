"""Objects that a text in one of their fields tells apart, each kind with fields of its own: members of a union."""

from __future__ import annotations

from typing import Any

from ..emit.casing import words
from .observed import Observed
from .shapes import is_map

#: Last words of the names of such fields: `type`, `$type`, `eventType`, `__typename`.
_LAST_WORDS = frozenset(("type", "kind", "event", "tag", "op", "action", "object", "typename", "discriminator"))
#: More members than an expert would write down, and more texts than tell kinds apart.
MAX_MEMBERS = 64
#: Fewer objects say little of which fields a member always has.
MEMBER_OBJECTS = 4
#: So many objects would have shown all members.
KNOWN_OBJECTS = 64


def find_unions(root: Observed, value: Any) -> None:
    """Sets `tag` and `variants` of the places whose objects are worth a union. value: what was observed."""
    tagged: dict[int, bool] = {}
    work: list[tuple[Observed, list[Any]]] = [(root, [value])] if _mark(root, tagged) else []
    while work:
        seen, values = work.pop()
        tree = False
        if seen.kinds == {"object"}:
            objects = [each for each in values if each is not None]
            tree = _decide(seen, objects)
        if tree:
            continue
        if seen.variants:
            for text, variant in seen.variants.items():
                work += _inner(variant, [each for each in objects if each[seen.tag] == text], tagged)
        else:
            work += _inner(seen, values, tagged)


def _mark(seen: Observed, tagged: dict[int, bool]) -> bool:
    """Notes for every place whether kinds may be told apart there or inside: all others need not be looked at again."""
    inside = [_mark(place, tagged) for place in seen.keys.values()]
    if seen.item is not None:
        inside.append(_mark(seen.item, tagged))
    tells = any(_may_tell(seen, key) for key in seen.keys) and (_missing(seen) > 0 or _mixed(seen) > 0)
    tagged[id(seen)] = tells or any(inside)
    return tagged[id(seen)]


def _is_marked(seen: Observed, tagged: dict[int, bool]) -> bool:
    """As noted; the places of a member are not yet."""
    known = tagged.get(id(seen))
    return _mark(seen, tagged) if known is None else known


def _may_tell(seen: Observed, key: str) -> bool:
    place = seen.keys[key]
    return (
        place.texts == seen.objects == place.values + place.nulls
        and place.distinct is not None
        and 2 <= len(place.distinct) <= MAX_MEMBERS
        and all(any(map(str.isalpha, text)) and len(text) <= 80 for text in place.distinct)
        and bool(last := words(key)[-1:])
        and last[0].lower() in _LAST_WORDS
    )


def _inner(seen: Observed, values: list[Any], tagged: dict[int, bool]) -> list[tuple[Observed, list[Any]]]:
    """The places inside one that must be looked at again, with the values there."""
    objects = [each for each in values if type(each) is dict]
    found = [
        (place, [each[key] for each in objects if key in each]) for key, place in seen.keys.items() if _is_marked(place, tagged)
    ]
    if seen.item is not None and _is_marked(seen.item, tagged):
        atoms = (str, bool, int, float, dict)
        found.append((seen.item, [item for each in values if each is not None and type(each) not in atoms for item in each]))
    return found


def _decide(seen: Observed, objects: list[dict[str, Any]]) -> bool:
    """Splits one place if that is worth it. Returns whether the objects are nodes of a tree, which nothing here splits."""
    together = _mixed(seen), _missing(seen)
    best = together
    for key in [key for key in seen.keys if together != (0, 0) and _may_tell(seen, key)]:
        variants: dict[str, Observed] = {}
        for each in objects:
            variants.setdefault(each[key], Observed()).see({name: inner for name, inner in each.items() if name != key})
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
            return True  # several fields each that the kind decides, though some kinds were seen once
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
    inside = [*seen.keys.values(), *([seen.item] if seen.item is not None else [])]
    return any(_holds(each, tag, texts) for each in inside)


def _mixed(seen: Observed) -> int:
    """How many places, with those inside, hold values of several kinds."""
    inside = sum(map(_mixed, seen.keys.values())) + (_mixed(seen.item) if seen.item is not None else 0)
    return inside + (len(seen.kinds) > 1)


def _missing(seen: Observed) -> int:
    """How many fields the objects at a place and inside it lack, of those that others there have."""
    inside = sum(map(_missing, seen.keys.values())) + (_missing(seen.item) if seen.item is not None else 0)
    return inside + seen.objects * len(seen.keys) - seen.entries
