"""The same three records as each kind of class that Python programs use, and shapes built of them."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import GenericAlias
from typing import Any

from bench.peers.python.forms.numbers import Int32


def same(text: str) -> str:
    """The text itself: for values whose texts are used again and again."""
    return text


def fresh(text: str) -> str:
    """An equal text that is a new object, without cached hash or cached encoding."""
    return (text + "\0")[:-1]


class Form:
    """One kind of class: ``slots``, ``plain``, ``named``, ``struct``, ``tracked`` or ``fory``."""

    def __init__(self, name: str) -> None:
        module = import_module(f"bench.peers.python.forms.{name}")
        self.event, self.book, self.node = module.Event, module.Book, module.Node
        self.classes: tuple[type, ...] = (self.event, self.book, self.node)

    def type_of(self, shape: str) -> Any:
        """The type to compile a codec from; its ints are 32 bits wide where a format cares."""
        return {
            "event": self.event,
            "ints": list[Int32],
            "doubles": list[float],
            "map": dict[str, Int32],
            "tree": self.node,
        }.get(shape, list[str] if "trings" in shape else GenericAlias(list, (self.book,)))

    def build(self, shape: str, value: Any, text: Callable[[str], str] = same) -> Any:
        """``value``, a neutral value of ``shape``, in this form; every text passes through ``text``."""
        match shape:
            case "event":
                return self.event(*value)
            case "ints" | "doubles":
                return value
            case "strings" | "uniqueStrings":
                return [text(item) for item in value]
            case "map":
                return {text(key): number for key, number in value.items()}
            case "tree":
                return self._node(value, text)
        return [self.book(*map(text, texts), year) for *texts, year in value]

    def renewed(self, shape: str, value: Any) -> Any:
        """The same with texts that are new objects."""
        return self.build(shape, value, fresh)

    def _node(self, value: Any, text: Callable[[str], str]) -> Any:
        name, color, children = value
        return self.node(text(name), text(color), [self._node(child, text) for child in children])
