"""What PySpark calls at each operation of a column. Stand-ins have the names of Spark's classes and Scala's."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from samewire.py4j import java_gateway
from samewire.py4j.launching import OUR_JAR

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ORIGIN = "org.apache.spark.sql.catalyst.trees.PySparkCurrentOrigin"
SOURCES = {
    "PySparkCurrentOrigin": """
        package org.apache.spark.sql.catalyst.trees;
        public final class PySparkCurrentOrigin {
            private static final ThreadLocal<String> PLACE = new ThreadLocal<>();
            public static void set(String fragment, String place) { PLACE.set(fragment + " " + place); }
            public static String get() { return PLACE.get(); }
            public static void clear() { PLACE.remove(); }
            public static java.util.List<String> made() {
                return new java.util.ArrayList<>(java.util.Collections.singletonList(PLACE.get()));
            }
        }""",
    "Some": """
        package scala;
        public final class Some {
            public static Some of(Object value) { return new Some(); }
            public boolean isDefined() { return true; }
            public boolean isEmpty() { return false; }
            public boolean isEmpty(int other) { return other == 0; }
        }""",
    "None$": """
        package scala;
        public final class None$ {
            public static None$ get() { return new None$(); }
            public boolean isDefined() { return false; }
            public boolean isEmpty() { return true; }
        }""",
}


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A gateway to a JVM with the stand-ins."""
    folder: Path = tmp_path_factory.mktemp("stand_ins")
    for name, text in SOURCES.items():
        (folder / f"{name}.java").write_text(text)
    sources = sorted(map(str, folder.glob("*.java")))
    subprocess.run(["javac", "-J-XX:TieredStopAtLevel=1", "-d", str(folder), *sources], check=True, timeout=120)
    port, token, process = java_gateway.launch_gateway(
        jarpath=str(OUR_JAR), classpath=str(folder), die_on_exit=True, enable_auth=True, return_proc=True
    )
    parameters = java_gateway.GatewayParameters(port=port, auth_token=token.decode())
    made = java_gateway.JavaGateway(gateway_parameters=parameters)
    yield made
    made.close()
    process.kill()
    process.wait()


def counts(gateway: Any) -> tuple[int, int]:
    """Calls and messages of several calls so far, on Python's side alone."""
    found = gateway._gateway_client.dialect._session.statistics()
    return found["calls"], found["batches"]


def test_the_place_of_an_operation_takes_no_trip(gateway: Any) -> None:
    origin = getattr(gateway.jvm, ORIGIN)
    for place in ("one", "two"):
        origin.set("col", place)
        assert list(origin.made()) == [f"col {place}"]
        origin.clear()
        assert list(origin.made()) == [None]
    calls, messages = counts(gateway)
    origin.set("col", "three")
    origin.clear()
    assert counts(gateway) == (calls, messages)
    origin.set("col", "four")
    found = origin.made()
    assert counts(gateway) == (calls + 4, messages + 1)
    assert list(found) == ["col four"]
    origin.clear()
    assert origin.get() is None


def test_whether_an_option_is_defined_takes_no_trip(gateway: Any) -> None:
    some, none = gateway.jvm.scala.Some.of(1), getattr(gateway.jvm.scala, "None$").get()
    assert (some.isDefined(), none.isDefined()) == (True, False)
    before = counts(gateway)
    assert (some.isDefined(), some.isEmpty()) == (True, False)
    assert (none.isDefined(), none.isEmpty()) == (False, True)
    assert counts(gateway) == before
    assert some.isEmpty(0) is True
    assert some.isEmpty(1) is False


def test_a_replaced_get_return_value_sees_what_takes_no_trip(gateway: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    original = java_gateway.get_return_value
    seen: list[Any] = []
    some, origin = gateway.jvm.scala.Some.of(1), getattr(gateway.jvm, ORIGIN)

    def replaced(*args: Any) -> Any:
        seen.append(original(*args))
        return seen[-1]

    monkeypatch.setattr(java_gateway, "get_return_value", replaced)
    assert some.isDefined() is True
    assert origin.clear() is None
    assert seen == [True, None]
