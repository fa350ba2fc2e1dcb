"""Calls by the extension's own classes: sites, kinds of arguments, receivers."""

from __future__ import annotations

from typing import Any

import pytest
from samewire import bridge
from samewire._native import Constructor, Field, Method, StaticMethod, same
from samewire.errors import SamewireError


def test_one_method_has_a_site_for_each_kinds_of_arguments(gateway: bridge.Gateway) -> None:
    value_of = StaticMethod(gateway.session, "java.lang.String", "valueOf")
    before = gateway.session.statistics()
    for _ in range(3):
        for given, text in [
            (5, "5"),
            (2**40, str(2**40)),
            (True, "true"),
            (0.5, "0.5"),
            ("é\u20ac\U0001f600", "é\u20ac\U0001f600"),
        ]:
            assert value_of(given) == text
    after = gateway.session.statistics()
    assert after["sites"] - before["sites"] == 5
    assert after["first_calls"] - before["first_calls"] == 5
    assert after["calls"] - before["calls"] == 15


def test_more_kinds_than_a_method_keeps(gateway: bridge.Gateway) -> None:
    listed = StaticMethod(gateway.session, "java.util.Arrays", "asList")
    for _ in range(2):
        for count in range(40):
            assert list(listed(*range(count))) == list(range(count))


def test_a_static_method_needs_no_description_of_its_class(gateway: bridge.Gateway) -> None:
    classes = len(gateway.session.classes)
    assert StaticMethod(gateway.session, "java.lang.Long", "bitCount")(255) == 8
    assert len(gateway.session.classes) == classes


def test_a_method_needs_a_receiver(gateway: bridge.Gateway) -> None:
    size = Method(gateway.session, "java.util.List", "size")
    for arguments in [(), ("text",), (None,)]:
        with pytest.raises(TypeError, match=r"java\.util\.List\.size needs an object"):
            size(*arguments)


def test_what_comes_again_is_the_same_proxy(gateway: bridge.Gateway) -> None:
    made = Constructor(gateway.session, "java.util.ArrayList")()
    holder = Constructor(gateway.session, "java.util.ArrayList")()
    add, get = (Method(gateway.session, "java.util.ArrayList", name) for name in ("add", "get"))
    add(holder, made)
    assert get(holder, 0) is made
    assert same(made, get(holder, 0)) and not same(made, holder)


def test_fields_are_read_and_written(gateway: bridge.Gateway) -> None:
    most = Field(gateway.session, "java.lang.Integer", "MAX_VALUE", True)
    assert most.__get__(None, int) == 2**31 - 1
    with pytest.raises(SamewireError, match="is final"):
        most.assign(5)
    point = gateway.jvm.java.util.concurrent.atomic.AtomicInteger(3)
    with pytest.raises(SamewireError) as missing:
        Field(gateway.session, "java.util.concurrent.atomic.AtomicInteger", "absent").__get__(point)
    assert missing.value.code == "misuse"


def test_a_call_by_its_parts(gateway: bridge.Gateway) -> None:
    session = gateway.session
    assert session.call(2, "java.lang.Math", "max", (3, 4)) == 4
    made = session.call(0, "java.util.ArrayList", "", ([1, 2],))
    assert session.call(1, "", "size", (made,)) == 2
    assert session.call(2, "java.util.List", "of", (1, "a"), "value") == [1, "a"]
    with pytest.raises(SamewireError, match="expected 0 to 6"):
        session.call(7, "java.lang.Math", "", ())


def test_an_object_of_another_session_is_refused(gateway: bridge.Gateway) -> None:
    with bridge.launch(timeout=30) as other:
        stranger = other.java.util.ArrayList()
        with pytest.raises(SamewireError, match="another session") as refused:
            gateway.java.util.ArrayList().add(stranger)
    assert refused.value.code == "misuse"


def test_a_message_longer_than_the_limit_is_refused_and_the_session_goes_on(gateway: bridge.Gateway) -> None:
    deep: Any = []
    for _ in range(80):
        deep = [deep]
    with pytest.raises(SamewireError, match=r"limits\.depth") as refused:
        gateway.java.util.ArrayList().add(deep)
    assert refused.value.code == "limit_depth"
    assert gateway.java.lang.Math.abs(-1) == 1


def test_a_container_that_changes_while_it_is_passed_is_refused(gateway: bridge.Gateway) -> None:
    changing: list[Any] = [1, "a"]

    class Changes:
        """Adds to its container as it is converted."""

        def __getattr__(self, name: str) -> Any:
            changing.append(0)
            raise AttributeError(name)

    changing.append(Changes())
    with pytest.raises((RuntimeError, TypeError)):
        gateway.java.util.ArrayList().add(changing)
    assert gateway.java.lang.Math.abs(-1) == 1


def test_a_conversion_may_call_java(gateway: bridge.Gateway) -> None:
    class Asks:
        """Calls Java as it is looked at."""

        __java_implements__ = ("java.lang.Runnable",)

        def __hash__(self) -> int:
            return int(gateway.java.lang.Math.abs(-7))

    assert gateway.java.util.ArrayList([{Asks(): 1}]).size() == 1


def test_a_key_that_calls_java_as_it_arrives(gateway: bridge.Gateway) -> None:
    keys = gateway.java.util.HashMap()
    keys.put(gateway.java.util.ArrayList([1]), 1)
    value = StaticMethod(gateway.session, "java.util.Map", "copyOf").returning("map")(keys)
    assert [(list(key), number) for key, number in value.items()] == [([1], 1)]
