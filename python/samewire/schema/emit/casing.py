"""Words of a name, and the ways languages join them. Everything made here is ASCII and starts with a letter."""

from __future__ import annotations

import re
import unicodedata

#: Longest identifier made from a name: class files carry it in their file names.
MAX_LENGTH = 60

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def words(name: str) -> list[str]:
    """The words of `name`; letters lose their accents, other letters and lone signs become `u` and their code point."""
    plain = []
    for character in unicodedata.normalize("NFKD", name):
        if character.isascii():
            plain.append(character)
        elif unicodedata.category(character)[0] in "LN":
            plain.append(f" u{ord(character):x} ")
        elif not unicodedata.combining(character):
            plain.append(" ")
    text = "".join(plain)
    # Adjacent letters and digits stay together: `mp3`, `u65e5`.
    found: list[str] = []
    end = -1
    for match in _WORD.finditer(text):
        joins = match.start() == end and (match[0][0].isdigit() or (text[end - 1].isdigit() and match[0].islower()))
        if joins and found:
            found[-1] += match[0]
        else:
            found.append(match[0])
        end = match.end()
    return found or [f"u{ord(character):x}" for character in name[:8]]


def _joined(name: str, first: str, rest: str, between: str) -> str:
    """first, rest: method of str for the first word and the others."""
    parts = [getattr(word, rest if index else first)() for index, word in enumerate(words(name))]
    text = between.join(parts)
    if text[0].isdigit():
        text = getattr("n", first)() + text
    return text[:MAX_LENGTH].rstrip("_")


def snake(name: str) -> str:
    """`release_date`"""
    return _joined(name, "lower", "lower", "_")


def upper(name: str) -> str:
    """`RELEASE_DATE`"""
    return _joined(name, "upper", "upper", "_")


def camel(name: str) -> str:
    """`releaseDate`"""
    return _joined(name, "lower", "capitalize", "")


def pascal(name: str) -> str:
    """`ReleaseDate`"""
    return _joined(name, "capitalize", "capitalize", "")
