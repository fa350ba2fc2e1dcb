"""Iterators and iterables of Java."""

from __future__ import annotations

from adaptor import Bridge, case, filled, own, raises


@case("iteration: a Java iterator is one of Python")
def iterator(bridge: Bridge) -> None:
    assert list(filled(bridge, 1, 2, 3).iterator()) == [1, 2, 3]


@case("iteration: next() gives elements, then StopIteration")
def stop(bridge: Bridge) -> None:
    iterator = iter(filled(bridge, "a", "b"))
    assert next(iterator) == "a"
    assert next(iterator) == "b"
    with raises(StopIteration):
        next(iterator)


@case("iteration: two iterators of one list do not disturb each other")
def independent(bridge: Bridge) -> None:
    numbers = filled(bridge, 1, 2)
    assert [(a, b) for a in numbers for b in numbers] == [(1, 1), (1, 2), (2, 1), (2, 2)]


@case("iteration: any Iterable can be iterated, as often as Java lets it")
def iterable(bridge: Bridge) -> None:
    countdown = own(bridge, "Collected").countdown(3)
    assert list(countdown) == [3, 2, 1]
    assert list(countdown) == [3, 2, 1]


@case("iteration: it may stop before the end")
def early_stop(bridge: Bridge) -> None:
    seen = []
    for number in own(bridge, "Collected").countdown(1_000_000_000):
        seen.append(number)
        if len(seen) == 3:
            break
    assert seen == [1_000_000_000, 999_999_999, 999_999_998]


@case("iteration: a deque, a linked list and a priority queue are iterated")
def queues(bridge: Bridge) -> None:
    util = bridge.java.util
    for made in (util.ArrayDeque(), util.LinkedList(), util.PriorityQueue()):
        made.add(1)
        made.add(2)
        assert list(made) == [1, 2]
        assert len(made) == 2


@case("iteration: an Enumeration can be iterated")
def enumeration(bridge: Bridge) -> None:
    assert list(bridge.java.util.Collections.enumeration(filled(bridge, 1, 2))) == [1, 2]


@case("iteration: a stream is iterated by its iterator")
def stream(bridge: Bridge) -> None:
    assert list(filled(bridge, 3, 1, 2).stream().sorted().iterator()) == [1, 2, 3]


@case("iteration: an object that is not iterable is a TypeError")
def not_iterable(bridge: Bridge) -> None:
    with raises(TypeError):
        list(own(bridge, "Members")())


@case("iteration: an object without a length is a TypeError")
def no_length(bridge: Bridge) -> None:
    with raises(TypeError):
        len(own(bridge, "Members")())
