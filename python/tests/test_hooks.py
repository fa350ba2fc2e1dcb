"""What classes define beside their fields: it runs where `Codec` says, and may use the codec itself."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from typing import Any, TypedDict

import attrs
import msgspec
import pytest
from samewire import pack


def test_hooks_run() -> None:
    calls: list[str] = []

    @dataclass
    class Post:
        x: int

        def __post_init__(self) -> None:
            calls.append(f"post {self.x}")

    @attrs.define
    class AttrsPost:
        x: int

        def __attrs_post_init__(self) -> None:
            calls.append(f"attrs {self.x}")

    class StructPost(msgspec.Struct):
        x: int

        def __post_init__(self) -> None:
            calls.append(f"struct {self.x}")

    @dataclass
    class New:
        x: int

        def __new__(cls, x: int) -> New:
            calls.append(f"new {x}")
            return super().__new__(cls)

    @dataclass
    class Set:
        x: int

        def __setattr__(self, name: str, value: Any) -> None:
            calls.append(f"set {name}")
            super().__setattr__(name, value)

    for cls, wanted in (
        *((Post, "post 4"), (AttrsPost, "attrs 4"), (StructPost, "struct 4")),
        *((New, "new 4"), (Set, "set x")),
    ):
        own = pack.codec(cls)
        data = own.encode(cls(4))
        calls.clear()
        assert own.decode(data) == cls(4)
        assert calls[0] == wanted


def test_an_exception_of_a_hook_comes_through() -> None:
    @dataclass
    class Refusing:
        x: int
        text: str

        def __post_init__(self) -> None:
            if self.x > 2:
                raise KeyError(self.x)

    own = pack.codec(list[Refusing], namespace={"Refusing": Refusing})
    items = own.decode(own.encode([Refusing(1, "same"), Refusing(2, "same")]))
    assert items[1].text == "same"
    items[1].x = 3
    bad = own.encode(items)
    for _ in range(3):
        with pytest.raises(KeyError):
            own.decode(bad)
    assert gc.isenabled()


def test_what_comparing_the_keys_of_a_dict_raises_comes_through() -> None:
    class Keyed(TypedDict):
        id: str

    class Key(str):
        __slots__ = ()
        __hash__ = str.__hash__

        def __eq__(self, other: object) -> bool:
            raise ZeroDivisionError

    codec = pack.codec(Keyed)
    value: Any = {Key("id"): "x"}
    with pytest.raises(ZeroDivisionError):
        codec.encode(value)
    assert codec.decode(codec.encode({"id": "x"})) == {"id": "x"}
