"""Decides whether the texts of a field are symbols of an enum, not names of things, identifiers or free text."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from ..emit.casing import words
from .observed import Observed

#: A set of texts is closed if it stayed as it was for the later half of the texts, and for so many of them, and so many a
#: symbol: then hardly one text in a hundred will be another.
KNOWN_TEXTS: Final = 200
KNOWN_TEXTS_A_SYMBOL: Final = 32
#: More symbols only if all are codes.
FEW_SYMBOLS: Final = 16
LONGEST_SYMBOL: Final = 40
MOST_WORDS: Final = 4
MOST_DIGITS: Final = 3
#: Letters, digits and single signs between words, a letter first; `A+` and `O-` are symbols, `a.example.com`, `/tmp` and `12 %`
#: are not.
_SYMBOL: Final = re.compile(r"[^\W\d_](?:[^\W_]| & |[ _'&/+-](?![ _'&/-]))*")
#: Countries, currencies, states, airports.
_CODE: Final = re.compile(r"[A-Z]{2,4}")
_DIGITS: Final = re.compile(r"[0-9]+")
#: Last words of the names of fields that identify a thing, or hold free text.
_NAMES_OF_THINGS: Final = frozenset(
    (
        *("id", "uuid", "guid", "key", "token", "hash", "sha", "version", "name", "surname", "title", "user", "username"),
        *("login", "email", "host", "hostname", "server", "machine", "node", "pod", "instance", "container", "domain"),
        *("ver", "release", "address", "ip", "url", "uri", "path", "file", "filename"),
        *("text", "message", "description", "comment", "note"),
    )
)


def names_things(field: str) -> bool:
    """Whether a field's name suggests that its texts are names, identifiers, versions or prose."""
    return words(field)[-1].lower() in _NAMES_OF_THINGS


def are_symbols(seen: Observed, field: str, most: int) -> bool:
    """Whether the texts at a place are the symbols of an enum. field: the place's name. most: symbols of an enum."""
    symbols = seen.distinct
    if symbols is None or not 2 <= len(symbols) <= most or names_things(field):
        return False
    known = max(KNOWN_TEXTS, KNOWN_TEXTS_A_SYMBOL * len(symbols), seen.texts // 2)
    if seen.known_since < known or 1 in symbols.values() or not all(map(_is_symbol, symbols)):
        return False
    return not _are_numbered(symbols) and (len(symbols) <= FEW_SYMBOLS or all(map(_CODE.fullmatch, symbols)))


def _is_symbol(text: str) -> bool:
    if len(text) > LONGEST_SYMBOL or _SYMBOL.fullmatch(text) is None:
        return False
    return text.count(" ") < MOST_WORDS and text.count("/") <= 1 and sum(map(str.isdigit, text)) <= MOST_DIGITS


def _are_numbered(texts: Collection[str]) -> bool:
    """Whether half of the texts or more differ from another in digits alone: `web-01`, `web-02`."""
    stems = [_DIGITS.sub("0", text) for text in texts]
    return 2 * sum(stems.count(stem) > 1 for stem in stems) >= len(stems)
