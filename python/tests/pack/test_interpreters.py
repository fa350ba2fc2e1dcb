"""Subinterpreters, repeated imports, and classes that change after a codec was made of them."""

from __future__ import annotations

import importlib
import sys
from dataclasses import InitVar, dataclass
from pathlib import Path
from typing import Any

import pytest
from samewire import pack
from test_memory import Many, many


@dataclass
class Plain:
    x: int
    s: str


def test_a_subinterpreter_is_refused_and_this_one_works_on() -> None:
    new = sys.version_info >= (3, 13)
    subinterpreters = importlib.import_module("_interpreters" if new else "_xxsubinterpreters")
    own = pack.codec(Many)
    data = own.encode(many())
    for _ in range(3):
        other = subinterpreters.create()
        try:
            path = str(Path(pack.__file__).parents[2])
            code = f"import sys\nsys.path.insert(0, {path!r})\nimport samewire.pack"
            if new:
                assert subinterpreters.run_string(other, code).type.__name__ == "ImportError"
            else:
                with pytest.raises(subinterpreters.RunFailedError, match="ImportError"):
                    subinterpreters.run_string(other, code)
        finally:
            subinterpreters.destroy(other)
        assert own.encode(many()) == data
        assert own.decode(data) == many()
        parts: Any = [many().exact, many().key]
        assert pack.codec(Any).decode(pack.codec(Any).encode(parts)) == parts


def test_the_native_module_imported_again() -> None:
    own = pack.codec(Many)
    data = own.encode(many())
    module = sys.modules.pop("samewire._native")
    try:
        importlib.import_module("samewire._native")
        assert own.decode(data) == many()
    finally:
        sys.modules["samewire._native"] = module
    assert own.encode(own.decode(data)) == data
    with pytest.raises(pack.SamewireError):
        own.decode(data[:-1])


def test_instances_that_lose_their_common_layout() -> None:
    own = pack.codec(list[Plain])
    value = [Plain(n, "s") for n in range(3)]
    data = own.encode(value)
    for n in range(60):
        setattr(value[1], f"extra{n}", n)
    value[2].__dict__ = {"s": "s", "x": 2}
    assert own.encode(value) == data
    for less in (0, 2):
        value[less].__dict__.pop("s")
        with pytest.raises(pack.SamewireError) as caught:
            own.encode(value)
        assert (caught.value.code, caught.value.path) == ("type_mismatch", f"$[{less}].s")
        value[less].s = "s"
    assert own.encode(value) == data
    decoded = own.decode(data)
    decoded[0].__dict__["new"] = 4
    for n in range(60):
        setattr(decoded[1], f"more{n}", n)
    again = own.decode(data)
    assert [vars(item) for item in again] == [{"x": n, "s": "s"} for n in range(3)]
    assert own.encode(again) == data


def test_a_class_of_the_same_name_is_another() -> None:
    own = pack.codec(Plain)
    other: Any = type("Plain", (), {"__annotations__": {"x": int, "s": str}})
    with pytest.raises(pack.SamewireError) as caught:
        own.encode(dataclass(other)(1, "s"))
    assert caught.value.code == "type_mismatch"
    value = Plain(1, "s")
    data = own.encode(value)

    class Spelled(Plain):
        @property
        def s(self) -> str:
            return "spelled"

        @s.setter
        def s(self, _: str) -> None: ...

    value.__class__ = Spelled
    assert own.decode(own.encode(value)) == Plain(1, "spelled")
    assert own.decode(data) == Plain(1, "s")


@dataclass
class Initial:
    """Its annotations are strings."""

    x: int
    start: InitVar[int] = 5

    def __post_init__(self, start: int) -> None:
        self.x += start


def test_an_initvar_in_annotations_that_are_texts() -> None:
    with pytest.raises(pack.SamewireError, match="InitVar") as caught:
        pack.codec(Initial)
    assert caught.value.code == "unsupported"
