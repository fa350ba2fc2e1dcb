"""Python's exceptions, on their way through Java."""

from __future__ import annotations

from typing import Any

from adaptor import PACKAGE, Bridge, case, own, raises

STEP = f"{PACKAGE}.Failures$Step"


class Raising:
    """A step that raises."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def run(self, argument: Any) -> Any:
        """Called by Java."""
        raise self.error


def causes(error: BaseException) -> list[BaseException]:
    """An exception with all that caused it."""
    found: list[BaseException] = []
    following: BaseException | None = error
    while following is not None:
        found.append(following)
        following = following.__cause__
    return found


@case("python errors: what a callback raises reaches Python's caller through Java")
def through(bridge: Bridge) -> None:
    with raises(Exception) as caught:
        own(bridge, "Failures").plain(bridge.implement(Raising(ValueError("lost the plot")), STEP), 1)
    assert "lost the plot" in str(caught[0])


@case("python errors: what comes back is the exception that was raised, or was caused by it")
def identity(bridge: Bridge) -> None:
    error = LookupError("this one")
    with raises(Exception) as caught:
        own(bridge, "Failures").plain(bridge.implement(Raising(error), STEP), 1)
    assert any(cause is error for cause in causes(caught[0]))


@case("python errors: Java catches them as RuntimeException, with the message")
def caught_by_java(bridge: Bridge) -> None:
    said = own(bridge, "Failures").caught(bridge.implement(Raising(ValueError("lost the plot")), STEP))
    assert said.startswith("RuntimeException")
    assert "lost the plot" in said


@case("python errors: Java sees the name of Python's class")
def class_name(bridge: Bridge) -> None:
    assert "ZeroDivisionError" in own(bridge, "Failures").caught(bridge.implement(Raising(ZeroDivisionError("by zero")), STEP))


@case("python errors: Java may wrap them, and Python finds both")
def wrapped(bridge: Bridge) -> None:
    with raises(bridge.error) as caught:
        own(bridge, "Failures").wrapped(bridge.implement(Raising(ValueError("inner")), STEP))
    thrown = bridge.throwable(caught[0])
    assert thrown.getMessage() == "wrapped"
    assert "inner" in str(thrown.getCause())


@case("python errors: Java's finally blocks run")
def cleaned(bridge: Bridge) -> None:
    count = bridge.array("int", 1)
    with raises(Exception):
        own(bridge, "Failures").cleaned(bridge.implement(Raising(ValueError("x")), STEP), count)
    assert count[0] == 1


@case("python errors: a Java exception raised in a callback is that class to Java")
def java_exception_through(bridge: Bridge) -> None:
    class Missing:
        """A step that lets a Java exception pass."""

        def run(self, argument: Any) -> Any:
            """Called by Java."""
            return own(bridge, "Failures").checked("missing.txt")

    assert own(bridge, "Failures").caught(bridge.implement(Missing(), STEP)) == "IOException missing.txt"


@case("python errors: they pass two levels of Java and Python")
def two_levels(bridge: Bridge) -> None:
    class Passing:
        """A step that calls Java, which calls a step that raises."""

        def run(self, argument: Any) -> Any:
            """Called by Java."""
            return own(bridge, "Failures").plain(bridge.implement(Raising(ValueError("deep down")), STEP), 1)

    with raises(Exception) as caught:
        own(bridge, "Failures").plain(bridge.implement(Passing(), STEP), 1)
    assert "deep down" in str(caught[0])


@case("python errors: a callback may catch what Java throws")
def caught_in_callback(bridge: Bridge) -> None:
    class Catching:
        """A step that catches a Java exception."""

        def run(self, argument: Any) -> Any:
            """Called by Java."""
            try:
                own(bridge, "Failures").state("caught")
            except bridge.error:
                return "recovered"

    assert own(bridge, "Failures").caught(bridge.implement(Catching(), STEP)) == "returned recovered"


@case("python errors: a callback that returns a wrong type is an exception, not a wrong value")
def wrong_result(bridge: Bridge) -> None:
    class Wrong:
        """An operator that returns a text."""

        def apply(self, *numbers: int) -> Any:
            """Called by Java."""
            return "no number"

    with raises(Exception):
        own(bridge, "Callbacks").two(bridge.implement(Wrong(), f"{PACKAGE}.Callbacks$Operator"), 1, 2)


@case("python errors: a callback whose method is missing is an exception")
def missing_method(bridge: Bridge) -> None:
    class Empty:
        """Implements nothing."""

    with raises(Exception) as caught:
        own(bridge, "Failures").plain(bridge.implement(Empty(), STEP), 1)
    assert "run" in str(caught[0])


@case("python errors: after them the gateway is as before")
def usable(bridge: Bridge) -> None:
    failures, step = own(bridge, "Failures"), bridge.implement(Raising(ValueError("x")), STEP)
    for _ in range(20):
        with raises(Exception):
            failures.plain(step, 1)
    assert own(bridge, "Members").add(1, 2) == 3
