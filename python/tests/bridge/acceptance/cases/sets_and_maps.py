"""java.util.Set and java.util.Map as Python's set and dict."""

from __future__ import annotations

from typing import Any

from adaptor import Bridge, case, own, raises


def a_set(bridge: Bridge, *elements: Any) -> Any:
    """A HashSet with the elements."""
    made = bridge.java.util.HashSet()
    for element in elements:
        made.add(element)
    return made


@case("set: len, `in` and iteration")
def set_reading(bridge: Bridge) -> None:
    letters = a_set(bridge, "a", "b", "a")
    assert len(letters) == 2
    assert "a" in letters
    assert "z" not in letters
    assert sorted(letters) == ["a", "b"]


@case("set: numbers and None are elements, too")
def set_elements(bridge: Bridge) -> None:
    mixed = a_set(bridge, 1, None, 2.5)
    assert 1 in mixed
    assert None in mixed
    assert 2.5 in mixed
    assert 2 not in mixed


@case("set: remove removes an element")
def set_remove(bridge: Bridge) -> None:
    letters = a_set(bridge, "a", "b")
    letters.remove("a")
    assert list(letters) == ["b"]


@case("set: discard of a missing element does nothing")
def set_discard(bridge: Bridge) -> None:
    letters = a_set(bridge, "a")
    letters.discard("z")
    letters.discard("a")
    assert len(letters) == 0


@case("set: remove of a missing element is a KeyError")
def set_remove_missing(bridge: Bridge) -> None:
    with raises(KeyError):
        a_set(bridge, "a").remove("z")


@case("set: clear empties it, and an empty one is false")
def set_clear(bridge: Bridge) -> None:
    letters = a_set(bridge, "a")
    assert letters
    letters.clear()
    assert not letters


@case("set: it equals a Java set and a Python set of equal elements")
def set_equality(bridge: Bridge) -> None:
    assert a_set(bridge, 1, 2) == a_set(bridge, 2, 1)
    assert a_set(bridge, 1, 2) == {1, 2}
    assert a_set(bridge, 1) != {2}


@case("set: & and | work with Python's sets")
def set_operators(bridge: Bridge) -> None:
    numbers = a_set(bridge, 1, 2)
    assert set(numbers & {2, 3}) == {2}
    assert set(numbers | {3}) == {1, 2, 3}


@case("set: a TreeSet keeps its order and its own methods")
def tree_set(bridge: Bridge) -> None:
    tree = bridge.java.util.TreeSet()
    for number in (3, 1, 2):
        tree.add(number)
    assert list(tree) == [1, 2, 3]
    assert tree.first() == 1


@case("map: len counts the keys")
def map_length(bridge: Bridge) -> None:
    assert len(own(bridge, "Collected").map()) == 3
    assert len(bridge.java.util.HashMap()) == 0


@case("map: a key gives its value")
def map_get(bridge: Bridge) -> None:
    assert own(bridge, "Collected").map()["two"] == 2


@case("map: a missing key is a KeyError")
def map_missing(bridge: Bridge) -> None:
    with raises(KeyError):
        _ = own(bridge, "Collected").map()["four"]


@case("map: get of a missing key is None")
def map_get_missing(bridge: Bridge) -> None:
    assert own(bridge, "Collected").map().get("four") is None


@case("map: get takes a default as Python's does")
def map_get_default(bridge: Bridge) -> None:
    numbers = own(bridge, "Collected").map()
    assert numbers.get("four", 4) == 4
    assert numbers.get("one", 4) == 1


@case("map: a value is assigned by key")
def map_assign(bridge: Bridge) -> None:
    table = bridge.java.util.HashMap()
    table["a"] = 0
    table.put("b", 1)
    table["a"] = 5
    assert table.get("a") == 5
    assert table.size() == 2


@case("map: del removes a key")
def map_delete(bridge: Bridge) -> None:
    numbers = own(bridge, "Collected").map()
    del numbers["one"]
    assert not numbers.containsKey("one")


