"""Types without a schema, and invalid declarations."""

from __future__ import annotations

import array
import re
import subprocess
import sys
from dataclasses import dataclass, make_dataclass
from enum import Enum, IntFlag
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from typing import Annotated, Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt
import pytest
from samewire import pack
from sample_classes import Cat

UNSUPPORTED: list[tuple[Any, str]] = [
    (complex, "unsupported"),
    (IntFlag("Rights", "READ WRITE"), "unsupported"),
    (type, "unsupported"),
    (array.array, "unsupported"),
    (npt.NDArray[np.complex128], "unsupported"),
    (type(None), "unsupported"),
    (set, "unsupported"),
    (set[float], "misuse"),
    (dict[Any, int], "misuse"),
    (dict[bytes, int], "misuse"),
    (Annotated[str, pack.I32], "misuse"),
    (Annotated[list[int], pack.I32], "misuse"),
    (Annotated[int, pack.I32, pack.I64], "misuse"),
    (Annotated[int, pack.REF], "misuse"),
    (Annotated[int | str, pack.I32], "misuse"),
    ("Nowhere", "misuse"),
    (list["Nowhere"], "misuse"),  # type: ignore[name-defined]  # noqa: F821
]


@pytest.mark.parametrize(("kind", "code"), UNSUPPORTED)
def test_unsupported(kind: Any, code: str) -> None:
    with pytest.raises(pack.SamewireError) as caught:
        pack.codec(kind)
    assert caught.value.code == code
    assert caught.value.text


@pytest.mark.parametrize(
    "kind",
    [
        Path | str,
        IPv4Address | IPv6Address,
        Path | int | None,
        Annotated[int, pack.As(str, str, int)] | str,
    ],
)
def test_unions_of_types_that_are_written_as_others_are_refused(kind: Any) -> None:
    with pytest.raises(pack.SamewireError, match="stands in a union") as caught:
        pack.codec(kind)
    assert caught.value.code == "unsupported"
    assert pack.codec(int | str).schema.text == "any"


T = TypeVar("T")


@dataclass
class Box(Generic[T]):
    value: T


def test_one_class_twice_in_a_union_is_refused() -> None:
    with pytest.raises(pack.SamewireError, match="Box_i64 and Box_string are of one class") as caught:
        pack.codec(Box[int] | Box[str])
    assert caught.value.code == "unsupported"
    assert pack.codec(Box[int] | Cat).schema.text == "union { struct Box { value: i64 }, struct Cat { name: string } }"


@dataclass
class Inner:
    pattern: re.Pattern[str]


@dataclass
class Outer:
    several: list[Inner]
    one: Inner | None


@dataclass
class Holder:
    outer: Outer


def test_errors_say_in_which_field_the_type_stands() -> None:
    with pytest.raises(pack.SamewireError) as caught:
        pack.codec(Holder)
    assert caught.value.text.startswith("Holder.outer.several.pattern: re.Pattern[str] has no type on the wire")


def test_a_method_of_the_class_of_classes_is_no_default() -> None:
    lineage = make_dataclass("Lineage", [("x", int), ("mro", int)])
    own: Any = pack.codec(lineage)
    assert own.decode(own.encode(lineage(1, 2))) == lineage(1, 2)
    older: Any = pack.codec(make_dataclass("Lineage", [("x", int)]))
    with pytest.raises(pack.SamewireError) as caught:
        own.resolve(older.schema)
    assert caught.value.code == "schema_mismatch"
    made = pack.types_of(pack.Schema.parse("struct S { mro: i32, x: i32 }"))
    assert made(1, 2) == made(1, x=2)


def test_declarations_that_cannot_be() -> None:
    @dataclass
    class Empty:
        pass

    with pytest.raises(pack.SamewireError):
        pack.codec(Empty)
    with pytest.raises(pack.SamewireError):
        pack.codec(list[Empty])
    own = pack.codec(Empty | Cat)
    assert own.decode(own.encode(Empty())) == Empty()

    other: Any = dataclass(type("Cat", (), {"__annotations__": {"lives": int}}))
    with pytest.raises(pack.SamewireError) as caught:
        pack.codec(tuple[Cat, other])
    assert caught.value.code == "misuse"


def nested(depth: int) -> Any:
    kind: Any = int
    for _ in range(depth):
        kind = list[kind]
    return kind


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (nested(65), "limit_depth"),
        (nested(200), "limit_depth"),
        (Enum("Many", [f"s{i}" for i in range(65_536)]), "limit_items"),
        (Enum("Long", [f"s{i:0250}" for i in range(4_200)]), "limit_size"),
    ],
    ids=["deep", "deeper", "many", "long"],
)
def test_types_that_are_too_much_for_a_schema_text(kind: Any, code: str) -> None:
    with pytest.raises(pack.SamewireError) as caught:
        pack.codec(kind)
    assert (caught.value.code, caught.value.at, caught.value.path) == (code, 0, None)
    remedy = "nest fewer, or use any for the inner types" if code == "limit_depth" else "divide it into several schemas"
    assert caught.value.text.endswith(f": {remedy}")
    assert pack.codec(nested(64)).schema.text == "list<" * 64 + "i64" + ">" * 64


@pytest.mark.parametrize("name", ["", "x" * 256, "\ud800", "a\udfff"])
def test_names_that_no_schema_has(name: str) -> None:
    for cls in (
        pack.named(name)(make_dataclass("Own", [("it", int)])),
        make_dataclass("Field", [("it", Annotated[int, pack.Name(name)])]),
    ):
        with pytest.raises(pack.SamewireError) as caught:
            pack.codec(cls)
        assert caught.value.code == "misuse"


def test_codecs_are_made_without_reading_schema_text() -> None:
    program = """
import sys
from samewire import pack
codec = pack.codec(list[int])
assert codec.decode(codec.encode([1])) == [1]
assert not {"samewire.pack.schema", "samewire.pack.type"} & set(sys.modules)
assert codec.schema.text == "list<i64>" and codec.schema is codec.schema
assert pack.types_of(pack.Schema.parse("i64")) is int
assert not hasattr(pack, "nothing")
"""
    subprocess.run([sys.executable, "-c", program], check=True)
