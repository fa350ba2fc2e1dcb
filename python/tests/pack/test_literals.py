"""A `Literal` holds one of its values, written and read."""

from __future__ import annotations

import datetime
import enum
from dataclasses import dataclass
from typing import Any, Literal, NewType, TypedDict

import pytest
from samewire import pack
from samewire.errors import SamewireError


class Color(enum.Enum):
    RED = 1
    GREEN = 2


@dataclass
class Request:
    method: Literal["GET", "POST"]
    retries: Literal[0, 1, 2] = 0
    color: Literal[Color.RED, None] = None
    tags: list[Literal["a", "b"]] | None = None
    headers: dict[Literal["host"], str] | None = None
    mark: Literal[b"x"] = b"x"


@dataclass
@pack.named("Request")
class Anything:
    """The type of a writer with the same schema that checks nothing."""

    method: str
    retries: int = 0
    color: Color | None = None
    tags: list[str] | None = None
    headers: dict[str, str] | None = None
    mark: bytes = b"x"


OTHERS: list[tuple[str, dict[str, Any]]] = [
    ("$.method", {"method": "PUT"}),
    ("$.retries", {"retries": 3}),
    ("$.color", {"color": Color.GREEN}),
    ("$.tags[1]", {"tags": ["a", "c"]}),
    ("$.headers", {"headers": {"accept": "*"}}),
    ("$.mark", {"mark": b"y"}),
]


@pytest.mark.parametrize("profile", ["compact", "fast"])
@pytest.mark.parametrize(("path", "other"), OTHERS, ids=[path for path, _ in OTHERS])
def test_another_value_is_refused_by_writer_and_reader(profile: Any, path: str, other: dict[str, Any]) -> None:
    codec = pack.codec(Request, profile=profile)
    good: dict[str, Any] = {"method": "GET", "color": Color.RED, "tags": ["b"], "headers": {"host": "here"}}
    assert codec.decode(codec.encode(Request(**good))) == Request(**good)
    value = {**good, **other}
    with pytest.raises(SamewireError, match="expected one of") as written:
        codec.encode(Request(**value))
    with pytest.raises(SamewireError, match="expected one of") as read:
        codec.decode(pack.codec(Anything, profile=profile).encode(Anything(**value)))
    assert [(error.value.code, error.value.path) for error in (written, read)] == [("type_mismatch", path)] * 2


@pytest.mark.parametrize("value", [True, 1.0, "1", None, [1]])
def test_an_equal_value_of_another_class_is_none_of_them(value: Any) -> None:
    with pytest.raises(SamewireError) as refused:
        pack.codec(Literal[0, 1]).encode(value)
    assert refused.value.code == "type_mismatch"


def test_many_are_refused_at_their_first() -> None:
    codec = pack.codec(list[Request])
    many = [Request("GET")] * 200
    assert codec.decode(codec.encode(many)) == many
    many[150] = Request("PUT")  # type: ignore[arg-type]
    with pytest.raises(SamewireError) as refused:
        codec.encode(many)
    assert (refused.value.code, refused.value.path) == ("type_mismatch", "$[150].method")


def test_the_schema_is_that_of_the_values() -> None:
    assert pack.codec(Literal["GET", "POST"]).schema.text == "string"


AUTO = Literal["auto"] | int
UNIONS: list[tuple[Any, list[Any], list[Any]]] = [
    (Literal["a"] | Literal["b"], ["a", "b"], ["c", 1, None]),
    (Literal["a", 1], ["a", 1], ["b", 2, True, 1.0]),
    (AUTO, ["auto", 5], ["off", True, 1.5, None, ["auto"]]),
    (AUTO | None, ["auto", 5, None], ["off"]),
    (Literal["a"] | float, ["a", 1.5, 2], ["b", True]),
    (Literal["a"] | list[str], ["a", ["b"]], ["b", {"b": 1}, 5]),
    (Literal["a"] | dict[str, int], ["a", {"b": 1}], ["b", ["b"]]),
    (Literal["a"] | bytes, ["a", b"b"], ["b"]),
    (Literal["a"] | datetime.date, ["a", datetime.date(2024, 1, 1)], ["b", datetime.datetime.now(datetime.UTC)]),
    (Literal["a"] | NewType("Number", int), ["a", 1], ["b"]),
]


@pytest.mark.parametrize(("kind", "good", "bad"), UNIONS, ids=[str(kind) for kind, _, _ in UNIONS])
def test_a_union_with_literals_is_compared_with_all_of_them(kind: Any, good: list[Any], bad: list[Any]) -> None:
    codec = pack.codec(kind)
    assert codec.schema.text == "any"
    for value in good:
        assert codec.decode(codec.encode(value)) == value
    for value in bad:
        for refuse in (lambda value=value: codec.encode(value), lambda value=value: codec.decode(pack.codec(Any).encode(value))):
            with pytest.raises(SamewireError, match="expected one of") as refused:
                refuse()
            assert refused.value.code == "type_mismatch"


class Settings(TypedDict, total=False):
    level: AUTO
    size: Any
    other: int | str


@pytest.mark.parametrize("count", [1, 3, 200])
@pytest.mark.parametrize("value", [{}, {"size": 1}, {"level": "auto", "other": "x"}, {"level": 3, "size": [1], "other": 2}])
def test_keys_without_a_type_of_their_own_may_be_missing(value: Settings, count: int) -> None:
    for codec in (pack.codec(list[Settings]), pack.codec(list[Settings], profile="fast")):
        assert codec.decode(codec.encode([value] * count)) == [value] * count


def test_a_missing_key_is_not_another_text() -> None:
    with pytest.raises(SamewireError, match="expected one of 'auto', int, got 'off'") as refused:
        pack.codec(Settings).encode({"level": "off"})  # type: ignore[typeddict-item]
    assert refused.value.path == "$.level"
