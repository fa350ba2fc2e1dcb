"""Schema to Python: frozen dataclasses with slots, and enums."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Collection
from dataclasses import dataclass

from samewire.pack.schema import (
    Enum,
    List,
    Map,
    Named,
    Option,
    Ref,
    Scalar,
    Schema,
    Set,
    Struct,
    Tuple,
    Type,
    Union,
)

from .naming import PASCAL, SNAKE, Idiom, Idioms, pascal, snake, upper
from .type_names import TypeNames
from .zeros import Zero, zero

_HIDDEN = frozenset(("bool", "bytes", "dict", "dt", "float", "int", "list", "pack", "set", "str", "tuple"))
_MEMBER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_MODULE = frozenset(("Annotated", "Any", "Decimal", "Enum", "Root", "UUID", "dataclass", "dt", "pack"))
IDIOMS = Idioms(
    types=Idiom(PASCAL, pascal, frozenset((*keyword.kwlist, *dir(builtins), *_MODULE))),
    # A field with the name of a built-in type would shadow the type in later annotations. A dataclass would take
    # `type.mro` as the default of a field of that name.
    fields=Idiom(SNAKE, snake, frozenset((*keyword.kwlist, *_HIDDEN, "mro"))),
    symbols=Idiom(_MEMBER, upper, frozenset((*keyword.kwlist, "mro", "name", "value"))),
)

_SCALARS = {
    "bool": "bool",
    "i64": "int",
    "f64": "float",
    "string": "str",
    "bytes": "bytes",
    "any": "Any",
    "decimal": "Decimal",
    "uuid": "UUID",
    "date": "dt.date",
    "time": "dt.time",
    "timestamp": "dt.datetime",
    "duration": "dt.timedelta",
}


@dataclass(frozen=True)
class Style:
    """The form of structs: the decorator's line, if any, the text after the class's name, and the import."""

    decorator: str
    base: str
    imported: str


DATACLASS = Style("@dataclass(slots=True, frozen=True)", "", "from dataclasses import dataclass")


class _Emitter:
    def __init__(self, schema: Schema, style: Style, fine: Collection[tuple[str, str]]) -> None:
        self.names = TypeNames(schema, IDIOMS)
        self.style = style
        self.fine = fine
        self.nanoseconds = ("", "") in fine  # of the field that is being written
        self.used: set[str] = set()

    def use(self, name: str) -> str:
        self.used.add(name.partition(".")[0])
        return name

    def annotated(self, text: str, mark: str) -> str:
        return f"{self.use('Annotated')}[{text}, {self.use('pack')}.{mark}]"

    def member(self, member: Struct | Named, fallback: str | None) -> str:
        native = self.type(member)
        return self.annotated(native, "FALLBACK") if member.name == fallback else native

    def type(self, node: Type) -> str:
        match node:
            case Scalar("time" | "timestamp" | "duration" as kind) if self.nanoseconds:
                return self.annotated("int", kind.upper())
            case Scalar(kind) if kind in _SCALARS:
                return self.use(_SCALARS[kind])
            case Scalar("f32"):
                return self.annotated("float", "F32")
            case Scalar(kind):
                return self.annotated("int", kind.upper())
            case Named(name):
                return self.names.types[name]
            case Union(members, fallback) if len(members) == 1:
                return self.annotated(self.member(members[0], fallback), "UNION")
            case Union(members, fallback):
                return " | ".join(self.member(member, fallback) for member in members)
            case Option(item):
                return f"{self.type(item)} | None"
            case Tuple(items):
                return f"tuple[{', '.join(map(self.type, items))}]"
            case List(item):
                return f"list[{self.type(item)}]"
            case Set(item):
                return f"set[{self.type(item)}]"
            case Map(key, value):
                return f"dict[{self.type(key)}, {self.type(value)}]"
            case Ref(item):
                return self.annotated(self.type(item), "REF")
            case Struct() | Enum():
                raise AssertionError("flat types hold names only")

    def aliased(self, names: tuple[str, ...]) -> list[str]:
        """The decorator for other names of a type."""
        return [f"@{self.use('pack')}.aliased({', '.join(map(literal, names))})"] if names else []

    def mark(self, schema_name: str, native: str, symbols: dict[str, str]) -> list[str]:
        """The decorator for names that differ from the schema's."""
        given = [literal(schema_name)] if schema_name != native else []
        given += [f"{name}={literal(symbol)}" for symbol, name in symbols.items() if symbol != name]
        if not given:
            return []
        line = f"@{self.use('pack')}.named({', '.join(given)})"
        return [line] if len(line) <= 110 else ["@pack.named(", *(f"    {item}," for item in given), ")"]

    def struct(self, struct: Struct) -> str:
        native = self.names.types[struct.name]
        lines = self.mark(struct.name, native, {}) + self.aliased(struct.aliases)
        # Fields without a default may follow those with one, if all are keyword-only.
        named = any(zero(field) is not None for field in struct.fields)
        decorator = self.style.decorator
        base = self.style.base
        if named:
            decorator = decorator and f"{decorator[:-1]}, kw_only=True)"
            base = base and f"{base[:-1]}, kw_only=True)"
        lines += [decorator] if decorator else []
        lines.append(f"class {native}{base}:")
        for field in struct.fields:
            name = self.names.fields[struct.name][field.name]
            self.nanoseconds = (struct.name, field.name) in self.fine
            text = self.type(field.type)
            marks = [f"Name({literal(field.name)})"] if name != field.name else []
            marks += [f"Alias({', '.join(map(literal, field.aliases))})"] if field.aliases else []
            if marks:
                mark = ", pack.".join(marks)
                # One `Annotated` for both marks, where the type is annotated as a whole.
                whole = text.startswith("Annotated[") and isinstance(field.type, Scalar | Ref | Union)
                text = f"{text[:-1]}, pack.{mark}]" if whole else self.annotated(text, mark)
            made = zero(field)
            lines.append(f"    {name}: {text}" + ("" if made is None else f" = {self.zero(made)}"))
        return "\n".join(lines if struct.fields else [*lines, "    pass"])

    def zero(self, made: Zero) -> str:
        """The default of a field whose default is its type's zero."""
        if made in ("list", "set", "map"):
            module = "dataclasses" if self.style.decorator else "msgspec"
            return f"{self.use(module)}.field(default_factory={'dict' if made == 'map' else made})"
        return {"false": "False", "integer": "0", "float": "0.0", "text": '""', "bytes": 'b""'}[made]

    def enum(self, enum: Enum) -> str:
        native = self.names.types[enum.name]
        self.use("Enum")
        symbols = self.names.symbols[enum.name]
        lines = [*self.mark(enum.name, native, symbols), *self.aliased(enum.aliases)]
        if enum.fallback is not None:
            lines.append(f"@{self.use('pack')}.fallback({literal(symbols[enum.fallback])})")
        lines.append(f"class {native}(Enum):")
        return "\n".join([*lines, *(f"    {name} = {literal(symbol)}" for symbol, name in symbols.items())])

    def imports(self) -> str:
        groups = [
            ("dt", "import datetime as dt"),
            ("Decimal", "from decimal import Decimal"),
            ("Enum", "from enum import Enum"),
        ]
        lines = [line for name, line in groups if name in self.used]
        if "dataclasses" in self.used:
            lines.insert(0, "import dataclasses")
        if self.names.structs:
            lines.insert(1 if "dt" in self.used else 0, self.style.imported)
        if typing := sorted(self.used & {"Annotated", "Any"}):
            lines.append(f"from typing import {', '.join(typing)}")
        if "UUID" in self.used:
            lines.append("from uuid import UUID")
        if "pack" in self.used:
            lines += ["", "from samewire import pack"] if lines else ["from samewire import pack"]
        return "\n".join(lines)


def literal(text: str) -> str:
    """A Python string literal in double quotes, in ASCII."""
    out = []
    for character in text:
        point = ord(character)
        if character in '"\\':
            out.append("\\" + character)
        elif character.isascii() and character.isprintable():
            out.append(character)
        elif point < 0x100:
            out.append(f"\\x{point:02x}")
        else:
            out.append(f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}")
    return '"' + "".join(out) + '"'


def emit(schema: Schema, root: str = "Root", style: Style = DATACLASS, fine: Collection[tuple[str, str]] = frozenset()) -> str:
    """A Python module: definitions, and an alias called `root` for the whole.

    fine: the fields, as pairs of a struct's name and the field's, whose times are nanoseconds; `("", "")` is the root.
    """
    work = _Emitter(schema, style, fine)
    names = work.names
    outermost = work.type(names.root)
    items = [work.enum(enum) for enum in names.enums.values()]
    items += [work.struct(struct) for struct in names.structs.values()]
    alias = f"{root} = {outermost}"
    head = ['"""Types of a schema, and the schema\'s root."""', "from __future__ import annotations", work.imports()]
    return "\n\n".join(part for part in head if part) + "\n\n\n" + "\n\n\n".join([*items, alias]) + "\n"
