"""Hooks (code that classes define beside their fields): when they run, and that they may use the codec itself."""

from __future__ import annotations

import gc
import subprocess
import sys
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


#: Hooks that call the codec that calls them, until the stack of the thread ends; stacks of several sizes.
ENDLESS = """
import sys, threading
from dataclasses import dataclass
from samewire import pack

sys.setrecursionlimit(10**6)


@dataclass
class Hook:
    x: int

    def __post_init__(self):
        if endless:
            own.decode(data)


class Property(Hook):
    @property
    def x(self):
        return len(own.encode(self))

    @x.setter
    def x(self, value):
        pass


endless = False
own = pack.codec(Hook)
data = own.encode(Hook(1))
value = Property(1)
endless = True


def work():
    for call in (lambda: own.decode(data), lambda: own.encode(value)):
        try:
            call()
        except RecursionError:
            ended.append(size)


ended = []
for size in (1 << 16 if sys.version_info >= (3, 14) else 1 << 15, 1 << 18, 1 << 20, 8 << 20):
    threading.stack_size(size)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
work()
print(len(ended))
"""


def test_hooks_that_call_codecs_without_end_do_not_exhaust_the_stack() -> None:
    done = subprocess.run([sys.executable, "-c", ENDLESS], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "10\n"), done.stderr


#: Values nested as deep as a thread's stack allows, under a larger limit.
BOLD = """
import threading
from dataclasses import dataclass
from samewire import pack


@dataclass
class Link:
    next: "Link | None"


def work():
    global done
    bold = pack.codec(Link, limits=pack.Limits(depth=10**6))
    value = None
    for _ in range(100_000):
        value = Link(value)
    for call in (lambda: bold.encode(value), lambda: bold.decode(b"\\x80" + b"\\x01" * 100_000 + b"\\x00")):
        try:
            call()
        except pack.SamewireError as error:
            done += error.code == "limit_depth"
    while value is not None:
        value = value.next


done = 0
for size in (1 << 17, 1 << 20):
    threading.stack_size(size)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
print(done)
"""


def test_values_are_as_deep_as_a_threads_stack_holds() -> None:
    done = subprocess.run([sys.executable, "-c", BOLD], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "4\n"), done.stderr