@case("map: del of a missing key is a KeyError")
def map_delete_missing(bridge: Bridge) -> None:
    numbers = own(bridge, "Collected").map()
    with raises(KeyError):
        del numbers["four"]


@case("map: `in` looks for a key")
def map_contains(bridge: Bridge) -> None:
    numbers = own(bridge, "Collected").map()
    assert "one" in numbers
    assert "four" not in numbers
    assert 1 not in numbers


@case("map: a key whose value is None is there")
def map_null_value(bridge: Bridge) -> None:
    table = bridge.java.util.HashMap()
    table["nothing"] = None
    assert "nothing" in table
    assert table["nothing"] is None


@case("map: iteration gives the keys in Java's order")
def map_iterate(bridge: Bridge) -> None:
    assert list(own(bridge, "Collected").map()) == ["one", "two", "three"]


@case("map: keys, values and items are Python's")
def map_views(bridge: Bridge) -> None:
    numbers = own(bridge, "Collected").map()
    assert list(numbers.keys()) == ["one", "two", "three"]
    assert list(numbers.values()) == [1, 2, 3]
    assert [(key, value) for key, value in numbers.items()] == [("one", 1), ("two", 2), ("three", 3)]


@case("map: dict makes a Python dict of it")
def map_to_dict(bridge: Bridge) -> None:
    assert dict(own(bridge, "Collected").map()) == {"one": 1, "two": 2, "three": 3}


@case("map: update takes a Python dict")
def map_update(bridge: Bridge) -> None:
    numbers = own(bridge, "Collected").map()
    numbers.update({"three": 33, "four": 4})
    assert dict(numbers) == {"one": 1, "two": 2, "three": 33, "four": 4}


@case("map: pop and setdefault work as Python's do")
def map_pop(bridge: Bridge) -> None:
    numbers = own(bridge, "Collected").map()
    assert numbers.pop("one") == 1
    assert numbers.pop("one", None) is None
    assert numbers.setdefault("ten", 10) == 10
    assert numbers["ten"] == 10


@case("map: it equals a Java map of equal entries")
def map_equality(bridge: Bridge) -> None:
    collected = own(bridge, "Collected")
    assert collected.map() == collected.map()
    assert collected.map() != bridge.java.util.HashMap()


@case("map: it equals a Python dict of equal entries")
def map_equality_with_python(bridge: Bridge) -> None:
    assert own(bridge, "Collected").map() == {"one": 1, "two": 2, "three": 3}


@case("map: an empty one is false")
def map_truth(bridge: Bridge) -> None:
    assert not bridge.java.util.HashMap()
    assert own(bridge, "Collected").map()


@case("map: keys may be numbers, and None")
def map_number_keys(bridge: Bridge) -> None:
    table = bridge.java.util.HashMap()
    table[1], table[2.5], table[None] = "one", "two and a half", "none"
    assert (table[1], table[2.5], table[None]) == ("one", "two and a half", "none")
    assert 2 not in table


@case("map: a list in it is changed in place")
def map_nested(bridge: Bridge) -> None:
    nested = own(bridge, "Collected").nested()
    nested["even"].append(4)
    assert list(nested["even"]) == [0, 2, 4]
    assert list(nested["odd"]) == [1, 3]


@case("map: Java's methods are there beside Python's")
def map_java_methods(bridge: Bridge) -> None:
    numbers = own(bridge, "Collected").map()
    assert numbers.getOrDefault("nine", 9) == 9
    assert sorted(numbers.keySet()) == ["one", "three", "two"]
    assert numbers.entrySet().size() == 3
    assert numbers.containsValue(3)


@case("map: entries of Java have their key and their value")
def map_entries(bridge: Bridge) -> None:
    entries = own(bridge, "Collected").map().entrySet()
    assert [(entry.getKey(), entry.getValue()) for entry in entries] == [("one", 1), ("two", 2), ("three", 3)]
