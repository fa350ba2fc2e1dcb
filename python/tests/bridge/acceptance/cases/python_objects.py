"""Objects of Python that Java holds, compares and gives back."""

from __future__ import annotations

from adaptor import PACKAGE, Bridge, case, own
from implementations import CALLBACKS, Greeter, Person


@case("python objects: Java keeps an object of Python and calls it later")
def kept(bridge: Bridge) -> None:
    callbacks = own(bridge, "Callbacks")
    callbacks.keep(bridge.implement(Greeter(), f"{PACKAGE}.Outer$Greeter"))
    try:
        assert own(bridge, "Outer").ask(callbacks.kept(), "later") == "hello later"
    finally:
        callbacks.keep(None)


@case("python objects: an object that Java gives back is Python's own")
def comes_home(bridge: Bridge) -> None:
    callbacks, person = own(bridge, "Callbacks"), Person()
    callbacks.keep(bridge.implement(person, CALLBACKS + "Named"))
    try:
        assert callbacks.kept() is person
    finally:
        callbacks.keep(None)


@case("python objects: toString is str()")
def to_string(bridge: Bridge) -> None:
    class Shown(Person):
        """Has a text."""

        def __str__(self) -> str:
            return "shown by Python"

    assert own(bridge, "Callbacks").text(bridge.implement(Shown(), CALLBACKS + "Named")) == "shown by Python"


@case("python objects: equals and hashCode follow Python's object")
def equals(bridge: Bridge) -> None:
    callbacks = own(bridge, "Callbacks")
    one = bridge.implement(Person(), CALLBACKS + "Named")
    other = bridge.implement(Person(), CALLBACKS + "Named")
    assert callbacks.stable(one)
    assert callbacks.equal(one, one)
    assert not callbacks.equal(one, other)


@case("python objects: equals is Python's == where a class defines it")
def python_equality(bridge: Bridge) -> None:
    class Token(Person):
        """Equal by its text."""

        def __init__(self, text: str) -> None:
            self.text = text

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Token) and other.text == self.text

        def __hash__(self) -> int:
            return len(self.text)

    callbacks = own(bridge, "Callbacks")
    one, same, other = (bridge.implement(Token(text), CALLBACKS + "Named") for text in ("a", "a", "b"))
    assert callbacks.equal(one, same)
    assert not callbacks.equal(one, other)
    assert callbacks.hash(one) == 1
