"""Canonical schema text and its digest (pack.md sections 2 and 3)."""

from __future__ import annotations

from spec.oracle.schema import (
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
    """The one canonical text of a type."""
    return _text(t, set())


def digest(text: str) -> bytes:
    """FNV-1a, 64 bits, of the canonical text; 8 bytes, big-endian."""
    value = 0xCBF29CE484222325
    for byte in text.encode("utf-8"):
        value = (value ^ byte) * 0x100000001B3 % (1 << 64)
    return value.to_bytes(8, "big")


def _text(t: Type, defined: set[str]) -> str:
    match t:
        case Scalar():
            return t.name
        case Option():
            return f"option<{_text(t.item, defined)}>"
        case List():
            return f"list<{_text(t.item, defined)}>"
        case Set():
            return f"set<{_text(t.item, defined)}>"
        case Ref():
            return f"ref<{_text(t.item, defined)}>"
        case Map():
            return f"map<{_text(t.key, defined)}, {_text(t.value, defined)}>"
        case Tuple():
            return f"tuple<{', '.join([_text(item, defined) for item in t.items])}>"
        case Union():
            return f"union {{ {', '.join([_text(member, defined) for member in t.structs()])} }}"
        case Enum():
            if t.name in defined:
                return name_text(t.name)
            defined.add(t.name)
            symbols = [name_text(symbol) for symbol in sorted(t.symbols, key=utf16_order)]
            return f"enum {name_text(t.name)} {{ {', '.join(symbols)} }}"
        case Struct():
            if t.name in defined:
                return name_text(t.name)
            defined.add(t.name)
            fields = [f"{name_text(name)}: {_text(inner, defined)}" for name, inner in t.fields]
            body = f"{{ {', '.join(fields)} }}" if fields else "{}"
            return f"struct {name_text(t.name)} {body}"
