"""Observations of one pass over the data, by place."""

from __future__ import annotations

from typing import Any

from .faults import check_float, check_text
from .forms import Form, common_form, form_of

#: Distinct texts that are remembered at a place; an enum has fewer.
MAX_TEXTS = 256
#: Most fields of a struct; an object with more distinct keys is a map.
MAX_FIELDS = 2000
#: With so many keys, of which so many objects have at most a quarter, the keys count as data before all objects were
#: seen.
EARLY_KEYS = 256
EARLY_OBJECTS = 16
#: Longer texts are not remembered: they are neither symbols nor kinds.
LONGEST_TEXT = 80
#: Numbers from which on a list counts as long. A typed array of Node costs 0.4 to 0.9 µs to make, for every length, and
#: an element of a list 4 to 9 ns: encoding and decoding together cost the same at about 100 floats and 250 integers.
LONG = 128


#: Distinct decimals from which on they may have several numbers of places.
SOME_DECIMALS = 16


class Observed:
    """Counts and extremes of all values seen at one place, and the same for what is inside them."""

    __slots__ = (
        *("nulls", "booleans", "integers", "low", "high", "floats", "texts", "distinct", "form"),
        *("known_since", "lists", "shortest", "most", "long", "item"),
        *("objects", "entries", "keys", "keys_since", "recursive", "value", "tag", "variants"),
    )

    def __init__(self) -> None:
        self.nulls = 0
        self.booleans = 0
        self.integers = 0
        self.low = 0
        self.high = 0
        self.floats = 0
        self.texts = 0
        self.distinct: dict[str, int] | None = {}  # how often each stands here; None: more than MAX_TEXTS
        self.known_since = 0  # texts after the last that was new
        self.form: Form | None = None  # meaningful if texts > 0
        self.lists = 0
        self.shortest = 0  # of the lists, as are `most` and `long`; meaningful if lists > 0
        self.most = 0
        self.long = 0  # lists of LONG and more
        self.item: Observed | None = None
        self.objects = 0
        self.entries = 0
        self.keys: dict[str, Observed] = {}
        self.keys_since = 0  # objects after the last that had a new key
        self.recursive: set[str] = set()  # keys under which the same kind of object stands again
        self.value: Observed | None = None  # instead of `keys`, once they are found to be data (`shapes`)
        self.tag = ""  # the field whose text tells the objects apart (`unions`)
        self.variants: dict[str, Observed] = {}  # by that text, without the field; beside `keys`, which has all

    @property
    def kinds(self) -> set[str]:
        """The kinds of values seen, null apart; an integer among floats is a float."""
        return {
            *(["boolean"] if self.booleans else []),
            *(["integer"] if self.integers and not self.floats else []),
            *(["float"] if self.floats else []),
            *(["text"] if self.texts else []),
            *(["list"] if self.lists else []),
            *(["object"] if self.objects else []),
        }

    @property
    def values(self) -> int:
        """How many values were not null."""
        return self.booleans + self.integers + self.floats + self.texts + self.lists + self.objects

    @property
    def text_form(self) -> Form | None:
        """The form of the texts here, if it suits a field better than text: decimals only if they are not numbering."""
        form = self.form if self.texts else None
        if form is None or form.kind != "decimal":
            return form
        # A few distinct texts are versions (1.2, 1.10), and whole numbers alone are identifiers.
        several = self.distinct is None or len(self.distinct) >= SOME_DECIMALS
        return form if form.places[-1] > 0 and (len(form.places) == 1 or several) else None

    def see(self, value: Any) -> None:
        """Adds one value. Raises Fault for a value that no schema holds."""
        kind = type(value)
        if kind is str:
            self._text(value)
        elif value is None:
            self.nulls += 1
        elif kind is bool:
            self.booleans += 1
        elif kind is int:
            if not self.integers:
                self.low = self.high = value
            elif value < self.low:
                self.low = value
            elif value > self.high:
                self.high = value
            self.integers += 1
        elif kind is float:
            check_float(value)
            self.floats += 1
        elif kind is dict:
            self._object(value)
        else:
            if self.item is None:
                self.item = Observed()
            count = 0
            for item in value:
                self.item.see(item)
                count += 1
            self.shortest = min(self.shortest, count) if self.lists else count
            self.most = max(self.most, count)
            self.long += count >= LONG
            self.lists += 1

    def _text(self, text: str) -> None:
        check_text(text)
        if self.texts == 0:
            self.form = form_of(text)
        elif self.form is not None and (self.distinct is None or text not in self.distinct):
            self.form = common_form(self.form, form_of(text))
        self.texts += 1
        if self.distinct is not None:
            times = self.distinct.get(text, 0)
            self.distinct[text] = times + 1
            self.known_since = self.known_since + 1 if times else 0
            if len(self.distinct) > MAX_TEXTS or len(text) > LONGEST_TEXT:
                self.distinct = None

    def _object(self, value: dict[str, Any]) -> None:
        self.objects += 1
        self.entries += len(value)
        self.keys_since += 1
        keys = self.keys
        for key, inner in value.items():
            place = keys.get(key)
            if place is None:
                check_text(key)
                self.keys_since = 0
                if self.value is not None:
                    self.value.see(inner)
                    continue
                keys[key] = place = Observed()
            place.see(inner)
        if len(keys) >= EARLY_KEYS and not self.keys_since and self._is_map():
            self._join_keys()

    def _is_map(self) -> bool:
        """Whether there are so many keys that they count as data: the memory for places is bounded."""
        if len(self.keys) > MAX_FIELDS:
            return True
        if self.objects < EARLY_OBJECTS or 4 * self.entries > self.objects * len(self.keys):
            return False
        return one_kind(list(self.keys.values()))

    def _join_keys(self) -> None:
        self.value = self.value or Observed()
        for place in self.keys.values():
            self.value.absorb(place)
        self.keys = {}

    def absorb(self, other: Observed) -> None:
        """Adds the observations of another place, as if they came later; it must not be used again."""
        if not self.values:
            self.recursive = set(other.recursive)
        if other.integers:
            self.low = min(self.low, other.low) if self.integers else other.low
            self.high = max(self.high, other.high) if self.integers else other.high
        if other.texts:
            self.form = common_form(self.form, other.form) if self.texts else other.form
        if self.distinct is not None and other.distinct is not None:
            known = other.distinct.keys() <= self.distinct.keys()
            self.known_since = self.known_since + other.texts if known else other.known_since
            for text, times in other.distinct.items():
                self.distinct[text] = self.distinct.get(text, 0) + times
            if len(self.distinct) > MAX_TEXTS:
                self.distinct = None
        else:
            self.distinct = None
        if other.objects:
            self._absorb_variants(other)
        if other.lists:
            self.shortest = min(self.shortest, other.shortest) if self.lists else other.shortest
        self.keys_since = self.keys_since + other.objects if other.keys.keys() <= self.keys.keys() else other.keys_since
        for count in ("nulls", "booleans", "integers", "floats", "texts", "lists", "long", "objects", "entries"):
            setattr(self, count, getattr(self, count) + getattr(other, count))
        self.most = max(self.most, other.most)
        for inner in ("item", "value"):
            if (theirs := getattr(other, inner)) is not None:
                if getattr(self, inner) is None:
                    setattr(self, inner, Observed())
                getattr(self, inner).absorb(theirs)
        for key, place in other.keys.items():
            self.keys.setdefault(key, Observed()).absorb(place)
        if self.value is not None and self.keys:
            self._join_keys()

    def _absorb_variants(self, other: Observed) -> None:
        """Joins unions of one tag; if only one place is a union, the result is not."""
        if self.objects and self.tag != other.tag:
            self.tag, self.variants = "", {}
            return
        self.tag = other.tag
        for text, variant in other.variants.items():
            self.variants.setdefault(text, Observed()).absorb(variant)

    def merge_recursive(self) -> None:
        """Joins objects that are nested in objects of their own kind, under one of their keys: trees and chains."""
        if self.variants:
            for variant in self.variants.values():
                variant.merge_recursive()
            return
        for key, place in list(self.keys.items()):
            inner = place.holder()
            fresh = inner
            while inner is not None and fresh is not None and self._same_kind(key, place, inner):
                deeper = inner.keys.pop(key, None)
                self.objects += fresh.objects
                self.entries += fresh.entries
                for name, other in inner.keys.items():
                    self.keys.setdefault(name, Observed()).absorb(other)
                inner.keys = {}
                self.recursive.add(key)
                fresh = None if deeper is None else deeper.holder()
                if deeper is not None:
                    place.absorb(deeper)
        for key, place in self.keys.items():
            inner = place.holder()
            if inner is not None and key not in self.recursive:
                inner.merge_recursive()
        for within in (self.item, self.value):
            if within is not None:
                within.merge_recursive()

    def holder(self) -> Observed | None:
        """The place of the objects here, or in the lists here; None if there are others or none."""
        if self.kinds == {"object"}:
            return self
        if self.kinds == {"list"} and self.item is not None and self.item.kinds == {"object"}:
            return self.item
        return None

    def _same_kind(self, key: str, place: Observed, inner: Observed) -> bool:
        deeper = inner.keys.get(key)
        if deeper is None and key not in self.recursive:
            # One level only, like a tweet in a tweet: alike are those that lack no other field.
            return len(inner.keys) > 4 and inner.keys.keys() | {key} == self.keys.keys()
        if deeper is None:
            return bool(inner.keys.keys() & self.keys.keys())
        return deeper.kinds <= place.kinds and len(inner.keys.keys() & self.keys.keys()) > 1


def one_kind(places: list[Observed]) -> bool:
    """Whether values at all places have one kind, and objects have half of their keys each."""
    kinds = {"number" if kind in ("integer", "float") else kind for place in places for kind in place.kinds}
    if kinds == {"object"}:
        every = {key for place in places for key in place.keys}
        return all(2 * len(place.keys) >= len(every) for place in places if place.objects)
    return len(kinds) == 1
