"""Functions of Python as functional interfaces, and Java's functions in Python."""

from __future__ import annotations

import functools
import operator
from typing import Any

from adaptor import Bridge, case, filled, own, raises


@case("functions: a lambda is a Comparator where one is wanted")
def comparator(bridge: Bridge) -> None:
    numbers = filled(bridge, 1, 3, 2)
    bridge.java.util.Collections.sort(numbers, lambda a, b: b - a)
    assert list(numbers) == [3, 2, 1]


@case("functions: a lambda is a Runnable")
def runnable(bridge: Bridge) -> None:
    ran: list[int] = []
    thread = bridge.java.lang.Thread(lambda: ran.append(1))
    thread.start()
    thread.join(5000)
    assert ran == [1]


@case("functions: a lambda is a Function, and a stream maps by it")
def function(bridge: Bridge) -> None:
    assert list(filled(bridge, 1, 2, 3).stream().map(lambda number: number * 10).iterator()) == [10, 20, 30]


@case("functions: a lambda is a Predicate, and a list removes by it")
def predicate(bridge: Bridge) -> None:
    numbers = filled(bridge, 1, 2, 3, 4)
    assert numbers.removeIf(lambda number: number % 2 == 0) is True
    assert list(numbers) == [1, 3]


@case("functions: a lambda is a Consumer")
def consumer(bridge: Bridge) -> None:
    seen: list[Any] = []
    filled(bridge, "a", "b").forEach(seen.append)
    assert seen == ["a", "b"]


@case("functions: a lambda is a Supplier")
def supplier(bridge: Bridge) -> None:
    assert bridge.java.util.Optional.empty().orElseGet(lambda: "supplied") == "supplied"


@case("functions: a lambda is a BiFunction, and a map merges by it")
def bi_function(bridge: Bridge) -> None:
    table = own(bridge, "Collected").map()
    table.merge("one", 10, lambda old, new: old + new)
    table.compute("two", lambda key, value: value * 100)
    assert (table["one"], table["two"]) == (11, 200)


@case("functions: a lambda is an interface of one's own, if it has one abstract method")
def own_interface(bridge: Bridge) -> None:
    assert own(bridge, "Outer").ask(lambda whom: f"hi {whom}", "you") == "hi you"


@case("functions: a bound method, a partial and a builtin are functions, too")
def callables(bridge: Bridge) -> None:
    numbers = filled(bridge, -1, 2)
    assert list(numbers.stream().map(abs).iterator()) == [1, 2]
    assert list(numbers.stream().map(functools.partial(operator.mul, 3)).iterator()) == [-3, 6]
    assert list(numbers.stream().map("{}".format).iterator()) == ["-1", "2"]


@case("functions: a default method of the interface can be called in Java")
def reversed_comparator(bridge: Bridge) -> None:
    class Ascending:
        """A Comparator."""

        def compare(self, a: int, b: int) -> int:
            """Called by Java."""
            return a - b

    numbers = filled(bridge, 1, 3, 2)
    ascending = bridge.implement(Ascending(), "java.util.Comparator")
    bridge.java.util.Collections.sort(numbers, bridge.java.util.Collections.reverseOrder(ascending))
    assert list(numbers) == [3, 2, 1]


@case("functions: toString, equals and hashCode do not call it")
def not_called(bridge: Bridge) -> None:
    called: list[Any] = []
    assert own(bridge, "Callbacks").shown(called.append) == "true true false"
    assert called == []


@case("functions: one that raises ends the Java method that called it")
def raising(bridge: Bridge) -> None:
    with raises(Exception) as caught:
        filled(bridge, 1, 0).stream().map(lambda number: 1 // number).forEach(lambda number: None)
    assert "division" in str(caught[0])


@case("functions: one where an Object is wanted is refused")
def no_interface(bridge: Bridge) -> None:
    with raises(*bridge.refusals):
        own(bridge, "Values").isNull(lambda: None)


@case("functions: Java's functions are called by their method")
def java_function(bridge: Bridge) -> None:
    identity = bridge.java.util.function.Function.identity()
    assert identity.apply("same") == "same"


@case("functions: Java's comparators sort Java's lists")
def java_comparator(bridge: Bridge) -> None:
    numbers = filled(bridge, 1, 3, 2)
    bridge.java.util.Collections.sort(numbers, bridge.java.util.Comparator.reverseOrder())
    assert list(numbers) == [3, 2, 1]


@case("streams: they filter, map, sort and collect")
def stream(bridge: Bridge) -> None:
    words = filled(bridge, "pear", "fig", "apple")
    longer = words.stream().filter(lambda word: len(word) > 3).map(lambda word: word.upper()).sorted()
    assert list(longer.collect(bridge.java.util.stream.Collectors.toList())) == ["APPLE", "PEAR"]


@case("streams: collectors join and group")
def collectors(bridge: Bridge) -> None:
    collectors = bridge.java.util.stream.Collectors
    words = filled(bridge, "a", "bb", "cc")
    assert words.stream().collect(collectors.joining(", ")) == "a, bb, cc"
    groups = words.stream().collect(collectors.groupingBy(lambda word: len(word)))
    assert {key: list(group) for key, group in groups.items()} == {1: ["a"], 2: ["bb", "cc"]}


@case("streams: streams of primitives reduce to numbers")
def primitive_stream(bridge: Bridge) -> None:
    numbers = bridge.java.util.stream.IntStream.rangeClosed(1, 10)
    assert numbers.sum() == 55
    assert bridge.java.util.stream.IntStream.range(0, 5).filter(lambda number: number % 2 == 0).count() == 3


@case("streams: Optional maps and filters")
def optional(bridge: Bridge) -> None:
    found = filled(bridge, 5, 6).stream().findFirst()
    assert found.map(lambda number: number + 1).get() == 6
    assert found.filter(lambda number: number > 5).isPresent() is False
