"""The words of schema text, and its spelling of names (spec/pack.md, section 2)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

INTEGERS: Final = ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64")
SCALARS: Final = (
    *("bool", *INTEGERS, "bigint", "f32", "f64", "decimal", "string", "bytes", "uuid"),
    *("date", "time", "timestamp", "duration", "any"),
)
KEYWORDS: Final = frozenset((*SCALARS, "option", "list", "set", "map", "tuple", "ref", "enum", "struct", "union"))
#: Scalars that may be a set's element or a map's key; enums may too.
KEY_SCALARS: Final = frozenset(("bool", *INTEGERS, "bigint", "string", "uuid", "date", "time", "timestamp", "duration"))


def utf16_order(name: str) -> bytes:
    """Sort key: ascending by UTF-16 code units."""
    return name.encode("utf-16-be", "surrogatepass")


def is_identifier(name: str) -> bool:
    """Whether `name` has the form of an identifier, as keywords also do."""
    return name.isascii() and name.isidentifier()


def quoted(name: str) -> str:
    """`name` in quotes, with the escapes of section 2."""
    pieces = []
    for character in name:
        if character in '"\\':
            pieces.append("\\" + character)
        elif character < " ":
            pieces.append(f"\\u{ord(character):04x}")
        else:
            pieces.append(character)
    return '"' + "".join(pieces) + '"'


def spelled(name: str) -> str:
    """`name` as schema text, quoted if it is not an identifier or is a word of the grammar."""
    return name if is_identifier(name) and name not in KEYWORDS else quoted(name)


def step(name: str) -> str:
    """A field as a step of a path (section 12): `.name` or `["name"]`."""
    return f".{name}" if is_identifier(name) else f"[{quoted(name)}]"


def alias(names: tuple[str, ...]) -> str:
    """The annotation of other names, with a space before it; nothing if there are none."""
    return f" @alias({', '.join(map(spelled, names))})" if names else ""


def listed(symbols: Iterable[str], fallback: str | None) -> list[str]:
    """The symbols of an enum as schema text, one of them with the annotation of a fallback."""
    return [spelled(symbol) + " @fallback" * (symbol == fallback) for symbol in symbols]
