"""Java arrays."""

from __future__ import annotations

from adaptor import Bridge, array_of, case, own, raises


@case("arrays: a new array of numbers holds zeros")
def zeros(bridge: Bridge) -> None:
    array = bridge.array("int", 3)
    assert len(array) == 3
    assert [array[0], array[1], array[2]] == [0, 0, 0]


@case("arrays: a new array of objects holds None")
def nulls(bridge: Bridge) -> None:
    array = bridge.array("java.lang.String", 2)
    assert list(array) == [None, None]


@case("arrays: an element that Python assigns is what Java sees")
def assign(bridge: Bridge) -> None:
    array = bridge.array("int", 3)
    array[0], array[2] = 10, -1
    assert own(bridge, "Values").total(array) == 9


@case("arrays: an element that Java assigns is what Python sees")
def by_reference(bridge: Bridge) -> None:
    array = bridge.array("int", 3)
    own(bridge, "Values").fill(array, 7)
    assert list(array) == [7, 7, 7]


@case("arrays: an index beyond the end is an IndexError")
def beyond(bridge: Bridge) -> None:
    array = bridge.array("int", 3)
    for index in (3, 100):
        with raises(IndexError):
            _ = array[index]
    with raises(IndexError):
        array[3] = 1


@case("arrays: a negative index counts from the end")
def negative(bridge: Bridge) -> None:
    array = own(bridge, "Values").ints(4)
    assert (array[-1], array[-4]) == (9, 0)
    array[-1] = 5
    assert array[3] == 5


@case("arrays: a negative index before the start is an IndexError")
def before(bridge: Bridge) -> None:
    with raises(IndexError):
        _ = own(bridge, "Values").ints(4)[-5]


@case("arrays: they are iterated in order")
def iterate(bridge: Bridge) -> None:
    assert list(own(bridge, "Values").ints(5)) == [0, 1, 4, 9, 16]


@case("arrays: a slice has the elements in its range")
def slices(bridge: Bridge) -> None:
    array = own(bridge, "Values").ints(5)
    assert list(array[1:3]) == [1, 4]
    assert list(array[::2]) == [0, 4, 16]


@case("arrays: elements can be assigned by a slice")
def assign_slice(bridge: Bridge) -> None:
    array = own(bridge, "Values").ints(4)
    array[1:3] = [100, 200]
    assert list(array) == [0, 100, 200, 9]


@case("arrays: `in` looks for an element")
def contains(bridge: Bridge) -> None:
    array = own(bridge, "Values").ints(4)
    assert 9 in array
    assert 5 not in array


@case("arrays: an array may have two dimensions")
def two_dimensions(bridge: Bridge) -> None:
    array = bridge.array("java.lang.String", 2, 3)
    array[1][2] = "hello"
    assert (len(array), len(array[0])) == (2, 3)
    assert array[1][2] == "hello"
    assert array[0][0] is None


@case("arrays: rows of a Java array may differ in length")
def ragged(bridge: Bridge) -> None:
    assert [list(row) for row in own(bridge, "Values").grid()] == [[1, 2], [3, 4, 5], []]


@case("arrays: longs, truth values and letters arrive as Python's")
def primitives(bridge: Bridge) -> None:
    values = own(bridge, "Values")
    assert list(values.longs()) == [-(2**63), 0, 2**63 - 1]
    assert list(values.flags()) == [True, False, True]
    assert list(values.letters()) == ["a", "b"]


@case("arrays: an element that is an object is that very object")
def identity(bridge: Bridge) -> None:
    first = own(bridge, "Members")(1)
    array = own(bridge, "Values").objects(first, "second")
    assert own(bridge, "Members").same(array[0], first)
    assert array[1] == "second"


@case("arrays: an array of objects takes what its class takes, and nothing else")
def element_class(bridge: Bridge) -> None:
    array = bridge.array("java.lang.Integer", 1)
    array[0] = 5
    assert array[0] == 5
    with raises(bridge.error, *bridge.refusals):
        array[0] = "five"


@case("arrays: a list is an array where one is wanted")
def from_list(bridge: Bridge) -> None:
    values = own(bridge, "Values")
    assert values.total([1, 2, 3]) == 6
    assert values.mean([1.0, 2.0]) == 1.5
    assert values.names(["a", None, "c"]) == "[a, null, c]"


@case("arrays: a tuple is an array where one is wanted")
def from_tuple(bridge: Bridge) -> None:
    assert own(bridge, "Values").total((4, 5)) == 9


@case("arrays: an empty list is an empty array")
def from_empty(bridge: Bridge) -> None:
    assert own(bridge, "Values").total([]) == 0


@case("arrays: a list with an element of a wrong type is not an array")
def from_wrong_list(bridge: Bridge) -> None:
    with raises(*bridge.refusals):
        own(bridge, "Values").total([1, "two"])


@case("arrays: Java's Arrays works on them")
def arrays_class(bridge: Bridge) -> None:
    array = array_of(bridge, "int", [3, 1, 2])
    bridge.java.util.Arrays.sort(array)
    assert list(array) == [1, 2, 3]
    assert bridge.java.util.Arrays.toString(array) == "[1, 2, 3]"


@case("arrays: an array of arrays is seen by Java as it is by Python")
def nested(bridge: Bridge) -> None:
    array = bridge.array("java.lang.Object", 2)
    array[0], array[1] = array_of(bridge, "int", [1, 2]), "x"
    assert own(bridge, "Values").deep(array) == "[[1, 2], x]"


@case("arrays: an array of none is false, as Python's sequences are")
def truth(bridge: Bridge) -> None:
    assert not bridge.array("int", 0)
    assert bridge.array("int", 1)
