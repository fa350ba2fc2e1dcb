"""What references to Java objects can do in Python."""

from __future__ import annotations

import gc
import inspect
import pydoc

import pytest
from samewire import bridge


def test_text_and_representation(gateway: bridge.Gateway) -> None:
    numbers = gateway.java.util.ArrayList([1, 2])
    assert str(numbers) == "[1, 2]"
    assert repr(numbers) == "<java.util.ArrayList [1, 2]>"
    assert len(repr(gateway.java.util.ArrayList(list(range(100_000))))) < 400


def test_equality_and_hash_are_javas(gateway: bridge.Gateway) -> None:
    uri = gateway.java.net.URI
    assert uri("a:b") == uri("a:b")
    assert uri("a:b") != uri("a:c")
    assert hash(uri("a:b")) == hash(uri("a:b"))
    assert len({uri("a:b"), uri("a:b"), uri("a:c")}) == 2
    assert uri("a:b") != object()
    assert gateway.java.lang.Object() != gateway.java.lang.Object()


def test_order_is_compare_to(gateway: bridge.Gateway) -> None:
    day = gateway.java.time.LocalDate.of
    days = [day(2024, 2, 1), day(2023, 2, 1), day(2025, 2, 1)]
    assert [d.getYear() for d in sorted(days)] == [2023, 2024, 2025]
    assert max(days) >= min(days)


def test_instances_of_classes_and_interfaces(gateway: bridge.Gateway) -> None:
    util = gateway.java.util
    numbers = util.ArrayList()
    assert isinstance(numbers, util.ArrayList)
    assert isinstance(numbers, util.List)
    assert isinstance(numbers, gateway.java.lang.Iterable)
    assert isinstance(numbers, gateway.java.lang.Object)
    assert not isinstance(numbers, util.Map)
    assert not isinstance(5, util.List)
    assert issubclass(util.ArrayList, util.Collection)
    assert not issubclass(util.Collection, util.ArrayList)
    assert isinstance(numbers, bridge.JavaObject)


def test_auto_closeables_are_context_managers(gateway: bridge.Gateway) -> None:
    with gateway.tested.Closing() as opened:
        assert not opened.closed
    assert opened.closed


def test_numbers_and_texts_that_are_objects(gateway: bridge.Gateway) -> None:
    counter = gateway.java.util.concurrent.atomic.AtomicInteger(5)
    assert int(counter) == 5
    assert float(counter) == 5.0
    builder = gateway.java.lang.StringBuilder("abc")
    builder.append("def")
    assert (len(builder), str(builder), "cd" in builder, builder[0], builder[-2:]) == (6, "abcdef", True, "a", "ef")


def test_functions_of_java_are_callable(gateway: bridge.Gateway) -> None:
    identity = gateway.java.util.function.Function.identity()
    assert identity(5) == 5
    assert gateway.java.util.Comparator.naturalOrder()("a", "b") < 0


def test_help_has_all_signatures(gateway: bridge.Gateway) -> None:
    text = pydoc.plain(pydoc.render_doc(gateway.java.util.ArrayList))
    assert "boolean addAll(int, java.util.Collection)" in text
    assert "ArrayList(int)" in text
    assert "abstract" not in (gateway.java.util.ArrayList().add.__doc__ or "")
    assert "boolean add(Object)" in (gateway.java.util.ArrayList.add.__doc__ or "")
    assert str(inspect.signature(gateway.java.util.ArrayList.isEmpty)) == "() -> 'boolean'"
    assert "/" in str(inspect.signature(gateway.java.lang.Math.hypot))
    assert "functional" in (gateway.java.lang.Runnable.__doc__ or "")


def test_references_are_given_back(gateway: bridge.Gateway) -> None:
    before = gateway.statistics()["references"]
    kept = [gateway.java.lang.Object() for _ in range(100)]
    assert gateway.statistics()["references"] >= before + 100
    del kept
    gc.collect()
    assert gateway.statistics()["references"] < before + 50


def test_arguments_of_keyword_are_refused(gateway: bridge.Gateway) -> None:
    with pytest.raises(TypeError):
        gateway.java.lang.Math.max(a=1, b=2)


def test_members_are_named_by_their_class(gateway: bridge.Gateway) -> None:
    util = gateway.java.util
    assert repr(util.ArrayList.add) == "<java method java.util.ArrayList.add>"
    assert util.ArrayList.add.__qualname__ == "java.util.ArrayList.add"
    assert repr(gateway.java.lang.Math.max) == "<java static method java.lang.Math.max>"
    assert repr(gateway.java.awt.Point.x) == "<java field java.awt.Point.x>"
    with pytest.raises(TypeError, match=r"^java\.util\.ArrayList\.add needs an object of the class"):
        util.ArrayList.add(5, 5)
