"""Models of pydantic: what their declarations say, and what is refused since it would be lost."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any, Generic, TypeVar

import pydantic
import pytest
from pydantic import AliasChoices, AliasPath, AwareDatetime, BaseModel, ConfigDict, Field, HttpUrl, RootModel, SecretStr
from samewire import pack

X = TypeVar("X")


class Page(BaseModel, Generic[X]):
    items: list[X]


class Numbers(RootModel[list[int]]):
    pass


class Named(Page[int]):
    name: str = "q"


class Both(BaseModel):
    numbers: Page[int]
    texts: Page[str]


class Node(BaseModel):
    value: Annotated[int, pack.I32, Field(ge=0)]
    label: Annotated[str, pack.Name("title")] = "x"
    next: Node | None = None


@pytest.mark.parametrize(
    ("value", "schema"),
    [
        (Page[int](items=[1]), "struct Page { items: list<i64> }"),
        (Numbers([1]), "struct Numbers { root: list<i64> }"),
        (RootModel[list[int]]([1]), "struct RootModel { root: list<i64> }"),
        (Named(items=[1]), "struct Named { items: list<i64>, name: string }"),
        (
            Both(numbers=Page[int](items=[1]), texts=Page[str](items=["a"])),
            "struct Both { numbers: struct Page_i64 { items: list<i64> }, texts: struct Page_string { items: list<string> } }",
        ),
        (Node(value=1, next=Node(value=2)), "struct Node { value: i32, title: string, next: option<Node> }"),
    ],
    ids=["generic", "root", "bare root", "subclass", "two", "itself"],
)
def test_types_are_those_that_pydantic_resolved(value: BaseModel, schema: str) -> None:
    own: pack.Codec[Any] = pack.codec(type(value), strict=True)
    assert own.schema.text == schema
    assert own.decode(own.encode(value)) == value


@pytest.mark.parametrize("alias", ["maxRetries", AliasPath("a", "b"), AliasChoices("a", "b")], ids=["name", "path", "choices"])
def test_aliases_of_validation_need_the_names_of_the_fields(alias: Any) -> None:
    class Job(BaseModel):
        retries: int = Field(default=1, validation_alias=alias)

    class Named(BaseModel):
        model_config = ConfigDict(populate_by_name=True)
        retries: int = Field(default=1, validation_alias=alias)

    with pytest.raises(pack.SamewireError, match=r"Job\.retries has an alias: set populate_by_name=True") as caught:
        pack.codec(Job)
    assert caught.value.code == "unsupported"
    own = pack.codec(Named)
    assert own.decode(own.encode(Named(retries=5))).retries == 5


def test_extra_values_are_refused_with_their_model() -> None:
    class Open(BaseModel):
        model_config = ConfigDict(extra="allow")
        id: int

    with pytest.raises(pack.SamewireError, match='Open has extra="allow"') as caught:
        pack.codec(Open)
    assert caught.value.code == "unsupported"


def test_excluded_fields_are_not_written() -> None:
    class User(BaseModel):
        name: str
        password: str = Field(default="", exclude=True)

    own = pack.codec(User)
    assert own.schema.text == "struct User { name: string }"
    data = own.encode(User(name="a", password="s3cret"))
    assert b"s3cret" not in data
    assert own.decode(data) == User(name="a")

    class Bare(BaseModel):
        name: str
        password: str = Field(exclude=True)

    with pytest.raises(pack.SamewireError, match=r"Bare\.password has exclude=True and no default") as caught:
        pack.codec(Bare)
    assert caught.value.code == "unsupported"


def test_constrained_dates_are_dates() -> None:
    class Event(BaseModel):
        at: AwareDatetime
        day: pydantic.PastDate

    own = pack.codec(Event)
    assert own.schema.text == "struct Event { at: timestamp, day: date }"
    event = Event(at=dt.datetime(2024, 1, 2, tzinfo=dt.UTC), day=dt.date(2020, 1, 1))
    assert own.decode(own.encode(event)) == event


@pytest.mark.parametrize("cls", [HttpUrl, SecretStr])
def test_other_classes_of_pydantic_need_an_adapter(cls: Any) -> None:
    with pytest.raises(pack.SamewireError, match=rf"adapters=\{{{cls.__name__}: pack.As\(str, encode, decode\)\}}"):
        pack.codec(cls)
    assert pack.codec(cls, adapters={cls: pack.As(str, str, cls)}).schema.text == "string"
