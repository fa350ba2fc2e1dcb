"""Gateways and proxies that are used where they cannot be: coded errors, at once, that say what to do."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from samewire import bridge

_FOREIGN = "misuse: an argument is an object of another session: pass its value, or make it in this one"


@dataclass
class Unknown:
    number: int


class Kept:
    """A gateway, and what a program may keep of it."""

    def __init__(self, gateway: bridge.Gateway) -> None:
        self.gateway = gateway
        java = gateway.java
        self.list = java.util.ArrayList([1])
        self.other = java.util.ArrayList([1])
        self.map = java.util.HashMap({"a": 1})
        self.array = gateway.new_array("int", 3)
        self.iterator = iter(self.list)
        self.add = self.list.add
        self.math = java.lang.Math
        self.math.abs(-1)
        with pytest.raises(bridge.JavaError) as caught:
            java.util.ArrayList(-1)
        self.error: Any = caught.value
        asyncio.run(self.awaited())

    async def awaited(self) -> Any:
        return await self.gateway.aio.java.lang.Math.abs(-1)

    def uses(self) -> dict[str, Callable[[], object]]:
        """Everything that has to ask the JVM."""
        return {
            "method": lambda: self.list.size(),
            "bound method": lambda: self.add(2),
            "len": lambda: len(self.list),
            "list": lambda: list(self.list),
            "next": lambda: [next(self.iterator), next(self.iterator)],
            "==": lambda: self.list == self.other,
            "hash": lambda: hash(self.list),
            "bool": lambda: bool(self.list),
            "in": lambda: 1 in self.list,
            "str": lambda: str(self.map),
            "index": lambda: self.array[0],
            "slice": lambda: self.list[:1],
            "to_py": lambda: self.list.to_py(),
            "static method": lambda: self.math.abs(-2),
            "constructor": lambda: self.gateway.java.util.ArrayList(),
            "class": lambda: self.gateway.java.util.TreeMap,
            "names": lambda: dir(self.gateway.java.util),
            "exception": lambda: self.error.java.getMessage(),
            "interface": lambda: self.gateway.implement(lambda: 1, "java.lang.Runnable").run(),
            "array": lambda: self.gateway.new_array("int", 1),
            "reference": lambda: self.gateway.reference(1),
            "entry point": lambda: self.gateway.entry_point,
            "asyncio": lambda: asyncio.run(self.awaited()),
        }


def wrong(uses: dict[str, Callable[[], object]], text: str) -> list[str]:
    """What does not raise such an error, or not at once."""
    found = []
    for name, use in uses.items():
        began = time.monotonic()
        try:
            use()
        except bridge.SamewireError as error:
            if not str(error).startswith(text) or time.monotonic() - began > 2:
                found.append(f"{name}: {error}, after {time.monotonic() - began:.1f} s")
        except BaseException as error:
            found.append(f"{name}: {error!r}")
        else:
            found.append(f"{name}: nothing")
    return found


def test_what_is_left_of_a_closed_gateway_raises_closed() -> None:
    with bridge.launch() as gateway:
        kept = Kept(gateway)
    assert wrong(kept.uses(), "closed: ") == []
    # What needs no answer goes on.
    assert repr(kept.list) == "<java.util.ArrayList (closed)>"
    assert str(kept.error) == "Illegal Capacity: -1"
    assert "closed" in repr(gateway)
    gateway.close()


def test_a_proxy_after_a_fork_raises_misuse_and_the_parent_s_goes_on() -> None:
    with bridge.launch() as gateway:
        kept = Kept(gateway)
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                signal.alarm(30)
                found = wrong(kept.uses(), "misuse: the ")
                os.write(writer, ("\n".join(found) or "none").encode())
                os.write(writer, b"\n" + repr(kept.list).encode())
                gateway.close()
            finally:
                os._exit(0)
        os.close(writer)
        with os.fdopen(reader) as said:
            assert said.read() == "none\n<java.util.ArrayList (misuse)>"
        assert os.waitpid(pid, 0)[1] == 0
        assert kept.list.size() == 1
        assert asyncio.run(kept.awaited()) == 1


def test_an_object_of_another_gateway_is_refused_and_both_go_on(gateway: bridge.Gateway) -> None:
    with bridge.launch() as other:
        theirs = other.java.util.ArrayList([1])
        ours = gateway.java.util.ArrayList()
        uses: dict[str, Callable[[], object]] = {
            "argument": lambda: ours.addAll(theirs),
            "element": lambda: gateway.java.util.ArrayList([theirs]),
            "value": lambda: gateway.java.util.HashMap({"a": theirs}),
            "class": lambda: gateway.java.util.Objects.toString(other.java.util.ArrayList),
            "exception": lambda: gateway.java.lang.RuntimeException(other.java.lang.Exception("x")),
        }
        assert wrong(uses, _FOREIGN) == []
        assert theirs.size() == 1
        assert ours.addAll(theirs.to_py())
        assert ours == [1]


def test_a_dataclass_that_is_no_record_of_the_gateway_s_is_a_map(gateway: bridge.Gateway) -> None:
    assert gateway.java.util.Objects.toString(Unknown(1)) == "{number=1}"


def test_a_record_of_an_unknown_class_is_said(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(bridge.SamewireError, match=r"closed: java ended with exit code 1.*no\.such\.Record"):
        bridge.launch(records={Unknown: "no.such.Record"})
    assert "misuse: there is no class no.such.Record for a record: check its name" in capfd.readouterr().err


def test_names_for_asyncio_serve_one_loop_after_the_other_and_loops_of_threads(gateway: bridge.Gateway) -> None:
    math = gateway.aio.java.lang.Math
    made: list[Any] = []

    async def make() -> None:
        made.append(math.abs(-3))

    async def use() -> Any:
        return await made[0]

    asyncio.run(make())
    assert asyncio.run(use()) == 3

    async def both() -> list[Any]:
        async def call() -> Any:
            return await math.abs(-4)

        return list(await asyncio.gather(asyncio.to_thread(lambda: asyncio.run(call())), call()))

    assert asyncio.run(both()) == [4, 4]
