"""Reads wire forms: what a method sends behind its command, in the syntax of the commands' documentation.

WORD             a word in capitals, a number or a sign is sent as it is
name             the parameter
name:in_seconds  the parameter, converted by a function of `samewire.redis.commands.values`
name...          each item of the parameter
name,args...     each item of `name`, which may also be a single one, then of `args`
name{}...        each key and each value of a mapping
#name            the number of items
[A a]            sent if the parameter is given: if it is not None, or if it is true where its default is False.
                 A parameter whose default is False is not sent itself.
[A a | B b]      at most one of them; more is an error
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Word:
    """Sent as it is."""

    text: str


@dataclass(frozen=True)
class Value:
    """A parameter. `form` is "one", "each", "list" (a list or its items as arguments), "mapping" or "count"."""

    name: str
    form: str = "one"
    convert: str | None = None
    rest: str | None = None
    flag: bool = False


@dataclass(frozen=True)
class Optional:
    """Choices, of which one at most is sent."""

    choices: tuple[tuple[Word | Value, ...], ...]


Piece = Word | Value | Optional

NAME = re.compile(r"(#?)([a-z_][a-z0-9_]*)(?:,([a-z_]*))?(\{\})?(?::([a-z_]+))?(\.\.\.|\?)?")


def atom(text: str) -> Word | Value:
    """One word of a wire form outside brackets."""
    found = NAME.fullmatch(text)
    if not found:
        return Word(text.strip('"'))
    count, name, rest, mapping, convert, end = found.groups()
    if count:
        return Value(name, "count")
    if mapping:
        return Value(name, "mapping")
    if rest is not None:
        return Value(name, "list", convert, rest or None)
    return Value(name, "each" if end == "..." else "one", convert, flag=end == "?")


def parse(text: str) -> list[Piece]:
    """The pieces of a wire form."""
    pieces: list[Piece] = []
    tokens = re.findall(r"\[|\]|[^\s\[\]]+", text)
    while tokens:
        token = tokens.pop(0)
        if token != "[":
            pieces.append(atom(token))
            continue
        inner = []
        while (token := tokens.pop(0)) != "]":
            inner.append(token)
        choices: list[list[Word | Value]] = [[]]
        for token in inner:
            if token == "|":
                choices.append([])
            else:
                choices[-1].append(atom(token))
        pieces.append(Optional(tuple(tuple(choice) for choice in choices)))
    return pieces
