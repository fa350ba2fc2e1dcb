"""Which overload a call means, above all with None: Py4J's own jar says what is right."""

from __future__ import annotations

import subprocess
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from py4j_servers import KINDS, Server
from samewire.py4j import java_gateway
from samewire.py4j.protocol import Py4JError

if TYPE_CHECKING:
    from collections.abc import Iterator

PROGRAM = Path(__file__).with_name("Nulls.java")

#: Stands for a list of Java's.
LIST = "a list"


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the compiled program."""
    folder = tmp_path_factory.mktemp("nulls")
    subprocess.run(["javac", "-J-XX:TieredStopAtLevel=1", "-d", str(folder), str(PROGRAM)], check=True, timeout=120)
    return folder


@pytest.fixture(scope="module", params=KINDS)
def started(request: pytest.FixtureRequest, classes: Path) -> Iterator[Server]:
    """A JVM of each kind, with the program's classes."""
    made = Server(request.param, str(classes))
    yield made
    made.end()


def passed(gateway: Any, args: tuple[Any, ...]) -> list[Any]:
    """Arguments, with a list of Java's for its stand-in."""
    return [gateway.jvm.java.util.ArrayList() if arg is LIST else arg for arg in args]


METHODS: list[tuple[str, tuple[Any, ...], str]] = [
    ("listOrObject", (None,), "Object"),
    ("mapOrObject", (None,), "Object"),
    ("textOrInteger", (None,), "Integer"),
    ("textOrObject", (None,), "String"),
    ("objectOrInt", (None,), "Object"),
    ("classOrInterface", (None,), "ArrayList"),
    ("arrayOrObject", (None,), "Object[]"),
    ("more", (None,), "List..."),
    ("alone", (None,), "alone null"),
    ("fixed", (None,), "static Object"),
    ("mixed", (None,), "String"),
    # Py4J calls what is not public.
    ("hidden", (None,), "package-private String"),
    ("secret", (None,), "private Integer"),
    ("inherited", (None,), "Object of the superclass"),
    ("above", (None,), "Integer of the superclass"),
    ("offered", (None,), "offered Object"),
    ("two", (None, None), "Object, Object"),
    ("two", (None, LIST), "Object, List"),
    ("two", (LIST, None), "List, List"),
    ("two", ("a", None), "Object, Object"),
    ("two", (1, None), "Object, Object"),
    ("crossed", (None, None), "Object, Integer"),
    ("crossed", (None, LIST), "String, Object"),
    ("crossed", ("a", None), "Object, Integer"),
    ("with", (None, 1), "Object, int"),
    ("with", (None, 1 << 40), "List, long"),
    ("with", (None, 1.5), "String, double"),
    ("with", (None, True), "Object, boolean"),
    ("with", (None, "a"), "String, String"),
    ("with", (None, None), "String, String"),
    ("narrowed", (None, 1), "String, short 1"),
    ("narrowed", (None, 70_000), "String, short 4464"),
    # Without a null Java's rules would take Object, or find two that are equally good.
    ("floatOrObject", (0.5,), "float"),
    ("crossed", ("a", 1), "Object, Integer"),
]


@pytest.mark.parametrize(("name", "args", "chosen"), METHODS)
def test_a_null_chooses_the_method_that_py4j_chooses(gateway: Any, name: str, args: tuple[Any, ...], chosen: str) -> None:
    made = gateway.jvm.nulls.Nulls()
    for _ in range(2):
        assert getattr(made, name)(*passed(gateway, args)) == chosen


CONSTRUCTORS: list[tuple[tuple[Any, ...], str]] = [
    ((), "()"),
    ((None,), "(Object)"),
    ((LIST,), "(List)"),
    ((None, None), "(String, Integer)"),
    (("a", None), "(String, Integer)"),
    ((None, 1), "(String, Integer)"),
    ((None, 1.5), "(Object, Number)"),
]


@pytest.mark.parametrize(("args", "chosen"), CONSTRUCTORS)
def test_a_null_chooses_the_constructor_that_py4j_chooses(gateway: Any, args: tuple[Any, ...], chosen: str) -> None:
    made = gateway.jvm.nulls.Nulls(*passed(gateway, args))
    assert java_gateway.get_field(made, "made") == chosen


def test_a_null_chooses_the_static_method_that_py4j_chooses(gateway: Any) -> None:
    program = gateway.jvm.nulls.Nulls
    assert program.fixed(None) == "static Object"
    with pytest.raises(Py4JError, match="NullPointerException"):
        program.mixed(None)  # it chooses the method of objects


# Decimal and bytes fit no parameter beside one that takes a null; Py4J has no varargs.
@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("with", (None, b"x")),
        ("with", (None, Decimal("1.5"))),
        ("with", (None, LIST)),
        ("narrowed", (None, 1 << 40)),
        ("more", (None, None)),
    ],
)
def test_a_call_that_fits_nothing_by_py4j_s_rule_is_its_error(gateway: Any, name: str, args: tuple[Any, ...]) -> None:
    made = gateway.jvm.nulls.Nulls()
    with pytest.raises(Py4JError, match=rf"Method {name}\(.*\) does not exist"):
        getattr(made, name)(*passed(gateway, args))


def test_a_null_beside_an_object_of_python(server: Server) -> None:
    class Order:
        class Java:
            implements = ["java.util.Comparator"]  # noqa: RUF012 - as programs of Py4J write it

    with server.callbacks() as gateway:
        made = gateway.jvm.nulls.Nulls()
        assert made.called(Order(), None) == "Object, Integer"
        assert made.called(Order(), gateway.jvm.java.util.ArrayList()) == "Comparator, List"


def test_a_null_is_passed_on_the_thread_of_the_other_calls(gateway: Any) -> None:
    made = gateway.jvm.nulls.Nulls()
    assert made.thread() == made.thread("a") == made.thread(None)


# The text protocol has a command for a call in any case.
@pytest.mark.parametrize("started", ["native"], indirect=True)
def test_a_null_takes_no_further_trip(gateway: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made = gateway.jvm.nulls.Nulls()
    commands: list[str] = []
    monkeypatch.setattr(gateway._gateway_client, "send_command", lambda command, *_, **__: commands.append(command))
    session = gateway._gateway_client.dialect._session
    before = session.statistics()["calls"]
    for _ in range(3):
        assert made.textOrInteger(None) == "Integer"
        assert made.two(None, None) == "Object, Object"
    assert session.statistics()["calls"] - before == 6
    assert not commands
