"""A `Literal` holds one of its values, written and read."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any, Literal

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
