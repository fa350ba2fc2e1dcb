"""`Client.cluster([...])` and `Client.sentinel([...], service)`, which on an instance are the commands CLUSTER and SENTINEL."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar, overload

from .exceptions import DataError
from .topology import Node

M = TypeVar("M")

#: An address: "host:port", "host", (host, port) or a node.
AddressT = str | tuple[str, int] | Node

CLUSTER_PORT = 6379
SENTINEL_PORT = 26379


class Factory(Generic[M]):
    """A method of a class that makes an object, and of its instances that sends a command.

    make: called with the class and the arguments.
    command: the command's name.
    """

    def __init__(self, make: Callable[..., M], command: str) -> None:
        self._make = make
        self._command = command
        self.__doc__ = make.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> Callable[..., M]: ...
    @overload
    def __get__(self, instance: Any, owner: type) -> Callable[..., Any]: ...
    def __get__(self, instance: Any, owner: type) -> Callable[..., Any]:
        if instance is None:
            return lambda *args, **kwargs: self._make(owner, *args, **kwargs)
        # redis-py's: `client.cluster("info")`.
        return lambda subcommand, *args: instance.execute_command(f"{self._command} {subcommand.upper()}", *args)


def addresses(nodes: Iterable[AddressT], port: int) -> list[tuple[str, int]]:
    """The hosts and ports of addresses, `port` where one has none."""
    if isinstance(nodes, str | bytes):
        raise DataError(f"expected a list of addresses, got {nodes!r}: pass [{nodes!r}]")
    found = []
    for node in nodes:
        if isinstance(node, Node):
            found.append((node.host, node.port))
        elif isinstance(node, str):
            host, colon, digits = node.rpartition(":")
            if colon and not digits.isdecimal():
                raise DataError(f"expected an address like 'host:6379', got {node!r}")
            found.append((host.strip("[]"), int(digits)) if colon else (node, port))
        else:
            found.append((node[0], int(node[1])))
    return found
