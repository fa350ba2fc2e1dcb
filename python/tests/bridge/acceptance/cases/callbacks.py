"""Java interfaces that Python implements."""

from __future__ import annotations

import sys
from typing import Any

from adaptor import PACKAGE, Bridge, case, filled, own
from implementations import CALLBACKS, Addition, Echo, Greeter, Person


@case("callbacks: a method of an interface is called in Python")
def called(bridge: Bridge) -> None:
    assert own(bridge, "Callbacks").two(bridge.implement(Addition(), CALLBACKS + "Operator"), 2, 3) == 5


@case("callbacks: overloaded methods are one method of Python with optional arguments")
def overloaded(bridge: Bridge) -> None:
    addition = bridge.implement(Addition(), CALLBACKS + "Operator")
    assert own(bridge, "Callbacks").three(addition, 2, 3, 4) == 9
    assert own(bridge, "Callbacks").two(addition, 2, 3) == 5


@case("callbacks: a class of Python names its interfaces in a class `Java`")
def java_class(bridge: Bridge) -> None:
    class Multiplication:
        """An operator that says what it implements."""

        def apply(self, a: int, b: int, c: int = 1) -> int:
            """Called by Java."""
            return a * b * c

        class Java:
            """The interfaces."""

            implements = [CALLBACKS + "Operator"]  # noqa: RUF012

    assert own(bridge, "Callbacks").two(Multiplication(), 6, 7) == 42


@case("callbacks: arguments and results of every type arrive as themselves")
def every_type(bridge: Bridge) -> None:
    echo = Echo()
    sink = list(own(bridge, "Callbacks").all(bridge.implement(echo, CALLBACKS + "Kinds")))
    assert sink == [True, -(2**31), 2**63 - 1, 0.5, "x", "téxt", 3, "from Python"]
    assert echo.got[:6] == [True, -(2**31), 2**63 - 1, 0.5, "x", "téxt"]
    assert bytes(echo.got[6]) == b"\x01\x02\xfd"


@case("callbacks: arguments have Python's own types")
def argument_types(bridge: Bridge) -> None:
    echo = Echo()
    own(bridge, "Callbacks").all(bridge.implement(echo, CALLBACKS + "Kinds"))
    assert [type(value) for value in echo.got] == [bool, int, int, float, str, str, bytes]


@case("callbacks: null comes and goes as None")
def null(bridge: Bridge) -> None:
    echo = Echo()
    assert own(bridge, "Callbacks").any(bridge.implement(echo, CALLBACKS + "Kinds"), None) is None
    assert echo.got == [None]


@case("callbacks: an object of Java passes through Python and is the same")
def java_identity(bridge: Bridge) -> None:
    made = own(bridge, "Members")(5)
    back = own(bridge, "Callbacks").any(bridge.implement(Echo(), CALLBACKS + "Kinds"), made)
    assert own(bridge, "Members").same(back, made)


@case("callbacks: a list that a callback returns is a List")
def returned_list(bridge: Bridge) -> None:
    class Pair:
        """Maps a value to two of it."""

        def map(self, value: Any) -> Any:
            """Called by Java."""
            return [value, value]

    pairs = own(bridge, "Callbacks").each(filled(bridge, 1, "a"), bridge.implement(Pair(), CALLBACKS + "Mapper"))
    assert [list(pair) for pair in pairs] == [[1, 1], ["a", "a"]]


@case("callbacks: variable arguments come as an array")
def varargs(bridge: Bridge) -> None:
    class Log:
        """Joins what it gets."""

        def log(self, format: str, values: Any) -> str:  # noqa: A002
            """Called by Java."""
            return f"{format} {list(values)}"

    assert own(bridge, "Callbacks").log(bridge.implement(Log(), CALLBACKS + "Logger")) == "a [1, 'two', None]"


@case("callbacks: one object implements several interfaces")
def several(bridge: Bridge) -> None:
    person = bridge.implement(Person(), CALLBACKS + "Named", CALLBACKS + "Aged")
    assert own(bridge, "Callbacks").person(person) == "Ada 36"


