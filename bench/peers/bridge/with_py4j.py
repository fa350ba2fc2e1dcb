"""Py4J: calls as text over TCP, to a JVM that it starts. Both modes: a gateway, and one thread of Java for each of Python's."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from py4j.clientserver import ClientServer, JavaParameters, PythonParameters
from py4j.java_collections import ListConverter
from py4j.java_gateway import GatewayParameters, JavaGateway, launch_gateway
from py4j.protocol import Py4JJavaError

from bench.peers.bridge import java, tasks
from bench.peers.bridge.peer import BATCHES, CONTAINERS, DOUBLES, ITEM, SOME, TARGET, WORKLOADS, Bridge, Row
from bench.peers.bridge.values import Item

LEFT_OUT = {*BATCHES, DOUBLES, "to-1GiB", "from-1GiB"}
"""It has no batches and no arrays in bulk, and its text of 1 GiB does not fit into Java's string."""


class Proxy:
    """A function as Py4J wants it: an object that names the interface."""

    def __init__(self, function: Callable[[int], int]) -> None:
        self.applyAsInt = function

    class Java:
        """What is implemented."""

        implements = ["java.util.function.IntUnaryOperator"]  # noqa: RUF012


class Py4J(Bridge):
    """What both modes do alike."""

    failed = Py4JJavaError
    records = 1_000

    def __init__(self, gateway: Any, process: Any) -> None:
        self.gateway, self.process = gateway, process
        self.others = (process.pid,)
        self.target, self.item = (functools.reduce(getattr, name.split("."), gateway.jvm) for name in (TARGET, ITEM))

    def static(self, name: str) -> Callable[..., Any]:
        found: Callable[..., Any] = getattr(self.target, name)
        return found

    def make(self, value: int) -> Any:
        return self.target(value)

    def _list(self, some: list[Any]) -> Any:
        return ListConverter().convert(some, self.gateway._gateway_client)

    def takeInts(self, ints: list[int]) -> Any:  # noqa: N802
        array = self.gateway.new_array(self.gateway.jvm.int, len(ints))
        for index, value in enumerate(ints):
            array[index] = value
        return self.target.takeInts(array)

    def giveInts(self, count: int) -> list[int]:  # noqa: N802
        return list(self.target.giveInts(count))

    def takeList(self, ints: list[int]) -> Any:  # noqa: N802
        return self.target.takeList(self._list(ints))

    def giveList(self, count: int) -> list[int]:  # noqa: N802
        return list(self.target.giveList(count))

    def takeItems(self, items: list[Item]) -> Any:  # noqa: N802
        return self.target.takeItems(self._list([self.item(item.id, item.name, item.price) for item in items]))

    def close(self) -> None:
        self.gateway.shutdown()
        java.ended(self.process)


class Gateway(Py4J):
    """`JavaGateway`: any thread of Java answers."""

    def __init__(self) -> None:
        port, process = launch_gateway(classpath=str(java.CLASSES), die_on_exit=True, return_proc=True)
        super().__init__(JavaGateway(gateway_parameters=GatewayParameters(port=port, auto_field=True)), process)

    def function(self, function: Callable[[int], int]) -> Any:
        self.gateway.start_callback_server()
        server = self.gateway.get_callback_server()
        client = self.gateway.java_gateway_server.getCallbackClient()
        self.gateway.java_gateway_server.resetCallbackClient(client.getAddress(), server.get_listening_port())
        return Proxy(function)


class PinnedThreads(Py4J):
    """`ClientServer`, as PySpark uses it."""

    def __init__(self) -> None:
        process = java.started("ClientServerMain", path=java.libraries())
        parameters = JavaParameters(port=int(java.said(process)), auto_field=True)
        super().__init__(ClientServer(parameters, PythonParameters(port=0)), process)

    def function(self, function: Callable[[int], int]) -> Any:
        server = self.gateway.get_callback_server()
        client = self.gateway.java_gateway_server.getCallbackClient()
        self.gateway.java_gateway_server.resetCallbackClient(client.getAddress(), server.get_listening_port())
        return Proxy(function)


CHECKS = "each call's types, by reflection"
CARRIED = [name for name in WORKLOADS if name not in LEFT_OUT]
PINNED = [name for name in CARRIED if name in SOME and name not in CONTAINERS]
ROWS = {
    "py4j": Row("py4j", "process", CHECKS, CARRIED, lambda workload: tasks.task(workload, Gateway)),
    "py4j-clientserver": Row("py4j", "process", CHECKS, PINNED, lambda workload: tasks.task(workload, PinnedThreads)),
}
