"""How Java's objects look in Python: texts, equality, names, help."""

from __future__ import annotations

import copy
import pickle
from typing import Any

from adaptor import Bridge, case, filled, own, raises


@case("describing: str is toString")
def text(bridge: Bridge) -> None:
    assert str(own(bridge, "Members")("text", 3)) == "Members(text, 3)"


@case("describing: a format string shows toString")
def formatted(bridge: Bridge) -> None:
    assert f"{own(bridge, 'Members')('text', 3)}" == "Members(text, 3)"


@case("describing: repr names the class")
def representation(bridge: Bridge) -> None:
    assert "Members" in repr(own(bridge, "Members")())


@case("describing: repr of a list shows its elements as Python does")
def list_representation(bridge: Bridge) -> None:
    assert "[1, 'two', None]" in repr(filled(bridge, 1, "two", None))


@case("describing: str of a map shows its entries")
def map_text(bridge: Bridge) -> None:
    shown = str(own(bridge, "Collected").map())
    assert "one" in shown
    assert "3" in shown


@case("describing: == is equals")
def equality(bridge: Bridge) -> None:
    file = bridge.java.io.File
    assert file("a") == file("a")
    assert file("a") != file("b")
    assert not (file("a") != file("a"))  # noqa: SIM202


@case("describing: hash is hashCode, so that equal objects are one key")
def hashing(bridge: Bridge) -> None:
    file = bridge.java.io.File
    assert hash(file("a")) == hash(file("a"))
    assert {file("a"): 1}[file("a")] == 1
    assert len({file("a"), file("a"), file("b")}) == 2


@case("describing: an object equals no value of Python")
def foreign_equality(bridge: Bridge) -> None:
    made = own(bridge, "Members")()
    assert made != 1
    assert made != "Members(default, 1)"
    assert made != object()


@case("describing: Comparable objects are ordered by < and sorted")
def ordering(bridge: Bridge) -> None:
    file = bridge.java.io.File
    assert file("a") < file("b")
    assert file("b") >= file("a")
    assert [made.getName() for made in sorted([file("c"), file("a"), file("b")])] == ["a", "b", "c"]


@case("describing: an object is true")
def truth(bridge: Bridge) -> None:
    assert own(bridge, "Members")()


@case("describing: dir of an object has its methods and fields")
def directory(bridge: Bridge) -> None:
    names = dir(own(bridge, "Members")())
    for name in ("seen", "ancestral", "number", "toString"):
        assert name in names, name
    assert "hidden" not in names


@case("describing: dir of a class has its static members")
def class_directory(bridge: Bridge) -> None:
    names = dir(own(bridge, "Members"))
    assert "add" in names
    assert "CONSTANT" in names


@case("describing: dir of a package has its classes")
def package_directory(bridge: Bridge) -> None:
    assert "ArrayList" in dir(bridge.java.util)


@case("describing: hasattr tells whether there is a member")
def has_attribute(bridge: Bridge) -> None:
    made = own(bridge, "Members")()
    assert hasattr(made, "seen")
    assert not hasattr(made, "vanished")


@case("describing: names that Python looks for are not taken for Java's")
def special_names(bridge: Bridge) -> None:
    made = own(bridge, "Members")()
    for name in ("__array__", "_repr_html_", "__iter__", "__len__", "__fspath__"):
        assert not hasattr(made, name), name


@case("describing: help of a class names its methods")
def documentation(bridge: Bridge) -> None:
    import pydoc

    shown = pydoc.render_doc(own(bridge, "Members"))
    assert "seen" in shown
    assert "add" in shown


@case("describing: the doc text of a method shows its signatures")
def method_documentation(bridge: Bridge) -> None:
    shown = own(bridge, "Members").add.__doc__ or ""
    assert "add" in shown
    assert "int" in shown


@case("describing: the class of an object has Java's simple name")
def class_name(bridge: Bridge) -> None:
    name = type(own(bridge, "Members")()).__name__
    assert name.split(".")[-1] == "Members"


@case("describing: an attribute that Java lacks cannot be assigned")
def no_new_attribute(bridge: Bridge) -> None:
    with raises(AttributeError):
        own(bridge, "Members")().vanished = 1


@case("describing: an object is not pickled, and says so")
def no_pickle(bridge: Bridge) -> None:
    with raises(Exception):
        pickle.dumps(own(bridge, "Members")())


@case("describing: an object is not copied behind Java's back")
def no_copy(bridge: Bridge) -> None:
    made: Any = own(bridge, "Members")(1)
    try:
        twin = copy.copy(made)
    except Exception:
        return
    twin.next()
    assert made.seen() == 2


@case("closing: a with statement closes an AutoCloseable")
def closed(bridge: Bridge) -> None:
    resource = own(bridge, "Resource")()
    with resource as opened:
        assert opened.closed() == 0
    assert resource.closed() == 1


@case("closing: a with statement closes an AutoCloseable if its body raises")
def closed_after_error(bridge: Bridge) -> None:
    resource = own(bridge, "Resource")()
    with raises(ValueError), resource:
        int("no number")
    assert resource.closed() == 1


@case("closing: Java's writers and readers are closed and used by their methods")
def streams(bridge: Bridge) -> None:
    io = bridge.java.io
    out = io.ByteArrayOutputStream()
    writer = io.OutputStreamWriter(out, "UTF-8")
    writer.write("häuser")
    writer.close()
    assert bytes(value % 256 for value in out.toByteArray()) == "häuser".encode()
    reader = io.BufferedReader(io.StringReader("one\ntwo"))
    assert [reader.readLine(), reader.readLine(), reader.readLine()] == ["one", "two", None]
    reader.close()


@case("closing: files written by Java are read by it")
def files(bridge: Bridge) -> None:
    made = bridge.java.io.File.createTempFile("acceptance", ".txt")
    try:
        writer = bridge.java.io.FileWriter(made)
        writer.write("text")
        writer.close()
        assert made.length() == 4
        assert made.exists()
    finally:
        assert made.delete()
