"""Schema to Rust: structs and enums that derive `Pack`."""

from __future__ import annotations

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

from .naming import PASCAL, SNAKE, Idiom, Idioms, pascal, snake
from .type_names import TypeNames
from .zeros import zero

_KEYWORDS = frozenset(
    "abstract as async await become box break const continue crate do dyn else enum extern false final fn for gen if "
    "impl in let loop macro match mod move mut override priv pub ref return self Self static struct super trait true "
    "try type typeof union unsafe unsized use virtual where while yield".split()
)
_PRELUDE = frozenset(
    "Vec String Option Some None Result Ok Err Box Rc BTreeSet Root Pack Debug Clone Copy PartialEq Eq Hash PartialOrd "
    "Ord Default Drop Fn FnMut FnOnce Send Sync Sized Unpin Iterator IntoIterator Extend From Into TryFrom TryInto AsRef "
    "AsMut ToOwned ToString Any BigInt Bytes Date Decimal Duration Map Time Timestamp Uuid".split()
)
IDIOMS = Idioms(
    types=Idiom(PASCAL, pascal, _KEYWORDS | _PRELUDE),
    fields=Idiom(SNAKE, snake, _KEYWORDS),
    symbols=Idiom(PASCAL, pascal, _KEYWORDS | _PRELUDE),
)

_SCALARS = {
    **{kind: kind for kind in ("bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64")},
    "bigint": "BigInt",
    "decimal": "Decimal",
    "string": "String",
    "bytes": "Bytes",
    "uuid": "Uuid",
    "date": "Date",
    "time": "Time",
    "timestamp": "Timestamp",
    "duration": "Duration",
    "any": "Any",
}


@dataclass(frozen=True)
class Style:
    """The library for which definitions are written. The default is Samewire's own; the tour has another for its peers.

    derives: what structs and enums derive beyond Rust's own. rename: the attribute for a field or symbol of another
    name, `{}` being its literal. rename_types: whether types take it too. alias: the attribute for another name that a reader
    knows; empty if there is none. default: the attribute for a field whose default is
    its type's zero; empty if there is none. fallback: the attribute for the symbol that stands for unknown ones; empty if
    there is none. scalars: the type of each. map: the generic map.
    homes: the module of every name that is not in the prelude.
    """

    derives: tuple[str, ...]
    rename: str
    rename_types: bool
    scalars: dict[str, str]
    map: str
    homes: dict[str, str]
    default: str = ""
    alias: str = ""
    fallback: str = ""


_CRATE = ("BigInt", "Decimal", "Bytes", "Uuid", "Date", "Time", "Timestamp", "Duration", "Any", "Map", "Pack")
STANDARD_HOMES = {"Rc": "std::rc", "BTreeSet": "std::collections"}
PACK = Style(
    derives=("Pack",),
    rename="#[pack(name = {})]",
    rename_types=True,
    scalars=_SCALARS,
    map="Map",
    homes=STANDARD_HOMES | dict.fromkeys(_CRATE, "samewire_pack"),
    default="#[pack(default = Default::default())]",
    alias="#[pack(alias = {})]",
    fallback="#[pack(fallback)]",
)


def literal(text: str) -> str:
    """A Rust string literal."""
    out = []
    for character in text:
        if character in '"\\':
            out.append("\\" + character)
        elif character.isascii() and character.isprintable():
            out.append(character)
        else:
            out.append(f"\\u{{{ord(character):x}}}")
    return '"' + "".join(out) + '"'