@case("callbacks: a default method that Python lacks is Java's")
def default_method(bridge: Bridge) -> None:
    assert own(bridge, "Callbacks").greet(bridge.implement(Person(), CALLBACKS + "Named")) == "hello Ada"


@case("callbacks: a default method that Python has is Python's")
def overridden_default(bridge: Bridge) -> None:
    class Rude:
        """Has a greeting of its own."""

        def name(self) -> str:
            """Called by Java."""
            return "nobody"

        def greeting(self) -> str:
            """Called by Java."""
            return "go away"

    assert own(bridge, "Callbacks").greet(bridge.implement(Rude(), CALLBACKS + "Named")) == "go away"


@case("callbacks: an interface within a class is named with a dollar sign")
def nested_interface(bridge: Bridge) -> None:
    assert own(bridge, "Outer").ask(bridge.implement(Greeter(), f"{PACKAGE}.Outer$Greeter"), "world") == "hello world"


class Descent:
    """The Python half of a recursion."""

    def __init__(self, bridge: Bridge) -> None:
        self.bridge = bridge
        self.me: Any = None

    def down(self, other: Any, depth: int) -> int:
        """Called by Java."""
        return 0 if depth == 0 else 1 + int(other.down(self.me, depth - 1))


@case("callbacks: Java and Python call each other twenty levels deep")
def recursion(bridge: Bridge) -> None:
    descent = Descent(bridge)
    descent.me = bridge.implement(descent, CALLBACKS + "Recursion")
    assert own(bridge, "Callbacks$Java")().down(descent.me, 20) == 20


@case("callbacks: a callback calls other methods of Java, which call other callbacks")
def nested(bridge: Bridge) -> None:
    callbacks, addition = own(bridge, "Callbacks"), bridge.implement(Addition(), CALLBACKS + "Operator")

    class Outer:
        """An operator that asks another one by way of Java."""

        def apply(self, a: int, b: int, c: int = 0) -> int:
            """Called by Java."""
            return int(callbacks.two(addition, a, b)) * 10

    assert callbacks.two(bridge.implement(Outer(), CALLBACKS + "Operator"), 1, 2) == 30


@case("callbacks: a thousand of them in one call")
def thousand(bridge: Bridge) -> None:
    assert own(bridge, "Callbacks").many(bridge.implement(Addition(), CALLBACKS + "Operator"), 1000) == 499_500


@case("callbacks: a Comparator of Python sorts a list of Java")
def comparator(bridge: Bridge) -> None:
    class ByLength:
        """Longer texts come first."""

        def compare(self, a: str, b: str) -> int:
            """Called by Java."""
            return len(b) - len(a)

    words = filled(bridge, "a", "ccc", "bb")
    bridge.java.util.Collections.sort(words, bridge.implement(ByLength(), "java.util.Comparator"))
    assert list(words) == ["ccc", "bb", "a"]


@case("callbacks: an Iterable of Python is walked by Java")
def iterable(bridge: Bridge) -> None:
    class Walk:
        """An Iterator."""

        def __init__(self) -> None:
            self.left = [1, 2, 3]

        def hasNext(self) -> bool:  # noqa: N802
            """Called by Java."""
            return bool(self.left)

        def next(self) -> int:
            """Called by Java."""
            return self.left.pop()

    class Way:
        """An Iterable."""

        def iterator(self) -> Any:
            """Called by Java."""
            return bridge.implement(Walk(), "java.util.Iterator")

    assert own(bridge, "Collected").walk(bridge.implement(Way(), "java.lang.Iterable")) == 3


@case("callbacks: each of many runs at the same depth of Python's stack")
def stack_depth(bridge: Bridge) -> None:
    depths: list[int] = []

    class Depth:
        """Notes how deep Python's stack is."""

        def apply(self, a: int, b: int) -> int:
            """Called by Java."""
            frame, depth = sys._getframe(), 0
            while frame.f_back:
                frame, depth = frame.f_back, depth + 1
            depths.append(depth)
            return a

    own(bridge, "Callbacks").many(bridge.implement(Depth(), CALLBACKS + "Operator"), 50)
    assert len(set(depths[1:])) == 1
