"""Java's collections as Python's containers."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, MutableSequence, MutableSet
from typing import Any

import pytest
from samewire import bridge


@pytest.fixture
def numbers(gateway: bridge.Gateway) -> Any:
    return gateway.java.util.ArrayList([10, 20, 30, 40, 50])


def test_a_list_is_a_sequence(numbers: Any) -> None:
    assert isinstance(numbers, MutableSequence)
    assert (len(numbers), numbers[0], numbers[-1], 30 in numbers, 31 in numbers) == (5, 10, 50, True, False)
    assert list(numbers) == [10, 20, 30, 40, 50]
    assert list(reversed(numbers)) == [50, 40, 30, 20, 10]
    assert numbers == [10, 20, 30, 40, 50]
    assert numbers != [10]
    assert bool(numbers)
    assert numbers.index(30) == 2
    assert numbers.count(20) == 1
    first, *_, last = numbers
    assert (first, last) == (10, 50)
    for wrong in (5, -6):
        with pytest.raises(IndexError):
            _ = numbers[wrong]
    with pytest.raises(ValueError, match="not in the list"):
        numbers.index(99)


def test_slices_are_lists_of_java(gateway: bridge.Gateway, numbers: Any) -> None:
    assert isinstance(numbers[1:3], gateway.java.util.List)
    assert numbers[1:3] == [20, 30]
    assert numbers[::-1] == [50, 40, 30, 20, 10]
    assert numbers[-2:] == [40, 50]
    assert numbers[4:1:-2] == [50, 30]
    assert numbers[7:9] == []


def test_a_list_is_changed_in_place(numbers: Any) -> None:
    numbers.append(60)
    numbers.insert(0, 0)
    numbers.insert(-1, 55)
    assert numbers == [0, 10, 20, 30, 40, 50, 55, 60]
    del numbers[0], numbers[-1]
    del numbers[::2]
    assert numbers == [20, 40, 55]
    numbers[1] = 41
    numbers[-1] = 56
    numbers[0:1] = [1, 2, 3]
    assert numbers == [1, 2, 3, 41, 56]
    numbers[::2] = [7, 8, 9]
    assert numbers == [7, 2, 8, 41, 9]
    numbers += (5, 6)
    assert numbers.pop() == 6
    assert numbers.pop(0) == 7
    numbers.reverse()
    assert numbers == [5, 9, 41, 8, 2]
    numbers.extend(range(3))
    numbers[:] = []
    assert not numbers
    with pytest.raises(IndexError):
        numbers.pop()
    with pytest.raises(ValueError, match="slice"):
        numbers[::2] = [1]


def test_lists_add_and_multiply(gateway: bridge.Gateway, numbers: Any) -> None:
    assert numbers + [1] == [10, 20, 30, 40, 50, 1]
    assert [1] + numbers == [1, 10, 20, 30, 40, 50]
    assert numbers[:2] * 2 == [10, 20, 10, 20]
    assert isinstance(numbers + numbers, gateway.java.util.List)


def test_lists_are_sorted_by_java_or_python(gateway: bridge.Gateway) -> None:
    words = gateway.java.util.ArrayList(["pear", "fig", "banana"])
    words.sort()
    assert words == ["banana", "fig", "pear"]
    words.sort(reverse=True)
    assert words == ["pear", "fig", "banana"]
    words.sort(key=len)
    assert words == ["fig", "pear", "banana"]
    words.sort(lambda a, b: (a < b) - (a > b))
    assert words == ["pear", "fig", "banana"]


def test_iteration_takes_chunks(gateway: bridge.Gateway) -> None:
    many = gateway.java.util.ArrayList(list(range(10_000)))
    before = gateway.statistics()["calls"]
    assert list(many) == list(range(10_000))
    assert gateway.statistics()["calls"] - before < 12


def test_sets(gateway: bridge.Gateway) -> None:
    names: Any = gateway.java.util.TreeSet(["b", "a"])
    assert isinstance(gateway.java.util.HashSet(), MutableSet)
    assert list(names) == ["a", "b"]
    assert names == {"a", "b"}
    assert names | {"c"} == {"a", "b", "c"}
    assert {"a", "c"} & names == {"a"}
    assert names - {"a"} == {"b"}
    assert names <= {"a", "b", "c"}
    names.add("c")
    names.discard("a")
    names.discard("zz")
    names.update(["d"])
    assert names == {"b", "c", "d"}
    assert names.isdisjoint(["x"])


def test_maps(gateway: bridge.Gateway) -> None:
    ages = gateway.java.util.LinkedHashMap({"Ann": 30, "Bob": 40})
    assert isinstance(ages, MutableMapping)
    assert (len(ages), ages["Ann"], "Bob" in ages, "Cid" in ages) == (2, 30, True, False)
    assert list(ages) == ["Ann", "Bob"]
    assert list(ages.keys()) == ["Ann", "Bob"]
    assert list(ages.values()) == [30, 40]
    assert list(ages.items()) == [("Ann", 30), ("Bob", 40)]
    assert ("Ann", 30) in ages.items()
    assert ages == {"Ann": 30, "Bob": 40}
    assert dict(ages) == {"Ann": 30, "Bob": 40}
    assert (ages.get("Ann"), ages.get("Cid"), ages.get("Cid", 1)) == (30, None, 1)
    ages["Cid"] = 50
    ages["None"] = None
    assert ages["None"] is None
    del ages["None"]
    ages.update({"Dan": 60}, Eve=70)
    assert ages.pop("Dan") == 60
    assert ages.pop("Dan", 0) == 0
    assert ages.setdefault("Eve", 1) == 70
    for wrong in (lambda: ages["Fay"], lambda: ages.pop("Fay"), lambda: ages.__delitem__("Fay")):
        with pytest.raises(KeyError):
            wrong()
    assert {**ages} == {"Ann": 30, "Bob": 40, "Cid": 50, "Eve": 70}


def test_a_map_matches_a_pattern(gateway: bridge.Gateway) -> None:
    match gateway.java.util.HashMap({"kind": "circle", "r": 2}):
        case {"kind": "circle", "r": radius}:
            assert radius == 2
        case _:
            pytest.fail("a Java map is a mapping")


def test_entries_and_iterators(gateway: bridge.Gateway) -> None:
    ages = gateway.java.util.TreeMap({"Ann": 30})
    key, value = ages.firstEntry()
    assert (key, value) == ("Ann", 30)
    iterator = gateway.java.util.ArrayList([1, 2, 3]).iterator()
    assert next(iterator) == 1
    assert list(iterator) == [2, 3]
    with pytest.raises(StopIteration):
        next(iterator)
    assert list(gateway.java.util.Collections.enumeration(["a"])) == ["a"]
    assert list(gateway.java.util.stream.IntStream.range(0, 1000)) == list(range(1000))
    stream = gateway.java.util.ArrayList([1, 2, 3]).stream().map(lambda n: n * 2)
    assert list(stream) == [2, 4, 6]


def test_values_all_the_way_down(gateway: bridge.Gateway) -> None:
    util = gateway.java.util
    nested = util.HashMap({"a": util.ArrayList([1, "two", None]), "b": util.HashSet([3])})
    assert nested.to_py() == {"a": [1, "two", None], "b": {3}}
    assert type(nested.to_py()["a"]) is list
    assert util.Optional.of("x").to_py() == "x"
    assert util.ArrayList([1, 2]).to_py(list[int]) == [1, 2]


def test_python_containers_of_any_depth_are_arguments(gateway: bridge.Gateway) -> None:
    made = gateway.java.util.ArrayList([[1, 2], {"k": (1, 2.5)}, {3}, None, "x"])
    assert made.to_py()[0] == [1, 2]
    assert made.get(1)["k"].to_py() in ([1, 2.5], (1, 2.5))


def test_a_dict_takes_a_mapping_of_java(gateway: bridge.Gateway) -> None:
    ages: Mapping[str, int] = gateway.java.util.TreeMap({"Ann": 30})
    assert {**ages, "Bob": 1} == {"Ann": 30, "Bob": 1}


def test_maps_are_joined_and_reversed_as_dicts(gateway: bridge.Gateway) -> None:
    util = gateway.java.util
    tree = util.TreeMap({2: "b", 1: "a"})
    assert tree | {2: "c", 3: "d"} == {1: "a", 2: "c", 3: "d"}
    assert {1: "z", 0: "y"} | tree == {1: "a", 0: "y", 2: "b"}
    assert tree | util.HashMap({9: "i"}) == {1: "a", 2: "b", 9: "i"}
    assert list(reversed(tree)) == [2, 1]
    assert list(reversed(util.LinkedHashMap({5: 0, 4: 0}))) == [4, 5]
    tree |= {7: "g"}
    assert isinstance(tree, util.TreeMap)
    assert tree.to_py() == {1: "a", 2: "b", 7: "g"}
    with pytest.raises(TypeError):
        tree | 5
