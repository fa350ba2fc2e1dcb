"""JPype: a JVM within Python's process, called through JNI."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jpype
import numpy
from jpype import JArray, JClass, JImplements, JOverride

from bench.peers.bridge import java, tasks
from bench.peers.bridge.peer import BATCHES, FAILURE, IDLE, ITEM, PLACES, TARGET, WORKLOADS, Bridge, Row
from bench.peers.bridge.values import Item


class JPype(Bridge):
    """Texts stay Java's until they are asked for, as its guide recommends."""

    def __init__(self) -> None:
        jpype.startJVM(classpath=[str(java.CLASSES)], convertStrings=False)
        self.target, self.item, self.failed = JClass(TARGET), JClass(ITEM), JClass(FAILURE)
        self.ints, self.new_list = JArray(jpype.JInt), JClass("java.util.ArrayList")
        self.stream, self.to_list = JClass("java.util.Arrays").stream, JClass("java.util.stream.Collectors").toList

    def static(self, name: str) -> Callable[..., Any]:
        found: Callable[..., Any] = getattr(self.target, name)
        return found

    def make(self, value: int) -> Any:
        return self.target(value)

    def function(self, function: Callable[[int], int]) -> Any:
        @JImplements("java.util.function.IntUnaryOperator")
        class Proxy:
            @JOverride  # type: ignore[untyped-decorator]
            def applyAsInt(self, value: int) -> int:  # noqa: N802
                return function(value)

        return Proxy()

    def give(self, count: int) -> bytes:
        return bytes(self.target.give(count))

    def takeInts(self, ints: list[int]) -> Any:  # noqa: N802
        return self.target.takeInts(self.ints(ints))

    def giveInts(self, count: int) -> Any:  # noqa: N802
        return numpy.asarray(self.target.giveInts(count)).tolist()

    def takeList(self, ints: list[int]) -> Any:  # noqa: N802
        return self.target.takeList(self.stream(self.ints(ints)).boxed().collect(self.to_list()))

    def giveList(self, count: int) -> list[int]:  # noqa: N802
        return list(self.target.giveList(count))

    def takeDoubles(self, array: Any) -> Any:  # noqa: N802
        return self.target.takeDoubles(JArray.of(array))

    def takeItems(self, items: list[Item]) -> Any:  # noqa: N802
        found, make = self.new_list(), self.item
        for item in items:
            found.add(make(item.id, item.name, item.price))
        return self.target.takeItems(found)


CARRIED = [name for name in WORKLOADS if name not in {*BATCHES, *PLACES, IDLE}]
ROWS = {
    "jpype": Row("jpype1", "in-process", "each call's types", CARRIED, lambda workload: tasks.task(workload, JPype)),
}
