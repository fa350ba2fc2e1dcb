"""What a case needs of a library that joins Python and Java, as far as libraries differ in how they give it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

#: The package of the Java classes of this folder.
PACKAGE = "acceptance"


class Bridge(Protocol):
    """A running JVM, and the library that reaches it."""

    @property
    def java(self) -> Any:
        """The package `java`, whose packages and classes are attributes."""

    @property
    def error(self) -> type[BaseException]:
        """The class of what is raised when a Java method throws."""

    @property
    def refusals(self) -> tuple[type[BaseException], ...]:
        """The classes of what is raised when a call cannot be made at all, because of its name or its arguments."""

    def cls(self, name: str) -> Any:
        """A Java class by its binary name."""

    def error_class(self, name: str) -> type[BaseException]:
        """The Python class that catches the exceptions of a Java class."""

    def throwable(self, error: BaseException) -> Any:
        """The Java exception that was raised as `error`."""

    def get(self, owner: Any, name: str) -> Any:
        """The value of a field of an object or a class."""

    def set(self, owner: Any, name: str, value: Any) -> None:
        """Assigns to a field of an object or a class."""

    def method(self, owner: Any, name: str) -> Callable[..., Any]:
        """A method whose name is a keyword of Python, or the name of a field as well."""

    def implement(self, implementation: Any, *interfaces: str) -> Any:
        """What to pass to Java so that it calls the methods of a Python object by the interfaces' names of them."""

    def array(self, element: str, *lengths: int) -> Any:
        """A new Java array of zeros or nulls; `element` is a primitive type's name or a class's."""

    def instance(self, value: Any, class_name: str) -> bool:
        """Whether a Java object is an instance of a class."""

    def to_python(self, value: Any) -> Any:
        """A deep copy of a Java object as a native value."""


@dataclass(frozen=True)
class Case:
    """A statement about a bridge, and the function that checks it."""

    title: str
    check: Callable[[Bridge], None]


#: Every case, in the order of its file.
CASES: dict[str, Case] = {}


def case(title: str) -> Callable[[Callable[[Bridge], None]], Callable[[Bridge], None]]:
    """Registers a function as the check of a statement. Titles are unique."""

    def register(check: Callable[[Bridge], None]) -> Callable[[Bridge], None]:
        assert title not in CASES, f"two cases are called {title!r}"
        CASES[title] = Case(title, check)
        return check

    return register


def own(bridge: Bridge, name: str) -> Any:
    """A class of this folder's Java package."""
    return bridge.cls(f"{PACKAGE}.{name}")


def array_of(bridge: Bridge, element: str, values: Sequence[Any]) -> Any:
    """A Java array with the given elements."""
    array = bridge.array(element, len(values))
    for index, value in enumerate(values):
        array[index] = value
    return array


def filled(bridge: Bridge, *elements: Any) -> Any:
    """An ArrayList with the elements, added by Java's method."""
    made = bridge.java.util.ArrayList()
    for element in elements:
        made.add(element)
    return made


@contextmanager
def raises(*kinds: type[BaseException]) -> Iterator[list[BaseException]]:
    """Expects one of several exceptions; the list holds it afterwards. A connection that ends is never what is expected."""
    caught: list[BaseException] = []
    try:
        yield caught
    except kinds as error:
        if getattr(error, "code", "") in {"closed", "timeout"}:
            raise
        caught.append(error)
    else:
        raise AssertionError(f"expected {' or '.join(kind.__name__ for kind in kinds)}, but nothing was raised")


@contextmanager
def throws(bridge: Bridge, class_name: str) -> Iterator[list[Any]]:
    """Expects a Java exception of exactly this class; the list holds the throwable's proxy afterwards."""
    thrown: list[Any] = []
    with raises(bridge.error) as caught:
        yield thrown
    thrown.append(bridge.throwable(caught[0]))
    came = thrown[0].getClass().getName()
    assert came == class_name, f"expected {class_name}, but {came} was thrown"
