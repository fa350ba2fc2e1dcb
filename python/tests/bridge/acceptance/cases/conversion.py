"""Python's collections as arguments, and Java's as native values."""

from __future__ import annotations

import datetime
import uuid
from collections import OrderedDict

from adaptor import Bridge, case, filled, own, raises


@case("conversion: a list is a List where one is wanted")
def list_argument(bridge: Bridge) -> None:
    assert own(bridge, "Collected").seenList([1, "two", None, 2.5]) == "Integer String null Double [1, two, null, 2.5]"


@case("conversion: a tuple is a List where one is wanted")
def tuple_argument(bridge: Bridge) -> None:
    assert own(bridge, "Collected").sum((1, 2, 3)) == 6


@case("conversion: a set is a Set where one is wanted")
def set_argument(bridge: Bridge) -> None:
    assert own(bridge, "Collected").seenSet({2, 1, "x"}) == "[1, 2, x]"
    assert own(bridge, "Collected").seenSet(frozenset({1})) == "[1]"


@case("conversion: a dict is a Map where one is wanted")
def dict_argument(bridge: Bridge) -> None:
    assert own(bridge, "Collected").seenMap({"b": 1, "a": None}) == "{a=null, b=1}"


@case("conversion: keys of a dict may be numbers")
def dict_number_keys(bridge: Bridge) -> None:
    assert own(bridge, "Collected").seenMap({2: "two", 1: "one"}) == "{1=one, 2=two}"


@case("conversion: a subclass of dict is a Map")
def ordered_dict(bridge: Bridge) -> None:
    assert own(bridge, "Collected").seenMap(OrderedDict(a=1)) == "{a=1}"


@case("conversion: containers within containers are converted, too")
def nested(bridge: Bridge) -> None:
    assert own(bridge, "Collected").seenMap({"list": [1, [2, 3]], "map": {"a": ()}}) == "{list=[1, [2, 3]], map={a=[]}}"


@case("conversion: empty containers are empty")
def empty(bridge: Bridge) -> None:
    collected = own(bridge, "Collected")
    assert collected.count([]) == 0
    assert collected.seenMap({}) == "{}"
    assert collected.seenSet(set()) == "[]"


@case("conversion: a Collection and an Iterable take lists and sets")
def interfaces(bridge: Bridge) -> None:
    collected = own(bridge, "Collected")
    assert collected.count([1, 2]) == 2
    assert collected.count({1, 2, 3}) == 3
    assert collected.walk([1, 2]) == 2


@case("conversion: a container is a Java one where an Object is wanted")
def as_object(bridge: Bridge) -> None:
    kind = own(bridge, "Collected").kind
    assert [kind([1]), kind({"a": 1}), kind({1})] == ["List", "Map", "Set"]


@case("conversion: Java gets a copy: what it adds does not come back")
def copied(bridge: Bridge) -> None:
    numbers = [3, 1, 2]
    bridge.java.util.Collections.sort(numbers)
    own(bridge, "Collected").grow(numbers, 4)
    assert numbers == [3, 1, 2]


@case("conversion: a Java list is passed itself: what Java adds is there")
def not_copied(bridge: Bridge) -> None:
    numbers = filled(bridge, 1)
    own(bridge, "Collected").grow(numbers, 2)
    assert list(numbers) == [1, 2]


@case("conversion: Java objects in a list are those very objects")
def proxies_within(bridge: Bridge) -> None:
    members = own(bridge, "Members")
    made = members(1)
    held = bridge.java.util.ArrayList([made, "text"])
    assert members.same(held.get(0), made)


@case("conversion: a list of a thousand numbers arrives whole")
def thousand(bridge: Bridge) -> None:
    assert own(bridge, "Collected").sum(list(range(1000))) == 499_500


@case("conversion: an element that Java has no value for is refused")
def foreign_element(bridge: Bridge) -> None:
    with raises(*bridge.refusals):
        own(bridge, "Collected").count([object()])


@case("conversion: a list that contains itself is refused")
def recursive(bridge: Bridge) -> None:
    endless: list[object] = []
    endless.append(endless)
    with raises(RecursionError, *bridge.refusals):
        own(bridge, "Collected").count(endless)


@case("conversion: constructors of collections take Python's")
def constructors(bridge: Bridge) -> None:
    util = bridge.java.util
    assert list(util.ArrayList([1, 2])) == [1, 2]
    assert dict(util.TreeMap({"b": 2, "a": 1})) == {"a": 1, "b": 2}
    assert sorted(util.HashSet({1, 2})) == [1, 2]


@case("conversion: a Java collection is copied as a native one, however deep")
def to_python(bridge: Bridge) -> None:
    nested = bridge.to_python(own(bridge, "Collected").nested())
    assert type(nested) is dict
    assert nested == {"even": [0, 2], "odd": [1, 3]}
    assert type(nested["even"]) is list


@case("conversion: native copies are detached from Java's")
def to_python_copies(bridge: Bridge) -> None:
    letters = filled(bridge, "a")
    copy = bridge.to_python(letters)
    copy.append("b")
    assert letters.size() == 1


@case("conversion: dates and times are java.time's")
def dates(bridge: Bridge) -> None:
    arrived = own(bridge, "Overloads").arrived
    assert arrived(datetime.date(2024, 2, 29)) == "LocalDate"
    assert bridge.java.time.LocalDate.of(2024, 2, 29) == datetime.date(2024, 2, 29)


@case("conversion: a UUID is java.util.UUID")
def uuids(bridge: Bridge) -> None:
    text = "12345678-1234-5678-1234-567812345678"
    assert own(bridge, "Overloads").arrived(uuid.UUID(text)) == "UUID"
    assert bridge.java.util.UUID.fromString(text) == uuid.UUID(text)