class _Emitter:
    def __init__(self, schema: Schema, style: Style) -> None:
        self.names = TypeNames(schema, IDIOMS)
        self.style = style
        self.used: set[str] = set()

    def use(self, name: str) -> str:
        self.used.add(name)
        return name

    def type(self, node: Type, inside: str | None = None) -> str:
        """inside: the struct that holds a `node` by value; None behind a pointer."""
        match node:
            case Scalar(kind):
                return self.use(self.style.scalars[kind])
            case Named(name):
                return self._boxed(self.names.types[name], node, inside)
            case Union():
                return self._boxed(self.names.union_name(node), node, inside)
            case Option(item):
                return f"Option<{self.type(item, inside)}>"
            case Tuple(items):
                listed = ", ".join(self.type(item, inside) for item in items)
                return f"({listed},)" if len(items) == 1 else f"({listed})"
            case List(item):
                return f"Vec<{self.type(item)}>"
            case Set(item):
                return f"{self.use('BTreeSet')}<{self.type(item)}>"
            case Map(key, value):
                return f"{self.use(self.style.map)}<{self.type(key)}, {self.type(value)}>"
            case Ref(item):
                return f"{self.use('Rc')}<{self.type(item)}>"
            case Struct() | Enum():
                raise AssertionError("flat types hold names only")

    def _boxed(self, name: str, node: Type, inside: str | None) -> str:
        return f"Box<{name}>" if self.names.needs_box(inside, node) else name

    def aliases(self, names: tuple[str, ...]) -> list[str]:
        return [self.style.alias.format(literal(name)) for name in names] if self.style.alias else []

    def head(self, own: tuple[str, ...], name: str, native: str, aliases: tuple[str, ...] = ()) -> list[str]:
        derives = [*own, *(self.use(each) for each in self.style.derives)]
        lines = [f"#[derive({', '.join(derives)})]"]
        if name != native and self.style.rename_types:
            lines.append(self.style.rename.format(literal(name)))
        return lines + self.aliases(aliases)

    def struct(self, struct: Struct) -> str:
        native = self.names.types[struct.name]
        lines = self.head(("Clone", "Debug", "PartialEq"), struct.name, native, struct.aliases)
        if not struct.fields:
            return "\n".join([*lines, f"pub struct {native} {{}}"])
        lines.append(f"pub struct {native} {{")
        for field in struct.fields:
            name = self.names.fields[struct.name][field.name]
            if name != field.name:
                lines.append("    " + self.style.rename.format(literal(field.name)))
            lines += [f"    {line}" for line in self.aliases(field.aliases)]
            if zero(field) is not None and self.style.default:
                lines.append(f"    {self.style.default}")
            lines.append(f"    pub {name}: {self.type(field.type, struct.name)},")
        return "\n".join([*lines, "}"])

    def enum(self, enum: Enum) -> str:
        native = self.names.types[enum.name]
        own = ("Clone", "Copy", "Debug", "PartialEq", "Eq", "Hash", "PartialOrd", "Ord")
        lines = self.head(own, enum.name, native, enum.aliases)
        lines.append(f"pub enum {native} {{")
        for symbol, name in self.names.symbols[enum.name].items():
            if name != symbol:
                lines.append("    " + self.style.rename.format(literal(symbol)))
            if symbol == enum.fallback and self.style.fallback:
                lines.append(f"    {self.style.fallback}")
            lines.append(f"    {name},")
        return "\n".join([*lines, "}"])

    def union(self, node: Union) -> str:
        native = self.names.union_name(node)
        lines = [*self.head(("Clone", "Debug", "PartialEq"), native, native), f"pub enum {native} {{"]
        for member in node.members:
            if member.name == node.fallback and self.style.fallback:
                lines.append(f"    {self.style.fallback}")
            lines.append(f"    {self.type(member)}({self.type(member)}),")
        return "\n".join([*lines, "}"])

    def imports(self) -> list[str]:
        homes: dict[str, list[str]] = {}
        for name in sorted(self.used & self.style.homes.keys()):
            homes.setdefault(self.style.homes[name], []).append(name)
        return [
            f"use {home}::{names[0]};" if len(names) == 1 else f"use {home}::{{{', '.join(names)}}};"
            for home, names in sorted(homes.items())
        ]


def emit(schema: Schema, root: str = "Root", style: Style = PACK) -> str:
    """The items of a Rust module: definitions, and a type alias called `root` for the whole."""
    work = _Emitter(schema, style)
    names = work.names
    items = [work.struct(struct) for struct in names.structs.values()]
    items += [work.enum(enum) for enum in names.enums.values()]
    items += [work.union(union) for union in names.unions.values()]
    items.append(f"pub type {root} = {work.type(names.root)};")
    head = "\n".join(work.imports())
    return "\n\n".join([head, *items] if head else items) + "\n"
