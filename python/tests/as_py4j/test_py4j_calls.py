"""Calls, names, fields and exceptions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from samewire.py4j import java_gateway, protocol
from samewire.py4j.java_gateway import JavaClass, JavaObject, JavaPackage, java_import
from samewire.py4j.protocol import Py4JError, Py4JJavaError

if TYPE_CHECKING:
    from py4j_servers import Server


def test_static_members_constants_and_nested_classes(gateway: Any) -> None:
    jvm = gateway.jvm
    assert jvm.java.lang.Math.max(1, 2) == 2
    assert jvm.Integer.MAX_VALUE == (1 << 31) - 1
    assert jvm.java.util.AbstractMap.SimpleEntry("k", 1).getKey() == "k"
    assert type(jvm.java.util) is JavaPackage
    assert isinstance(jvm.java.util.Map, JavaClass)
    with pytest.raises(Py4JError, match=r"java.lang.Math.absent does not exist in the JVM"):
        _ = jvm.java.lang.Math.absent
    with pytest.raises(TypeError, match="'JavaPackage' object is not callable"):
        jvm.java.lang.absent()


def test_a_java_exception_has_the_object_and_its_stack_trace(gateway: Any) -> None:
    text = gateway.jvm.java.lang.String("abc")
    with pytest.raises(Py4JJavaError) as caught:
        gateway.jvm.java.lang.Integer.parseInt("abc")
    error = caught.value
    assert isinstance(error.java_exception, JavaObject)
    assert error.java_exception.getMessage() == 'For input string: "abc"'
    assert error.errmsg == "An error occurred while calling z:java.lang.Integer.parseInt.\n"
    shown = str(error)
    assert shown.startswith(error.errmsg + ": java.lang.NumberFormatException: For input string")
    assert "\tat java.base/java.lang.Integer.parseInt" in shown
    assert text == "abc"  # a String comes by value


def test_an_error_of_java_has_no_context(gateway: Any) -> None:
    jvm = gateway.jvm
    found = jvm.java.util.ArrayList()
    failing: tuple[Any, ...] = (
        lambda: jvm.java.lang.Integer.parseInt("abc"),
        lambda: jvm.java.util.ArrayList(-1),
        lambda: found.get(3),
        lambda: found.absent(),
        lambda: found[2:5:0],
        lambda: java_gateway.get_field(found, "absent"),
        lambda: jvm.java.lang.Math.absent,
        lambda: gateway.new_array(jvm.int, -1),
    )
    for fails in failing:
        with pytest.raises((Py4JError, ValueError)) as caught:
            fails()
        assert caught.value.__context__ is None


def test_no_such_method_is_an_error_with_a_trace(gateway: Any) -> None:
    target = gateway.jvm.java.lang.Object()
    with pytest.raises(Py4JError, match=rf"calling {target._target_id}\.absent\. Trace:\n.*Method absent\(\[\]\) does not exist"):
        target.absent()


def test_names_are_asked_once_and_imports_change_them(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []
    send = java_gateway.GatewayConnection.send_command

    def recording(self: Any, command: str) -> str:
        sent.append(command)
        return send(self, command)

    monkeypatch.setattr(java_gateway.GatewayConnection, "send_command", recording)
    with server.gateway() as gateway:
        jvm = gateway.jvm
        for _ in range(3):
            jvm.java.lang.Math.max(1, 2)
        asked = [command for command in sent if command.startswith("r\n")]
        # java, java.lang, java.lang.Math, and its member unless the bridge says what that is.
        assert len(asked) == (3 if server.kind == "native" else 4)
        calls = [command for command in sent if command.startswith("c\n") and "\noffer\n" not in command]
        assert len(calls) == (0 if server.kind == "native" else 3)

        absent: Any = jvm.ArrayList
        assert type(absent) is JavaPackage  # Py4J returns a package for a name that is not a class
        java_import(jvm, "java.util.*")
        assert jvm.ArrayList().size() == 0
        assert isinstance(gateway.new_jvm_view().ArrayList, JavaPackage)


def test_fields_are_read_and_set(server: Server) -> None:
    with server.gateway(auto_field=True) as gateway:
        point = gateway.jvm.java.awt.Point(3, 4)
        assert point.x == 3
        java_gateway.set_field(point, "y", 9)
        assert java_gateway.get_field(point, "y") == 9
        assert {"x", "y", "getX"} <= set(dir(point))
        with pytest.raises(Py4JError, match=f"no field z in object {point._target_id}"):
            java_gateway.get_field(point, "z")


def test_instances_classes_help_and_dir(gateway: Any) -> None:
    made = gateway.jvm.java.util.ArrayList()
    assert java_gateway.is_instance_of(gateway, made, "java.util.List")
    assert java_gateway.is_instance_of(gateway, made, gateway.jvm.java.util.List)
    assert not java_gateway.is_instance_of(gateway, made, gateway.jvm.java.util.Map)
    assert java_gateway.get_java_class(gateway.jvm.java.util.List).getName() == "java.util.List"
    assert "addAll" in dir(made)
    assert "asked_for" not in dir(made)
    with pytest.raises(Py4JError):
        made.asked_for()
    assert "asked_for" in dir(made)  # Py4J lists each name that a program has asked for
    assert "emptyList" in dir(gateway.jvm.java.util.Collections)
    assert "add(" in gateway.help(made, display=False)
    assert "java_import" in (java_gateway.UserHelpAutoCompletion.__doc__ or "")


def test_functions_that_a_program_replaces_are_called(server: Server, gateway: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    class Captured(Exception):
        pass

    original = protocol.get_return_value

    def capturing(*args: Any) -> Any:
        try:
            return original(*args)
        except Py4JJavaError as error:
            raise Captured(error.java_exception.getClass().getName()) from None

    monkeypatch.setattr(java_gateway, "get_return_value", capturing)
    assert gateway.jvm.java.lang.Math.abs(-1) == 1
    with pytest.raises(Captured, match="NumberFormatException"):
        gateway.jvm.java.lang.Integer.parseInt("x")
    seen: list[Any] = []
    decode = protocol.smart_decode

    def recording(value: Any) -> str:
        seen.append(value)
        return decode(value)

    monkeypatch.setattr(protocol, "smart_decode", recording)
    assert gateway.jvm.java.lang.Math.abs(-2) == 2
    assert (-2 in seen) == (server.kind != "native")  # the bridge has no texts


def test_objects_and_methods_have_their_help_page_as_docstring(gateway: Any) -> None:
    made = gateway.jvm.java.lang.StringBuilder("a")
    assert "Help on class StringBuilder in package java.lang" in made.__doc__
    assert "reverse()" in made.reverse.__doc__
