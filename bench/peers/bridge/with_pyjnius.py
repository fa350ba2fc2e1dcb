"""pyjnius: a JVM within Python's process, called through JNI from Cython."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jnius_config

from bench.peers.bridge import java, tasks
from bench.peers.bridge.peer import DOUBLES, ITEM, SOME, TARGET, Bridge, Row
from bench.peers.bridge.values import Item


class Pyjnius(Bridge):
    """Arrays and lists are converted from and to Python's lists by itself."""

    def __init__(self) -> None:
        jnius_config.set_classpath(str(java.CLASSES))
        import jnius

        self.jnius, self.failed = jnius, jnius.JavaException
        self.target, self.item, self.new_list = (jnius.autoclass(name) for name in (TARGET, ITEM, "java.util.ArrayList"))

    def static(self, name: str) -> Callable[..., Any]:
        found: Callable[..., Any] = getattr(self.target, name)
        return found

    def make(self, value: int) -> Any:
        return self.target(value)

    def function(self, function: Callable[[int], int]) -> Any:
        base, java_method = self.jnius.PythonJavaClass, self.jnius.java_method

        class Proxy(base):  # type: ignore[valid-type, misc]
            __javainterfaces__ = ("java/util/function/IntUnaryOperator",)
            __javacontext__ = "app"

            @java_method("(I)I")  # type: ignore[untyped-decorator]
            def applyAsInt(self, value: int) -> int:  # noqa: N802
                return function(value)

        return Proxy()

    def give(self, count: int) -> Any:
        return self.target.give(count).tostring()

    def takeList(self, ints: list[int]) -> Any:  # noqa: N802
        found = self.new_list(len(ints))
        for value in ints:
            found.add(value)
        return self.target.takeList(found)

    def giveList(self, count: int) -> list[Any]:  # noqa: N802
        return list(self.target.giveList(count))

    def takeItems(self, items: list[Item]) -> Any:  # noqa: N802
        found, make = self.new_list(len(items)), self.item
        for item in items:
            found.add(make(item.id, item.name, item.price))
        return self.target.takeItems(found)


CARRIED = [name for name in SOME if name not in {DOUBLES, "to-1GiB"}]
ROWS = {
    "pyjnius": Row("pyjnius", "in-process", "each call's types", CARRIED, lambda workload: tasks.task(workload, Pyjnius)),
}
