"""java.util.List as Python's list: what changes it."""

from __future__ import annotations

from adaptor import Bridge, case, filled, own, raises, throws


@case("list: an element is assigned by index")
def assign(bridge: Bridge) -> None:
    letters = filled(bridge, "a", "b")
    letters[0] = "x"
    letters[-1] = "y"
    assert list(letters) == ["x", "y"]
    with raises(IndexError):
        letters[2] = "z"


@case("list: elements are assigned by a slice")
def assign_slice(bridge: Bridge) -> None:
    letters = filled(bridge, "a", "b", "c", "d")
    letters[1:3] = ["x", "y"]
    assert list(letters) == ["a", "x", "y", "d"]


@case("list: a slice may be replaced by another number of elements")
def resize_slice(bridge: Bridge) -> None:
    letters = filled(bridge, "a", "b", "c", "d")
    letters[1:3] = ["x"]
    assert list(letters) == ["a", "x", "d"]


@case("list: del removes by index")
def delete(bridge: Bridge) -> None:
    letters = filled(bridge, "a", "b", "c")
    del letters[0]
    del letters[-1]
    assert list(letters) == ["b"]
    with raises(IndexError):
        del letters[1]


@case("list: del of an index of numbers removes by index, not the number")
def delete_number(bridge: Bridge) -> None:
    numbers = filled(bridge, 2, 1, 0)
    del numbers[0]
    assert list(numbers) == [1, 0]


@case("list: del removes a slice")
def delete_slice(bridge: Bridge) -> None:
    numbers = own(bridge, "Collected").numbers(6)
    del numbers[1:4]
    assert list(numbers) == [0, 4, 5]


@case("list: append adds at the end")
def append(bridge: Bridge) -> None:
    letters = filled(bridge, "a")
    letters.append("b")
    assert letters.get(1) == "b"


@case("list: extend adds all elements of a Python or a Java list")
def extend(bridge: Bridge) -> None:
    letters = filled(bridge, "a")
    letters.extend(["b", "c"])
    letters.extend(filled(bridge, "d"))
    assert list(letters) == ["a", "b", "c", "d"]


@case("list: insert adds before an index")
def insert(bridge: Bridge) -> None:
    letters = filled(bridge, "a", "c")
    letters.insert(1, "b")
    assert list(letters) == ["a", "b", "c"]


@case("list: pop removes and returns the last element, or another one")
def pop(bridge: Bridge) -> None:
    letters = filled(bridge, "a", "b", "c")
    assert letters.pop() == "c"
    assert letters.pop(0) == "a"
    assert list(letters) == ["b"]


@case("list: pop of an empty list is an IndexError")
def pop_empty(bridge: Bridge) -> None:
    with raises(IndexError):
        filled(bridge).pop()


@case("list: remove removes the first equal element")
def remove(bridge: Bridge) -> None:
    letters = filled(bridge, "a", "b", "a")
    letters.remove("a")
    assert list(letters) == ["b", "a"]


@case("list: sort and reverse work in place")
def sort(bridge: Bridge) -> None:
    numbers = filled(bridge, 10, 1, 5)
    bridge.java.util.Collections.sort(numbers)
    assert list(numbers) == [1, 5, 10]
    numbers.reverse()
    assert list(numbers) == [10, 5, 1]


@case("list: sort without arguments sorts by Java's order")
def sort_natural(bridge: Bridge) -> None:
    numbers = filled(bridge, 10, 1, 5)
    numbers.sort()
    assert list(numbers) == [1, 5, 10]


@case("list: sort takes a key and a direction as Python's does")
def sort_by_key(bridge: Bridge) -> None:
    words = filled(bridge, "ccc", "a", "bb")
    words.sort(key=len, reverse=True)
    assert list(words) == ["ccc", "bb", "a"]


@case("list: Python's functions take it: sum, sorted, max, zip, unpacking")
def functions(bridge: Bridge) -> None:
    numbers = filled(bridge, 3, 1, 2)
    assert (sum(numbers), sorted(numbers), max(numbers)) == (6, [1, 2, 3], 3)
    first, *others = numbers
    assert (first, others) == (3, [1, 2])
    assert list(zip(numbers, "abc", strict=True)) == [(3, "a"), (1, "b"), (2, "c")]


@case("list: one that cannot be changed throws Java's exception")
def unmodifiable(bridge: Bridge) -> None:
    fixed = own(bridge, "Collected").fixed()
    with throws(bridge, "java.lang.UnsupportedOperationException"):
        fixed.add(1)
    with throws(bridge, "java.lang.UnsupportedOperationException"):
        fixed.append(1)
    with throws(bridge, "java.lang.UnsupportedOperationException"):
        fixed[0] = 1


@case("list: a list within a list is changed in place")
def nested(bridge: Bridge) -> None:
    inner = filled(bridge, 1)
    outer = filled(bridge, inner)
    outer[0].append(2)
    assert list(inner) == [1, 2]


@case("list: a change while it is iterated throws Java's exception")
def concurrent_change(bridge: Bridge) -> None:
    numbers = own(bridge, "Collected").numbers(3000)
    with throws(bridge, "java.util.ConcurrentModificationException"):
        for number in numbers:
            if number == 1:
                numbers.add(3000)


@case("list: clear empties it")
def clear(bridge: Bridge) -> None:
    letters = filled(bridge, "a", "b")
    letters.clear()
    assert letters.isEmpty()
