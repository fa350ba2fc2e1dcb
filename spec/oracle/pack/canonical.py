"""Canonical schema text and its digest (pack.md sections 2 and 3)."""

from __future__ import annotations

from spec.oracle.core.errors import SamewireError
from spec.oracle.pack import sizes
from spec.oracle.pack.schema import (
    Enum,
    List,
    Map,
    Option,
    Ref,
    Scalar,
    Set,
    Struct,
    Tuple,
    Type,
    Union,
    name_text,
    utf16_order,
)


def canonical(t: Type) -> str:
    """Returns the one canonical text of a type.

    Raises `limit_depth` at 0 if members in canonical order nest too deep to be read, `limit_size` at 0 if it is too long.
    """
    text = _text(t, set(), 0)
    if len(text.encode("utf-8")) > sizes.SCHEMA_BYTES:
        raise SamewireError("limit_size", 0, None, "the canonical text is over 1 MiB: divide it into several schemas")
    return text


def annotated(t: Type) -> str:
    """Returns the canonical text with the annotations of a reader's type (section 2), which no digest covers."""
    return _text(t, set(), 0, annotations=True)


def digest(text: str) -> bytes:
    """Returns the 64-bit FNV-1a hash of the canonical text, as 8 bytes big-endian."""
    value = 0xCBF29CE484222325
    for byte in text.encode("utf-8"):
        value = (value ^ byte) * 0x100000001B3 % (1 << 64)
    return value.to_bytes(8, "big")


def _text(t: Type, defined: set[str], depth: int, annotations: bool = False) -> str:
    if isinstance(t, Struct | Enum) and t.name in defined:
        return name_text(t.name)
    if not isinstance(t, Scalar):
        depth += 1
    if depth > sizes.SCHEMA_DEPTH:
        raise SamewireError(
            "limit_depth", 0, None, "the canonical text is nested more than 64 deep: nest fewer, or use any for the inner types"
        )

    def inner_text(inner: Type) -> str:
        return _text(inner, defined, depth, annotations)

    def known(aliases: list[str]) -> str:
        return f" @alias({', '.join(map(name_text, aliases))})" if annotations and aliases else ""

    match t:
        case Scalar():
            return t.name
        case Option():
            return f"option<{inner_text(t.item)}>"
        case List():
            return f"list<{inner_text(t.item)}>"
        case Set():
            return f"set<{inner_text(t.item)}>"
        case Ref():
            return f"ref<{inner_text(t.item)}>"
        case Map():
            return f"map<{inner_text(t.key)}, {inner_text(t.value)}>"
        case Tuple():
            return f"tuple<{', '.join([inner_text(item) for item in t.items])}>"
        case Union():
            fallback = t.fallback if annotations else None
            members = [f"{inner_text(member)}{' @fallback' if member.name == fallback else ''}" for member in t.structs()]
            return f"union {{ {', '.join(members)} }}"
        case Enum():
            defined.add(t.name)
            fallback = t.fallback if annotations else None
            symbols = [
                f"{name_text(symbol)}{' @fallback' if symbol == fallback else ''}"
                for symbol in sorted(t.symbols, key=utf16_order)
            ]
            return f"enum {name_text(t.name)}{known(t.aliases)} {{ {', '.join(symbols)} }}"
        case Struct():
            defined.add(t.name)
            fields = []
            for name, inner in t.fields:
                default = " @default" if annotations and name in t.defaulted else ""
                fields.append(f"{name_text(name)}: {inner_text(inner)}{default}{known(t.field_aliases.get(name, []))}")
            body = f"{{ {', '.join(fields)} }}" if fields else "{}"
            return f"struct {name_text(t.name)}{known(t.aliases)} {body}"
