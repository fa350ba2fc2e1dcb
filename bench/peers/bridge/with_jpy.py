"""jpy: a JVM within Python's process, called through JNI. It passes Python objects where Java wants them only in Java's own types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jpyutil
import numpy

from bench.peers.bridge import java, tasks
from bench.peers.bridge.peer import CALLBACKS, ITEM, SOME, TARGET, Bridge, Row
from bench.peers.bridge.values import Item


class Jpy(Bridge):
    """Java's methods are attributes of its types."""

    failed = RuntimeError

    def __init__(self) -> None:
        jpyutil.init_jvm(java_home=str(java.home()), jvm_classpath=[str(java.CLASSES)])
        import jpy

        self.jpy = jpy
        self.stream, self.to_list = jpy.get_type("java.util.Arrays").stream, jpy.get_type("java.util.stream.Collectors").toList
        self.target, self.item, self.new_list = (jpy.get_type(name) for name in (TARGET, ITEM, "java.util.ArrayList"))

    def static(self, name: str) -> Callable[..., Any]:
        found: Callable[..., Any] = getattr(self.target, name)
        return found

    def make(self, value: int) -> Any:
        return self.target(value)

    def give(self, count: int) -> bytes:
        return bytes(self.target.give(count))

    def takeInts(self, ints: list[int]) -> Any:  # noqa: N802
        return self.target.takeInts(self.jpy.array("int", ints))

    def giveInts(self, count: int) -> Any:  # noqa: N802
        return numpy.asarray(self.target.giveInts(count)).tolist()

    def takeList(self, ints: list[int]) -> Any:  # noqa: N802
        return self.target.takeList(self.stream(self.jpy.array("int", ints)).boxed().collect(self.to_list()))

    def giveList(self, count: int) -> list[Any]:  # noqa: N802
        return list(self.target.giveList(count).toArray())

    def takeDoubles(self, array: Any) -> Any:  # noqa: N802
        return self.target.takeDoubles(self.jpy.array("double", array))

    def takeItems(self, items: list[Item]) -> Any:  # noqa: N802
        found, make = self.new_list(len(items)), self.item
        for item in items:
            found.add(make(item.id, item.name, item.price))
        return self.target.takeItems(found)


CARRIED = [name for name in SOME if name not in CALLBACKS]
ROWS = {"jpy": Row("jpy", "in-process", "each call's types", CARRIED, lambda workload: tasks.task(workload, Jpy))}
