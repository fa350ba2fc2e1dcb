"""A call that fails has run once: what Java has begun is not asked again in the other dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from samewire.py4j import java_gateway
from samewire.py4j.java_collections import ListConverter, MapConverter, SetConverter
from samewire.py4j.protocol import Py4JError

if TYPE_CHECKING:
    from collections.abc import Callable

    from py4j_servers import Server


class Failing:
    """An object whose methods count that they are called, and fail."""

    def __init__(self) -> None:
        self.calls = 0

    def _fail(self, *_: Any) -> Any:
        self.calls += 1
        raise LookupError("does not work")

    compareTo = equals = hashCode = get = next = apply = _fail  # noqa: N815

    def size(self) -> int:
        """As a list."""
        return 2

    def hasNext(self) -> bool:  # noqa: N802
        """As an iterator."""
        return True

    class Java:
        implements = ["java.util.Comparator"]  # noqa: RUF012


def implementing(name: str) -> Failing:
    """Returns an object that implements another interface."""
    java = type("Java", (), {"implements": [name]})
    made: Failing = type("Failing", (Failing,), {"Java": java})()
    return made


def held(gateway: Any, *elements: Any) -> Any:
    """Returns a list of Java's."""
    made = gateway.jvm.java.util.ArrayList()
    for element in elements:
        made.add(element)
    return made


def unmodifiable(gateway: Any, failing: Failing) -> Any:
    """Returns a list of Java's that asks Python for its elements."""
    return gateway.jvm.java.util.Collections.unmodifiableList(failing)


def iterator(gateway: Any, failing: Failing) -> Any:
    """Returns an iterator of Java's that asks Python for its elements."""
    function = gateway.jvm.java.util.Spliterators
    return function.iterator(function.spliteratorUnknownSize(failing, 0))


#: What fails: the interface that Python's object implements, and the operation.
OPERATIONS: dict[str, tuple[str, Callable[[Any, Failing], Any]]] = {
    "slice": ("java.util.List", lambda gateway, failing: unmodifiable(gateway, failing)[0:2]),
    "element": ("java.util.List", lambda gateway, failing: unmodifiable(gateway, failing)[0]),
    "set": ("java.lang.Comparable", lambda gateway, failing: SetConverter().convert([failing], gateway._gateway_client)),
    "map": ("java.lang.Comparable", lambda gateway, failing: MapConverter().convert({failing: 1}, gateway._gateway_client)),
    "add": ("java.lang.Comparable", lambda gateway, failing: gateway.jvm.java.util.HashSet().add(failing)),
    "static": (
        "java.lang.Comparable",
        lambda gateway, failing: gateway.jvm.java.util.Collections.max(held(gateway, failing, failing)),
    ),
}


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_failing_operation_runs_once(server: Server, operation: str) -> None:
    interface, run = OPERATIONS[operation]
    failing = implementing(interface)
    with server.callbacks() as gateway:
        gateway.jvm.java.lang.Math.abs(1)
        failing.calls = 0
        with pytest.raises(Py4JError) as caught:
            run(gateway, failing)
        assert "does not work" in str(caught.value)
        assert failing.calls == 1


@pytest.mark.parametrize("started", ["native"], indirect=True)
def test_a_count_that_fails_runs_once(server: Server) -> None:
    failing = implementing("java.lang.Comparable")
    with server.callbacks() as gateway:
        with pytest.raises(Py4JError, match="does not work"):
            held(gateway, "x").count(failing)
        assert failing.calls == 1


def test_a_sort_that_fails_runs_once_and_says_nothing(server: Server) -> None:
    failing = implementing("java.lang.Comparable")
    with server.callbacks() as gateway:
        held(gateway, failing, failing).sort()
        assert failing.calls == 1


def test_an_iterator_that_fails_is_asked_once(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    failing = implementing("java.util.Iterator")
    with server.callbacks() as gateway:
        elements = iterator(gateway, failing)
        assert next(elements, None) is None
        before, failing.calls = failing.calls, 0
        replaced = java_gateway.get_return_value
        monkeypatch.setattr(java_gateway, "get_return_value", lambda *args: replaced(*args))
        assert next(elements, None) is None
        assert failing.calls == before == 1


def test_a_list_is_still_made_of_what_cannot_be_hashed(server: Server) -> None:
    with server.callbacks() as gateway:
        assert len(ListConverter().convert([1, Failing(), "a"], gateway._gateway_client)) == 3
