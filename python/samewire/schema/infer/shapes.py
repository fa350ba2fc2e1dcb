"""Objects whose keys are data, and objects of one shape at several places."""

from __future__ import annotations

from collections.abc import Iterator

from .data_keys import are_data, are_numbered
from .observed import MAX_FIELDS, Observed, one_kind

#: More keys are data if objects have few of them each.
MANY_KEYS = 32
#: So many keys are data already if their number keeps growing.
SOME_KEYS = 8


class Shapes:
    """One pass over a tree of observations, from the root: joins the values of maps, then the objects of one shape.

    Objects have one shape if their keys are the same, and the values of each key have the same kind. A single key is
    not enough.
    """

    def __init__(self, root: Observed) -> None:
        _join_maps(root)
        self._alike: dict[frozenset[str], list[Observed]] = {}
        self._joint: dict[int, Observed] = {}
        #: Keeps objects alive that are known by their identity.
        self._places: list[Observed] = []
        self._join(root)

    def joint(self, seen: Observed) -> Observed:
        """The observations of all objects that have the shape of those at this place."""
        return self._joint.get(id(seen), seen)

    def _join(self, root: Observed) -> None:
        work = [root]
        while work:
            seen = work.pop()
            if seen.objects and seen.kinds == {"object"} and seen.value is None and len(seen.keys) > 1:
                others = self._alike.setdefault(frozenset(seen.variants or seen.keys), [])
                joint = next((other for other in others if _same(other, seen)), None)
                self._places.append(seen)
                if joint is not None:
                    joint.absorb(seen)
                    self._joint[id(seen)] = joint
                    continue
                # A copy, since the counts of null and missing values are separate for each place.
                joint = self._joint[id(seen)] = Observed()
                joint.absorb(seen)
                others.append(joint)
                seen = joint
            work += reversed(list(_inner(seen)))


def _inner(seen: Observed) -> Iterator[Observed]:
    """The places inside one, except those of its own kind."""
    if seen.variants:
        for variant in seen.variants.values():
            yield from _inner(variant)
        return
    if seen.item is not None:
        yield seen.item
    if seen.value is not None:
        yield seen.value
    for key, place in seen.keys.items():
        if key not in seen.recursive:
            yield place


def _join_maps(root: Observed) -> None:
    work = [root]
    while work:
        seen = work.pop()
        if seen.objects and not seen.recursive and not seen.variants and seen.value is None and is_map(seen):
            seen.value = Observed()
            for place in seen.keys.values():
                seen.value.absorb(place)
            seen.keys = {}
        work += _inner(seen)


def is_map(seen: Observed) -> bool:
    """Whether the keys of the objects here are data, not names."""
    keys = seen.keys
    if not keys or len(keys) > MAX_FIELDS or any(not 0 < len(key.encode("utf-16-le")) <= 510 for key in keys):
        return True
    places = list(keys.values())
    varied = seen.entries < seen.objects * len(keys)
    alike = one_kind(places)
    if (varied or seen.objects == 1) and alike and are_data(keys):
        return True
    if len(keys) >= SOME_KEYS and alike and any(place.objects for place in places):
        return True  # like translations by language: so many objects of one kind are entries
    if seen.objects == 1:
        return len(keys) > MANY_KEYS and len({frozenset(place.kinds) for place in places}) == 1
    growing = seen.keys_since < seen.objects // 2
    sparse = 2 * seen.entries < seen.objects * len(keys)
    if len(keys) <= MANY_KEYS:
        return len(keys) >= SOME_KEYS and sparse and alike and (growing or are_numbered(keys))
    return sparse and (alike or (growing and 4 * seen.entries < seen.objects * len(keys)))


def _same(one: Observed, other: Observed) -> bool:
    """Whether values at two places have the same type, as far as it is known: null, and an empty list, say nothing."""
    if not one.kinds or not other.kinds:
        return True
    if one.kinds != other.kinds and one.kinds | other.kinds != {"integer", "float"}:
        return False
    if one.integers and other.integers and _is_wide(one) != _is_wide(other):
        return False
    if one.texts and (one.text_form is None) != (other.text_form is None):
        return False
    if one.item is not None and other.item is not None and not _same(one.item, other.item):
        return False
    if one.tag != other.tag or one.variants.keys() != other.variants.keys():
        return False
    if one.variants:
        return all(_same(variant, other.variants[text]) for text, variant in one.variants.items())
    if one.value is not None and other.value is not None:
        return _same(one.value, other.value)
    if (one.value is None) != (other.value is None) or one.keys.keys() != other.keys.keys():
        return False
    return one.recursive == other.recursive and all(_same(place, other.keys[key]) for key, place in one.keys.items())


def _is_wide(seen: Observed) -> bool:
    """Whether integers need more than 32 bits, which is another type in Java and JavaScript."""
    return seen.low < -(1 << 31) or seen.high >= 1 << 31
