"""The serializer of RDDs, over a double of PySpark's classes: `make interop-spark-typed` runs it in Spark."""

from __future__ import annotations

import importlib
import pickle
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Annotated, Any

import pytest
from samewire import pack
from samewire.errors import SamewireError

LATER = ("samewire.spark.serializer", "samewire.spark.rdds", "samewire.spark.columns")


@dataclass
class Book:
    id: str
    year: Annotated[int, pack.I32]


@dataclass
class Person:
    name: str


class Pickle:
    def dumps(self, obj: object) -> bytes:
        return pickle.dumps(obj)

    def loads(self, obj: Any) -> object:
        return pickle.loads(obj)


@pytest.fixture
def serializer_class(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """`PackSerializer`, loaded over the double."""
    serializers = ModuleType("pyspark.serializers")
    serializers.FramedSerializer = object  # type: ignore[attr-defined]
    serializers.CPickleSerializer = Pickle  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pyspark", ModuleType("pyspark"))
    monkeypatch.setitem(sys.modules, "pyspark.serializers", serializers)
    for name in LATER:
        sys.modules.pop(name, None)
    yield importlib.import_module("samewire.spark.serializer").PackSerializer
    for name in LATER:
        sys.modules.pop(name, None)


def test_a_batch_of_one_declared_type_is_one_message(serializer_class: Any) -> None:
    serializer = serializer_class(Book, Person)
    books = [Book(str(number), 1900 + number) for number in range(100)]
    data = serializer.dumps(books)
    assert data == b"\x81" + pack.codec(list[Book], check=False).encode(books)
    assert len(data) < len(pickle.dumps(books)) / 2
    assert serializer.loads(data) == books
    assert serializer.loads(serializer.dumps(Person("Ada"))) == Person("Ada")


@pytest.mark.parametrize("value", [[1, 2], [], [Book("1", 2), Person("Ada")], [("key", Book("1", 2))], None, {"a": 1}])
def test_other_values_are_pickled(serializer_class: Any, value: object) -> None:
    serializer = serializer_class(Book)
    data = serializer.dumps(value)
    assert data[0] == 0
    assert serializer.loads(data) == value


def test_a_tuple_can_be_declared(serializer_class: Any) -> None:
    serializer = serializer_class(tuple[str, Book])
    pairs = [("a", Book("1", 2)), ("b", Book("2", 3))]
    assert serializer.dumps(pairs)[0] == 0x81
    assert serializer.loads(serializer.dumps(pairs)) == pairs


def test_a_wrong_value_is_refused_with_its_path(serializer_class: Any) -> None:
    with pytest.raises(SamewireError) as refused:
        serializer_class(Book).dumps([Book("1", 2), Book("2", 2**40)])
    assert (refused.value.code, refused.value.path) == ("type_mismatch", "$[1].year")


@pytest.mark.parametrize("data", [b"", b"\x02abc", b"\x82abc", b"\x80"])
def test_bytes_of_another_serializer_are_malformed(serializer_class: Any, data: bytes) -> None:
    with pytest.raises(SamewireError) as refused:
        serializer_class(Book).loads(data)
    assert refused.value.code == "malformed"


def test_it_is_pickled_as_its_types(serializer_class: Any) -> None:
    serializer = serializer_class(Book, Person)
    make, arguments = serializer.__reduce__()
    assert make(*arguments) == serializer
    assert serializer == serializer_class(Book, Person)
    assert serializer != serializer_class(Person, Book)
    assert hash(serializer) == hash(serializer_class(Book, Person))
    assert repr(serializer) == "PackSerializer(Book, Person)"


def test_it_is_unpickled_before_its_class_has_fields(serializer_class: Any) -> None:
    later: Any = type("Later", (), {"__annotations__": {"name": str}})
    make, _ = serializer_class(Person).__reduce__()
    serializer = make((later,), {})
    # Classes of the program are pickled by value: what refers to them is unpickled before their attributes are set.
    dataclass(later)
    assert serializer.loads(serializer.dumps([later("a"), later("b")])) == [later("a"), later("b")]


@pytest.mark.parametrize(
    "types", [(), (Book, Book), (Book | None,), (int, Annotated[int, pack.I32]), (dict[str, int], dict[int, int])]
)
def test_types_that_cannot_be_told_apart_are_misuse(serializer_class: Any, types: tuple[Any, ...]) -> None:
    with pytest.raises(SamewireError) as refused:
        serializer_class(*types)
    assert refused.value.code == "misuse"


def test_names_of_the_program_reach_workers_with_its_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    program = ModuleType("__main__")
    source = """
from __future__ import annotations
from dataclasses import dataclass
from typing import Annotated
from samewire import pack
@dataclass
class Page:
    number: Annotated[int, pack.I32]
@dataclass
class Volume:
    pages: list[Page]
"""
    exec(source, program.__dict__)
    monkeypatch.setitem(sys.modules, "__main__", program)
    names_of = importlib.import_module("samewire.spark.program_names").names_of
    assert names_of((program.Volume,)) == {"Page": program.Page, "Annotated": Annotated, "pack": pack}


def test_pyspark_is_imported_when_something_needs_it() -> None:
    program = """
import sys
sys.modules["pyspark"] = None
import samewire.spark
from samewire.errors import SamewireError
for use in (
    lambda: samewire.spark.PackSerializer,
    lambda: samewire.spark.packed,
    lambda: samewire.spark.to_pack("a"),
    lambda: samewire.spark.from_pack("a", str),
):
    try:
        use()
    except SamewireError as missing:
        print(missing.code, "pip install pyspark" in missing.text)
try:
    samewire.spark.nothing
except AttributeError:
    print("no such name")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["unsupported True"] * 4 + ["no such name"]
