"""Native names for schema names: legal, idiomatic, deterministic and without collisions."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from .casing import camel, pascal, snake, upper

PASCAL = re.compile(r"[A-Z][A-Za-z0-9]{0,59}")
CAMEL = re.compile(r"[a-z][A-Za-z0-9]{0,59}")
SNAKE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
UPPER = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*")


@dataclass(frozen=True)
class Idiom:
    """How a language writes one kind of name.

    pattern: names that stay as they are. convert: makes one that fits. reserved: words that cannot be used.
    """

    pattern: re.Pattern[str]
    convert: Callable[[str], str]
    reserved: Collection[str]

    def allot(self, names: Iterable[str]) -> dict[str, str]:
        """Distinct native names for distinct schema names. Names that fit are unchanged, in any order."""
        listed = list(names)
        native = {name: name for name in listed if len(name) <= 60 and self.pattern.fullmatch(name) and name not in self.reserved}
        taken = set(native.values())
        for name in listed:
            if name in native:
                continue
            base = self.convert(name)
            candidate = base if base not in self.reserved else base + "_"
            number = 2
            while candidate in taken or candidate in self.reserved:
                candidate = f"{base}_{number}" if self.convert in (snake, upper) else f"{base}{number}"
                number += 1
            native[name] = candidate
            taken.add(candidate)
        return {name: native[name] for name in listed}


@dataclass(frozen=True)
class Idioms:
    """The three kinds of names in one language."""

    types: Idiom
    fields: Idiom
    symbols: Idiom


__all__ = ["CAMEL", "PASCAL", "SNAKE", "UPPER", "Idiom", "Idioms", "camel", "pascal", "snake", "upper"]
