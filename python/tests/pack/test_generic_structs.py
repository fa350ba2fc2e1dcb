"""Generic structs with several arguments: what is one type on the wire is one struct, as in the other languages."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, TypeVar

import pytest
from pydantic import BaseModel
from samewire import pack
from samewire.errors import SamewireError

T = TypeVar("T")


@dataclass
class Page(Generic[T]):
    items: list[T]
    note: str = ""
    more: Any = None


@dataclass
class Node(Generic[T]):
    value: T
    next: Node[T] | None = None


class Model(BaseModel, Generic[T]):
    value: T


@dataclass
class Mode:
    read: Page[Literal["r", "w"]]
    write: Page[str]
    paths: list[Page[Path]]


@dataclass
class Texts:
    """The same schema with one class."""

    read: Page[str]
    write: Page[str]
    paths: list[Page[str]]


def test_arguments_of_one_type_on_the_wire_make_one_struct() -> None:
    codec = pack.codec(Mode)
    page = "struct Page { items: list<string>, note: string, more: any }"
    assert codec.schema.text == f"struct Mode {{ read: {page}, write: Page, paths: list<Page> }}"
    value = Mode(Page(["r"]), Page(["x"], "n"), [Page([Path("a")], "n", [1])])
    assert codec.decode(codec.encode(value)) == value
    with pytest.raises(SamewireError, match="expected one of 'r', 'w', got 'x'"):
        codec.encode(Mode(Page(["x"]), Page([]), []))  # type: ignore[list-item]


@pytest.mark.parametrize("profile", ["compact", "fast"])
def test_the_bytes_are_those_of_one_class(profile: Any) -> None:
    def rows(make: Any) -> list[Any]:
        return [Page([make(f"p{i}"), make(f"q{i % 3}")], f"n{i % 200}", f"m{i}") for i in range(300)]

    one = pack.codec(pack.named("Mode")(Texts), profile=profile)
    many = pack.codec(Mode, profile=profile)
    value = Mode(Page(["r"] * 3), Page([f"w{i}" for i in range(200)]), rows(Path))
    same = Texts(Page(["r"] * 3), Page([f"w{i}" for i in range(200)]), rows(str))
    assert many.encode(value) == one.encode(same)
    assert many.decode(one.encode(same)) == value


def test_other_arguments_are_named_for_their_types() -> None:
    codec = pack.codec(tuple[Page[Literal["a"]], Page[str], Page[int]])
    assert [part.split(" ")[0] for part in codec.schema.text.split("struct ")[1:]] == ["Page_string", "Page_i64"]
    assert codec.schema.text.count("Page_string") == 2
    nodes = pack.codec(tuple[Node[Path], Node[str]])
    assert nodes.schema.text == "tuple<struct Node { value: string, next: option<Node> }, Node>"
    value = (Node(Path("a"), Node(Path("b"))), Node("a", Node("c")))
    assert nodes.decode(nodes.encode(value)) == value
    assert pack.codec(tuple[Model[Path], Model[str]]).schema.text == "tuple<struct Model { value: string }, Model>"


def test_a_member_of_a_union_has_a_name_of_its_own() -> None:
    with pytest.raises(SamewireError, match="are of one class"):
        pack.codec(Page[Literal["a"]] | Page[str])
    with pytest.raises(SamewireError, match="two types are called 'Model_string'"):
        pack.codec(Model[Literal["a"]] | Model[str])


def test_an_adapter_s_type_is_what_it_is_written_as() -> None:
    cents = Annotated[float, pack.As(int, lambda euros: round(euros * 100), lambda cents: cents / 100)]
    codec = pack.codec(tuple[Page[cents], Page[int]])
    assert codec.decode(codec.encode((Page([1.5]), Page([150])))) == (Page([1.5]), Page([150]))
