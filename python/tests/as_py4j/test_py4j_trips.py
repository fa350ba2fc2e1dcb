"""How often Java is asked: names are resolved once, and a call is one message."""

from __future__ import annotations

import gc
import weakref
from decimal import Decimal
from typing import Any

import pytest
from py4j_servers import Server
from samewire.py4j import java_gateway
from samewire.py4j.protocol import Py4JError, Py4JJavaError


class Counted:
    """Counts a gateway's commands of the text protocol, and its calls over the bridge."""

    def __init__(self, gateway: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        self._client = client = gateway._gateway_client
        self.commands: list[str] = []
        send = client.send_command

        def counting(command: str, *args: Any, **named: Any) -> Any:
            self.commands.append(command)
            return send(command, *args, **named)

        monkeypatch.setattr(client, "send_command", counting)
        self._calls = self._native()

    def _native(self) -> int:
        dialect = self._client.dialect
        return int(dialect.statistics()["calls"]) if hasattr(dialect, "statistics") else 0

    def trips(self) -> int:
        """Returns how many there were, and starts anew."""
        now = self._native()
        count = now - self._calls + len(self.commands)
        self.commands.clear()
        self._calls = self._native()
        return count


@pytest.fixture
def counted(gateway: Any, monkeypatch: pytest.MonkeyPatch) -> Counted:
    """The counts of a gateway that has settled its dialect."""
    assert gateway.jvm.java.lang.Math.max(1, 2) == 2
    return Counted(gateway, monkeypatch)


def test_a_known_name_and_call_are_one_trip(gateway: Any, counted: Counted) -> None:
    counted.trips()
    spare = counted.trips()  # of the statistics
    for _ in range(10):
        assert gateway.jvm.java.lang.Math.max(4, 5) == 5
    assert counted.trips() - spare == 10


def test_a_call_of_an_object_is_one_trip(gateway: Any, counted: Counted) -> None:
    made = gateway.jvm.java.util.ArrayList()
    made.add("x")
    counted.trips()
    spare = counted.trips()
    for _ in range(10):
        assert made.size() == 1
    assert counted.trips() - spare == 10


# The text protocol adds element by element.
@pytest.mark.parametrize("started", ["native"], indirect=True)
def test_a_converted_list_is_as_many_trips_as_a_short_one(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    with server.gateway(auto_convert=True) as gateway:
        frequency = gateway.jvm.java.util.Collections.frequency
        assert frequency(["a"], "b") == 0
        counted = Counted(gateway, monkeypatch)
        counted.trips()
        spare = counted.trips()
        assert frequency(["a", "b"] * 500, "b") == 500
        assert counted.trips() - spare == 2


def test_fields_listings_and_lists_need_no_text(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    with server.gateway(auto_field=True) as gateway:
        jvm = gateway.jvm
        made = jvm.java.util.ArrayList()
        counted = Counted(gateway, monkeypatch)
        made.append(3)
        made.append(1)
        made.append(2)
        made.sort()
        assert [*made[0:2]] == [1, 2]
        assert made.count(2) == 1
        assert [*(made + made)] == [1, 2, 3, 1, 2, 3]
        made *= 2
        made.reverse()
        assert [*made] == [3, 2, 1, 3, 2, 1]
        assert len(made * 0) == 0
        array = gateway.new_array(jvm.String, 3)
        array[1] = "b"
        assert [*array[0:2]] == [None, "b"]
        point = jvm.java.awt.Point(3, 4)
        assert (point.x, point.y) == (3, 4)
        java_gateway.set_field(point, "x", 7)
        assert java_gateway.get_field(point, "x") == 7
        with pytest.raises(Py4JError, match="no field z in object"):
            java_gateway.get_field(point, "z")
        assert {"x", "getX"} <= set(dir(point))
        assert jvm.java.lang.Integer.MAX_VALUE == 2**31 - 1
        assert "MAX_VALUE" in dir(jvm.java.lang.Integer)
        assert "getX(" in gateway.help(point, display=False)
        # Only the meaning of names and the absence of a field are asked by Py4J's text protocol.
        others = [command for command in counted.commands if not command.startswith(("r\nu\n", "f\ng\n"))]
        assert server.kind != "native" or not others


def test_converted_collections_have_the_elements_classes(server: Server) -> None:
    with server.gateway(auto_convert=True) as gateway:
        collections, objects = gateway.jvm.java.util.Collections, gateway.jvm.java.util.Objects
        wide = [1, 2**40, 1.5, "a", None, True, b"ab", bytearray(b"cd"), Decimal("1.50")]
        for element in (1, 2**40, 1.5, "a", None, True, Decimal("1.50")):
            assert collections.frequency(wide, element) == 1
        assert collections.frequency([1, 2**40], 1) == 1
        assert collections.frequency([[1], (1,), [2]], [1]) == 2
        assert objects.toString({"k": [1, {2}], "l": None}) == "{k=[1, [2]], l=null}"
        assert objects.toString(set(range(13))) == str(list(range(13))).replace(" ", "").replace(",", ", ")
        made = gateway.jvm.java.util.ArrayList()
        assert collections.frequency([made, made], made) == 2
        with pytest.raises(AttributeError, match="_get_object_id"):
            collections.frequency([object()], 1)


def test_an_import_is_seen_by_names_that_were_known(gateway: Any) -> None:
    view = gateway.new_jvm_view()
    with pytest.raises(TypeError):
        view.Random()  # a package so far
    java_gateway.java_import(view, "java.util.Random")
    assert view.Random().getClass().getName() == "java.util.Random"


def test_names_become_attributes_until_they_are_forgotten(gateway: Any, server: Server) -> None:
    with server.gateway() as other:
        for view in (gateway.jvm, gateway.new_jvm_view(), other.jvm):
            for _ in range(2):
                assert view.java.lang.Math.max(1, 2) == 2
                assert view.java.util.Map.Entry._fqn == "java.util.Map$Entry"
            names = [view.java, view.java.lang, view.java.lang.Math, view.java.util.Map]
            wanted = ["lang", "Math", "max", "Entry"]
            assert "java" in vars(view)
            assert [name for one, name in zip(names, wanted, strict=True) if name not in vars(one)] == []
            java_gateway.java_import(view, "java.util.concurrent.*")
            for one, name in zip([view, *names], ["java", *wanted], strict=True):
                assert name not in vars(one)
            assert view.java.lang.Math.max(3, 4) == 4
            assert view.ConcurrentHashMap().size() == 0


def test_a_view_that_is_dropped_is_not_kept_by_its_names(gateway: Any) -> None:
    view = gateway.new_jvm_view()
    assert view.java.lang.Math.max(1, 2) == view.java.lang.Math.max(2, 1) == 2
    gone = weakref.ref(view)
    del view
    gc.collect()
    assert gone() is None


def test_an_attribute_of_the_program_is_found_before_a_method(gateway: Any) -> None:
    one, other = gateway.jvm.java.util.ArrayList(), gateway.jvm.java.util.ArrayList()
    assert one.size() == other.size() == 0
    one.size = "mine"
    assert one.size == "mine"
    assert other.size() == 0
    assert not hasattr(type(other), "size")


def test_a_replaced_get_return_value_sees_each_result(gateway: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    original = java_gateway.get_return_value
    seen: list[Any] = []

    def replaced(*args: Any) -> Any:
        try:
            seen.append(original(*args))
        except Py4JJavaError as error:
            raise LookupError("translated") from error
        return seen[-1]

    largest, made = gateway.jvm.java.lang.Math.max, gateway.jvm.java.util.ArrayList()
    assert largest(1, 2) == 2
    assert made.size() == 0
    monkeypatch.setattr(java_gateway, "get_return_value", replaced)
    assert largest(3, 4) == 4
    assert made.size() == 0
    with pytest.raises(LookupError, match="translated"):
        made.get(7)
    assert seen == [4, 0]
    monkeypatch.undo()
    with pytest.raises(Py4JError):
        made.get(7)


def test_a_failed_call_names_the_object_and_the_method(gateway: Any) -> None:
    made = gateway.jvm.java.util.ArrayList()
    with pytest.raises(Py4JJavaError, match=rf"calling {made._target_id}\.get\."):
        made.get(7)
