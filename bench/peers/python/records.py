"""Makes records of the dicts that untyped decoders give, as their users must."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bench.peers.python.peer import Workload


def maker(workload: Workload) -> Callable[[Any], Any] | None:
    """What makes a workload's value of plain data; None where plain data is the value."""
    if not workload.classes or workload.name in ("ints", "doubles", "strings", "uniqueStrings", "map"):
        return None
    event, book, node = workload.classes

    def tree(value: dict[str, Any]) -> Any:
        return node(value["name"], value["color"], [tree(child) for child in value["children"]])

    def books(value: list[dict[str, Any]]) -> list[Any]:
        return [book(**item) for item in value]

    if workload.name == "event":
        return lambda value: event(**value)
    return tree if workload.name == "tree" else books


def decoding(decode: Callable[[bytes], Any], workload: Workload) -> Callable[[bytes], Any]:
    """``decode``, and then the records."""
    make = maker(workload)
    return decode if make is None else lambda data: make(decode(data))
