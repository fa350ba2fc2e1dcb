"""Java's exceptions, caught in Python."""

from __future__ import annotations

import traceback

from adaptor import PACKAGE, Bridge, case, own, raises, throws


@case("errors: what a Java method throws is raised")
def raised(bridge: Bridge) -> None:
    with raises(bridge.error) as caught:
        own(bridge, "Failures").state("broken")
    assert "broken" in str(caught[0])


@case("errors: it is an Exception of Python")
def python_exception(bridge: Bridge) -> None:
    with raises(Exception):
        own(bridge, "Failures").state("broken")


@case("errors: the Java exception has its class and its message")
def class_and_message(bridge: Bridge) -> None:
    with throws(bridge, "java.lang.IllegalStateException") as thrown:
        own(bridge, "Failures").state("broken")
    assert thrown[0].getMessage() == "broken"


@case("errors: what is printed has the class and the message")
def text(bridge: Bridge) -> None:
    with raises(bridge.error) as caught:
        own(bridge, "Failures").state("broken pipe")
    printed = "".join(traceback.format_exception_only(caught[0]))
    assert "IllegalStateException" in printed
    assert "broken pipe" in printed


@case("errors: a message may be missing")
def no_message(bridge: Bridge) -> None:
    with throws(bridge, "java.lang.IllegalStateException") as thrown:
        own(bridge, "Failures").state(None)
    assert thrown[0].getMessage() is None


@case("errors: a message may have any letters")
def unicode_message(bridge: Bridge) -> None:
    message = "kaputt: größe 😀\nzweite Zeile"
    with throws(bridge, "java.lang.IllegalStateException") as thrown:
        own(bridge, "Failures").state(message)
    assert thrown[0].getMessage() == message


@case("errors: a checked exception is raised as well")
def checked(bridge: Bridge) -> None:
    with throws(bridge, "java.io.FileNotFoundException"):
        own(bridge, "Failures").checked("missing.txt")


@case("errors: an exception is caught by its Java class")
def by_class(bridge: Bridge) -> None:
    try:
        own(bridge, "Failures").checked("missing.txt")
    except bridge.error_class("java.io.FileNotFoundException") as error:
        assert "missing.txt" in str(error)
    else:
        raise AssertionError("nothing was raised")


@case("errors: an exception is caught by a Java superclass")
def by_superclass(bridge: Bridge) -> None:
    for name in ("java.io.IOException", "java.lang.Exception", "java.lang.Throwable"):
        with raises(bridge.error_class(name)):
            own(bridge, "Failures").checked("missing.txt")


@case("errors: an exception passes by a clause for another class")
def other_class(bridge: Bridge) -> None:
    with raises(bridge.error_class("java.lang.IllegalStateException")):
        try:
            own(bridge, "Failures").state("passes")
        except bridge.error_class("java.io.IOException") as error:
            raise AssertionError("caught by a wrong class") from error


@case("errors: an exception of one's own class has its members")
def own_class(bridge: Bridge) -> None:
    with throws(bridge, f"{PACKAGE}.Failures$Refusal") as thrown:
        own(bridge, "Failures").refuse("no entry", 403)
    assert thrown[0].getCode() == 403
    assert thrown[0].getMessage() == "no entry"


@case("errors: a constructor may throw")
def constructor(bridge: Bridge) -> None:
    with throws(bridge, "java.lang.IllegalStateException") as thrown:
        own(bridge, "Failures$Broken")()
    assert thrown[0].getMessage() == "no constructor"


@case("errors: causes are reached one by one")
def causes(bridge: Bridge) -> None:
    with throws(bridge, "java.lang.IllegalStateException") as thrown:
        own(bridge, "Failures").chain()
    middle = thrown[0].getCause()
    assert middle.getMessage() == "middle"
    assert middle.getCause().getClass().getName() == "java.lang.NumberFormatException"
    assert middle.getCause().getCause() is None


@case("errors: causes are Python's __cause__")
def python_causes(bridge: Bridge) -> None:
    with raises(bridge.error) as caught:
        own(bridge, "Failures").chain()
    middle = caught[0].__cause__
    assert middle is not None
    assert "middle" in str(middle)
    assert middle.__cause__ is not None
    assert "x1" in str(middle.__cause__)
    assert middle.__cause__.__cause__ is None


@case("errors: suppressed exceptions are reached")
def suppressed(bridge: Bridge) -> None:
    with throws(bridge, "java.lang.IllegalStateException") as thrown:
        own(bridge, "Failures").suppressed()
    assert [error.getMessage() for error in thrown[0].getSuppressed()] == ["first", "second"]


@case("errors: the stack trace names Java's methods")
def stack_trace(bridge: Bridge) -> None:
    with throws(bridge, "java.lang.IllegalStateException") as thrown:
        own(bridge, "Failures").state("here")
    assert "state" in [frame.getMethodName() for frame in thrown[0].getStackTrace()]


@case("errors: a printed traceback shows Java's frames")
def printed_trace(bridge: Bridge) -> None:
    with raises(bridge.error) as caught:
        own(bridge, "Failures").state("here")
    assert "Failures.java" in "".join(traceback.format_exception(caught[0]))


@case("errors: exceptions of the JVM itself are raised, too")
def of_the_jvm(bridge: Bridge) -> None:
    failures = own(bridge, "Failures")
    with throws(bridge, "java.lang.ArrayIndexOutOfBoundsException"):
        failures.index(3)
    with throws(bridge, "java.lang.NullPointerException"):
        failures.nothing()
    with throws(bridge, "java.lang.NumberFormatException"):
        bridge.java.lang.Integer.parseInt("no number")


@case("errors: an Error is raised, too")
def java_error(bridge: Bridge) -> None:
    with throws(bridge, "java.lang.AssertionError"):
        own(bridge, "Failures").assertion()


@case("errors: a stack overflow in Java is raised, and Java goes on")
def stack_overflow(bridge: Bridge) -> None:
    with throws(bridge, "java.lang.StackOverflowError"):
        own(bridge, "Failures").deep(0)
    assert own(bridge, "Members").add(1, 2) == 3


@case("errors: a class that cannot be initialised is raised, not hung")
def initialisation(bridge: Bridge) -> None:
    with raises(bridge.error, *bridge.refusals):
        own(bridge, "Doomed").value()


@case("errors: an exception that was caught can be passed to Java, and is the same")
def same_exception(bridge: Bridge) -> None:
    failures = own(bridge, "Failures")
    with throws(bridge, "java.lang.IllegalStateException") as first:
        failures.state("again")
    with throws(bridge, "java.lang.IllegalStateException") as second:
        failures.again(first[0])
    assert own(bridge, "Members").same(first[0], second[0])


@case("errors: an exception can be made without being thrown")
def made(bridge: Bridge) -> None:
    made = bridge.java.lang.IllegalArgumentException("made")
    assert made.getMessage() == "made"


@case("errors: after three hundred exceptions the gateway is as before")
def many(bridge: Bridge) -> None:
    state = own(bridge, "Failures").state
    for _ in range(300):
        with raises(bridge.error):
            state("again")
    assert own(bridge, "Members").add(1, 2) == 3
