"""Python's callables and objects as Java's interfaces."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from samewire import bridge
from samewire.errors import SamewireError
from samewire.limits import Limits


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


class Ranked:
    class Java:
        implements = ["java.lang.Comparable"]  # noqa: RUF012

    def __init__(self, rank: int) -> None:
        self.rank = rank

    def compareTo(self, other: Ranked) -> int:  # noqa: N802
        return self.rank - other.rank


def test_objects_in_containers_and_results_keep_their_interfaces(gateway: bridge.Gateway) -> None:
    one, two, three = map(Ranked, (1, 2, 3))
    util = gateway.java.util
    assert util.TreeSet([two, one]).first() is one
    assert util.Collections.max((two, three, one)) is three
    assert util.TreeMap({two: "b", one: "a"}).to_py() == {one: "a", two: "b"}
    assert [*util.Arrays.asList(3, 1, 2).stream().map(Ranked).sorted().map(lambda v: v.rank).toList()] == [1, 2, 3]
    passed = gateway.implement(lambda a, b: b - a, util.Comparator)
    ordered = util.TreeSet(util.ArrayList([passed]).get(0))
    ordered.addAll([1, 3, 2])
    assert [*ordered] == [3, 2, 1]
    with pytest.raises(SamewireError, match=r"there is no class no\.Such"):
        util.ArrayList([one, gateway.implement(two, "no.Such"), three])


def test_elements_become_the_declared_interfaces(gateway: bridge.Gateway) -> None:
    executor = gateway.java.util.concurrent.Executors.newSingleThreadExecutor()
    try:
        futures = executor.invokeAll([lambda: 1, gateway.implement(lambda: 2, "java.util.function.Supplier")])
        assert [future.get() for future in futures[:1]] == [1]
    finally:
        executor.shutdownNow()


def test_misuse_in_an_override_is_no_reason_for_the_default_method(gateway: bridge.Gateway) -> None:
    refusal = bridge.SamewireError("misuse", text="nobody is greeted twice")

    @bridge.implements("tested.Called$Greeter")
    class Misusing(Decorated):
        def twice(self, name: str) -> str:
            raise refusal

    greeter = Misusing()
    for _ in range(2):
        with pytest.raises(SamewireError, match="nobody is greeted twice") as caught:
            gateway.tested.Called.greeted(greeter, "you")
        assert caught.value is refusal


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


def test_a_callable_that_implements_comes_home_as_itself(gateway: bridge.Gateway) -> None:
    def shorter(a: str, b: str) -> int:
        return len(a) - len(b)

    class Adds:
        def __init__(self, number: int) -> None:
            self.number = number

        def __call__(self, number: int) -> int:
            return self.number + number

    adds = Adds(2)
    called = gateway.tested.Called
    for target, interface in ((shorter, "java.util.Comparator"), (adds, "java.util.function.IntUnaryOperator")):
        passed = gateway.implement(target, interface)
        assert called.same(passed) is target
        kept = gateway.java.util.ArrayList()
        kept.add(passed)
        assert kept.get(0) is target
        assert called.applied(lambda value, target=target: value is target, passed) is True
        # To Java it is equal to itself, and has the hash and the text of the callable.
        assert kept.contains(passed) and gateway.java.util.HashSet([passed, passed]).size() == 1
        assert str(kept) == f"[{target}]"
    assert called.sum(gateway.implement(adds, "java.util.function.IntUnaryOperator"), 3) == 9
    assert called.same(gateway.implement(adds, "java.util.function.IntUnaryOperator"))(1) == 3


class Coded(Exception):
    code = "misuse"


def test_what_the_program_raises_has_no_code_in_java(gateway: bridge.Gateway) -> None:
    def raises(error: Exception) -> Callable[[], Any]:
        def function() -> Any:
            raise error

        return function

    thrown = gateway.tested.Called.thrown
    assert thrown(raises(Coded("mine"))).startswith("PythonException")
    assert thrown(raises(SamewireError("limit_size", text="mine"))).startswith("PythonException")
    assert thrown(lambda: gateway.java.lang.Nothing).startswith("PythonException")
    # The bridge itself: what was returned does not fit.
    assert gateway.tested.Called.thrown(lambda: 1) == "returned 1"
    with pytest.raises(bridge.JavaError, match="type_mismatch"):
        gateway.tested.Called.sum(lambda n: "text", 1)


@pytest.mark.parametrize("most", [4096, 1 << 20])
def test_a_throw_that_is_too_long_is_a_throw(most: int) -> None:
    def raises() -> Any:
        raise ValueError("x" * (1 << 21))

    with bridge.launch(limits=Limits(frame_bytes=most), timeout=10) as gateway:
        optional = gateway.java.util.Optional.empty()
        opened = 0
        for _ in range(3):
            with pytest.raises((ValueError, bridge.JavaError)) as caught:
                optional.orElseGet(raises)
            assert "ValueError" in repr(caught.value) or isinstance(caught.value, ValueError)
            # No channel was ended for it.
            opened = opened or gateway.session.statistics()["channels"]
        assert gateway.session.statistics()["channels"] == opened


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


def test_a_class_is_not_implemented(gateway: bridge.Gateway) -> None:
    with pytest.raises(TypeError, match=r"java\.lang\.Thread is a class"):
        gateway.implement(lambda: None, "java.lang.Thread")
    with pytest.raises(bridge.NoSuchName, match="Nothing"):
        gateway.implement(lambda: None, "java.lang.Nothing")
