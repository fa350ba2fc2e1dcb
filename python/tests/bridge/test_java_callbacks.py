"""Python's callables and objects as Java's interfaces."""

from __future__ import annotations

import threading
from functools import partial
from typing import Any

import pytest
from samewire import bridge


def test_callables_are_functional_interfaces(gateway: bridge.Gateway) -> None:
    called = gateway.tested.Called
    assert called.sum(lambda n: n * 2, 5) == 20
    assert called.applied(str.upper, "a") == "A"
    assert called.both(partial(max, 3), 1, 2) == 3
    assert called.supplied(lambda: None) is None
    assert called.applied(lambda v: v, [1, 2]).to_py() == [1, 2]


def test_what_python_passed_comes_home_as_itself(gateway: bridge.Gateway) -> None:
    def function() -> None:
        """Anything."""

    @bridge.implements("tested.Called$Greeter")
    class Greeter:
        def greet(self, name: str) -> str:
            return f"Hi {name}"

    greeter = Greeter()
    kept = gateway.java.util.ArrayList([greeter])
    assert kept.get(0) is greeter


@bridge.implements("tested.Called$Greeter")
class Decorated:
    def greet(self, name: str) -> str:
        return f"hello {name}"


class Nested:
    def greet(self, name: str) -> str:
        return f"hello {name}"

    class Java:
        implements = ["tested.Called$Greeter"]  # noqa: RUF012


@pytest.mark.parametrize("kind", [Decorated, Nested])
def test_objects_implement_interfaces(gateway: bridge.Gateway, kind: type) -> None:
    assert gateway.tested.Called.greeted(kind(), "you") == "hello you hello you"


def test_default_methods_are_called_on_what_python_implements(gateway: bridge.Gateway) -> None:
    greeter = gateway.implement(Decorated())
    assert greeter.twice("x") == "hello x hello x"
    comparator = gateway.implement(lambda a, b: len(a) - len(b), gateway.java.util.Comparator)
    words = gateway.java.util.ArrayList(["aaa", "b", "cc"])
    words.sort(comparator.reversed())
    assert words == ["aaa", "cc", "b"]
    with pytest.raises(TypeError, match="which interfaces"):
        gateway.implement(object())


def test_misuse_in_an_override_is_no_reason_for_the_default_method(gateway: bridge.Gateway) -> None:
    refusal = bridge.SamewireError("misuse", text="nobody is greeted twice")

    @bridge.implements("tested.Called$Greeter")
    class Misusing(Decorated):
        def twice(self, name: str) -> str:
            raise refusal

    greeter = Misusing()
    for _ in range(2):
        with pytest.raises(bridge.JavaError, match="nobody is greeted twice") as caught:
            gateway.tested.Called.greeted(greeter, "you")
        assert caught.value.__cause__ is refusal


def test_sets_and_dicts_of_callables_are_filled_when_the_message_has_been_read(gateway: bridge.Gateway) -> None:
    large = bytes(1 << 20)
    functions = [lambda: None, lambda: None]
    for _ in range(2):
        keyed = dict.fromkeys(functions, 1)
        assert gateway.tested.Called.sizes({1, (2, *functions)}, keyed, large) == f"2 2 {len(large)}"
        nested = {frozenset(functions), frozenset([*functions, 3]), 4}
        assert gateway.tested.Called.sizes(nested, {"a": functions[0], "b": set(functions)}, large) == f"3 2 {len(large)}"

    class Unhashable:
        failing = False

        def __call__(self) -> None: ...

        def __hash__(self) -> int:
            if self.failing:
                raise ValueError("not now")
            return 2

    failing = {Unhashable()}
    Unhashable.failing = True
    with pytest.raises(ValueError, match="not now"):
        gateway.tested.Called.sizes(failing, {}, large)
    assert gateway.tested.Called.sizes(set(), {}, large) == f"0 0 {len(large)}"


def test_callbacks_call_java_again_on_the_same_thread(gateway: bridge.Gateway) -> None:
    threads = set()

    def deeper(depth: int) -> Any:
        threads.add(threading.get_ident())
        return depth if depth == 20 else gateway.tested.Called.applied(deeper, depth + 1)

    assert gateway.tested.Called.applied(deeper, 0) == 20
    assert threads == {threading.get_ident()}


def test_threads_of_java_call_python(gateway: bridge.Gateway) -> None:
    assert gateway.tested.Called.inThread(lambda: threading.get_ident()) != threading.get_ident()
    assert gateway.tested.Called.inThread(lambda: gateway.java.lang.Math.max(1, 2)) == 2


def test_object_methods_of_a_python_object(gateway: bridge.Gateway) -> None:
    class Keyed:
        class Java:
            implements = ["java.lang.Comparable"]  # noqa: RUF012

        def __init__(self, key: int) -> None:
            self.key = key

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Keyed) and self.key == other.key

        def __hash__(self) -> int:
            return self.key

        def __str__(self) -> str:
            return f"Keyed {self.key}"

        def compareTo(self, other: Keyed) -> int:  # noqa: N802
            return self.key - other.key

    kept = gateway.java.util.HashSet([Keyed(1), Keyed(2), Keyed(1)])
    assert kept.size() == 2
    ordered = gateway.java.util.TreeSet()
    ordered.add(Keyed(3))
    ordered.add(Keyed(1))
    assert str(ordered) == "[Keyed 1, Keyed 3]"
    assert ordered.first().key == 1
