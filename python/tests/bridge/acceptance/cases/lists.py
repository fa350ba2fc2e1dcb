"""java.util.List as Python's list: what is read."""

from __future__ import annotations

from adaptor import Bridge, case, filled, own, raises


@case("list: len counts the elements")
def length(bridge: Bridge) -> None:
    assert len(filled(bridge)) == 0
    assert len(filled(bridge, "a", "b")) == 2


@case("list: an index gives the element")
def index(bridge: Bridge) -> None:
    letters = filled(bridge, "a", "b", "c")
    assert (letters[0], letters[2]) == ("a", "c")


@case("list: a negative index counts from the end")
def negative(bridge: Bridge) -> None:
    letters = filled(bridge, "a", "b", "c")
    assert (letters[-1], letters[-3]) == ("c", "a")


@case("list: an index beyond either end is an IndexError")
def out_of_range(bridge: Bridge) -> None:
    letters = filled(bridge, "a")
    for wrong in (1, -2, 99):
        with raises(IndexError):
            _ = letters[wrong]


@case("list: a slice has the elements in its range")
def slices(bridge: Bridge) -> None:
    numbers = own(bridge, "Collected").numbers(6)
    assert list(numbers[1:3]) == [1, 2]
    assert list(numbers[-2:]) == [4, 5]
    assert list(numbers[4:100]) == [4, 5]
    assert list(numbers[3:1]) == []


@case("list: a slice may have a step")
def stepped(bridge: Bridge) -> None:
    numbers = own(bridge, "Collected").numbers(6)
    assert list(numbers[::2]) == [0, 2, 4]
    assert list(numbers[::-1]) == [5, 4, 3, 2, 1, 0]


@case("list: a slice is a copy, no view")
def slice_copy(bridge: Bridge) -> None:
    letters = filled(bridge, "a", "b", "c")
    part = letters[0:-1]
    part[0] = "z"
    assert list(part) == ["z", "b"]
    assert list(letters) == ["a", "b", "c"]


@case("list: a slice is a list of Java that has Java's methods")
def slice_of_java(bridge: Bridge) -> None:
    assert own(bridge, "Collected").numbers(4)[1:3].size() == 2


@case("list: `in` looks for an equal element")
def contains(bridge: Bridge) -> None:
    mixed = filled(bridge, 1, "two", None)
    assert 1 in mixed
    assert "two" in mixed
    assert None in mixed
    assert "three" not in mixed


@case("list: it is iterated in order")
def iterate(bridge: Bridge) -> None:
    assert [element for element in filled(bridge, "c", "a", "b")] == ["c", "a", "b"]  # noqa: C416


@case("list: it is iterated backwards by reversed()")
def backwards(bridge: Bridge) -> None:
    assert list(reversed(filled(bridge, "a", "b", "c"))) == ["c", "b", "a"]


@case("list: index and count look for equal elements")
def index_and_count(bridge: Bridge) -> None:
    letters = filled(bridge, "a", "b", "a")
    assert letters.index("b") == 1
    assert letters.count("a") == 2
    assert letters.count("z") == 0


@case("list: index of a missing element is a ValueError")
def index_missing(bridge: Bridge) -> None:
    with raises(ValueError):
        filled(bridge, "a").index("z")


@case("list: it equals a Java list of equal elements")
def equality(bridge: Bridge) -> None:
    assert filled(bridge, 1, "two") == filled(bridge, 1, "two")
    assert filled(bridge, 1, "two") != filled(bridge, "two", 1)
    assert filled(bridge, 1) == bridge.java.util.LinkedList(filled(bridge, 1))


@case("list: it equals a Python list of equal elements")
def equality_with_python(bridge: Bridge) -> None:
    assert filled(bridge, 1, "two") == [1, "two"]
    assert filled(bridge, 1) != [2]


@case("list: an empty one is false")
def truth(bridge: Bridge) -> None:
    assert not filled(bridge)
    assert filled(bridge, None)


@case("list: + joins it with a list")
def concatenation(bridge: Bridge) -> None:
    assert list(filled(bridge, 1) + [2, 3]) == [1, 2, 3]


@case("list: Java's methods are there beside Python's")
def java_methods(bridge: Bridge) -> None:
    letters = filled(bridge, "a")
    letters.add(0, "b")
    assert letters.size() == 2
    assert letters.contains("a")
    assert letters.subList(1, 2).get(0) == "a"
    assert not letters.isEmpty()


@case("list: elements that are objects are those very objects")
def identity(bridge: Bridge) -> None:
    members = own(bridge, "Members")
    made = members(1)
    assert members.same(filled(bridge, made)[0], made)


@case("list: three thousand elements are iterated")
def large(bridge: Bridge) -> None:
    assert sum(own(bridge, "Collected").numbers(3000)) == 4_498_500
