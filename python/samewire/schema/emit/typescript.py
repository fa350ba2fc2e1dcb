"""Schema to TypeScript: calls of the builder, and the types inferred from them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator

from samewire.pack.names import is_identifier
from samewire.pack.schema import (
    Enum,
    Field,
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

from .naming import PASCAL, Idiom, Idioms, pascal
from .type_names import TypeNames, components, parts
from .zeros import Zero, zero

#: Words that cannot be names of variables.
RESERVED_WORDS = frozenset(
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends "
    "false finally for function if implements import in instanceof interface let new null package private protected "
    "public return static super switch this throw true try typeof undefined var void while with yield".split()
)
_RESERVED = frozenset(
    "Array BigInt Boolean Date Decimal Error Function Infinity Map NaN Number Object Promise Proxy RegExp Set String "
    "Symbol Uint8Array Root Type Infer Record Partial Readonly Required Pick Omit Exclude Extract NonNullable".split()
)
#: The zero of a type, new for each object if it is mutable.
_ZEROS: dict[Zero, str] = {
    "false": "false",
    "integer": "0",
    "float": "0",
    "text": '""',
    "bytes": "() => new Uint8Array(0)",
    "list": "() => []",
    "set": "() => new Set()",
    "map": "() => new Map()",
}
#: Fields and symbols are text in TypeScript; they need no native names.
_TEXT = Idiom(PASCAL, str, frozenset())
IDIOMS = Idioms(types=Idiom(PASCAL, pascal, _RESERVED), fields=_TEXT, symbols=_TEXT)

#: Numbers whose lists may be typed arrays. Bytes have a type of their own.
_ARRAYS = {
    "f32": "Float32Array",
    "f64": "Float64Array",
    "i16": "Int16Array",
    "i32": "Int32Array",
    "u16": "Uint16Array",
    "u32": "Uint32Array",
    "i64": "BigInt64Array",
    "u64": "BigUint64Array",
}
_NATIVE = {
    **dict.fromkeys(("i8", "i16", "i32", "u8", "u16", "u32", "f32", "f64", "date", "time"), "number"),
    **dict.fromkeys(("i64", "u64", "bigint", "timestamp", "duration"), "bigint"),
    "bool": "boolean",
    "string": "string",
    "uuid": "string",
    "bytes": "Uint8Array",
    "decimal": "pack.Decimal",
    "any": "pack.AnyValue",
}


def literal(text: str) -> str:
    """A string literal in ASCII."""
    return json.dumps(text)


def _key(name: str) -> str:
    """A property of an object literal. `__proto__` is one only in brackets."""
    if name == "__proto__":
        return '["__proto__"]'
    return name if is_identifier(name.replace("$", "_")) else literal(name)


def _alias(names: tuple[str, ...]) -> str:
    return literal(names[0]) if len(names) == 1 else f"[{', '.join(map(literal, names))}]"


def _options(aliases: tuple[str, ...], fallback: str | None = None) -> str:
    options = [f"alias: {_alias(aliases)}"] if aliases else []
    options += [f"fallback: {literal(fallback)}"] if fallback is not None else []
    return f", {{ {', '.join(options)} }}" if options else ""


class _Emitter:
    def __init__(self, schema: Schema, long: Collection[tuple[str, str]] | None) -> None:
        self.names = TypeNames(schema, IDIOMS)
        self.long = long
        self.arrays = False
        graph = {name: set(self._inside(struct)) for name, struct in self.names.structs.items()}
        self.cyclic = components(graph).keys()
        self.order = list(self._ordered(graph))
        self.defined: set[str] = set(self.names.enums)
        self.late_unions: dict[tuple[str, ...], Union] = {}

    def _inside(self, struct: Struct) -> Iterator[str]:
        stack = [field.type for field in struct.fields]
        while stack:
            node = stack.pop()
            if isinstance(node, Named) and node.name in self.names.structs:
                yield node.name
            stack.extend(parts(node))

    def _ordered(self, graph: dict[str, set[str]]) -> Iterator[str]:
        """Structs after those they hold, where no cycle forbids it."""
        done: set[str] = set()
        for start in graph:
            work = [(start, iter(sorted(graph[start])))] if start not in done else []
            done.add(start)
            while work:
                name, inner = work[-1]
                for other in inner:
                    if other not in done:
                        done.add(other)
                        work.append((other, iter(sorted(graph[other]))))
                        break
                else:
                    work.pop()
                    yield name

    def at(self, struct: str, field: str) -> None:
        """Sets whether lists of numbers in this field are typed arrays."""
        self.arrays = self.long is None or (struct, field) in self.long

    def type(self, node: Type) -> str:
        """The builder's call."""
        match node:
            case Scalar(kind):
                return f"pack.{kind}"
            case Named(name):
                native = self.names.types[name]
                return native if name in self.defined else f"pack.recursive(() => {native})"
            case Union(members):
                names = tuple(member.name for member in members)
                if all(name in self.defined for name in names):
                    return self.union(node)
                self.late_unions[names] = node
                return f"pack.recursive(() => {self.names.union_name(node)})"
            case Option(item):
                return f"pack.option({self.type(item)})"
            case List(Scalar(kind)) if self.arrays and kind in _ARRAYS:
                return f"pack.array(pack.{kind})"
            case List(item):
                return f"pack.list({self.type(item)})"
            case Set(item):
                return f"pack.set({self.type(item)})"
            case Map(key, value):
                return f"pack.map({self.type(key)}, {self.type(value)})"
            case Tuple(items):
                return f"pack.tuple({', '.join(map(self.type, items))})"
            case Ref(item):
                return f"pack.ref({self.type(item)})"
            case Struct() | Enum():
                raise AssertionError("flat types hold names only")

    def discriminator(self, node: Union) -> str:
        """`type`, prefixed by `$` until it differs from the members' fields."""
        fields = {field.name for m in node.members for field in self.names.structs[m.name].fields}
        word = "type"
        while word in fields:
            word = "$" + word
        return word

    def union(self, node: Union) -> str:
        members = ", ".join(self.names.types[member.name] for member in node.members)
        word = self.discriminator(node)
        options = [f'discriminator: "{word}"'] if word != "type" else []
        options += [f"fallback: {self.names.types[node.fallback]}"] if node.fallback is not None else []
        return f"pack.union([{members}], {{ {', '.join(options)} }})" if options else f"pack.union([{members}])"

    def native(self, node: Type) -> str:
        """The TypeScript type of the values, for types that contain themselves."""
        match node:
            case Scalar(kind):
                return _NATIVE[kind]
            case Named(name):
                return self.names.types[name]
            case Union(members):
                word = _key(self.discriminator(node))
                kinds = (f"({{ {word}: {literal(m.name)} }} & {self.names.types[m.name]})" for m in members)
                return " | ".join(kinds)
            case Option(item):
                return f"{self.native(item)} | null"
            case List(Scalar(kind)) if self.arrays and kind in _ARRAYS:
                return _ARRAYS[kind]
            case List(item):
                return f"{self.native(item)}[]" if isinstance(item, Named) else f"Array<{self.native(item)}>"
            case Set(item):
                return f"Set<{self.native(item)}>"
            case Map(key, value):
                return f"Map<{self.native(key)}, {self.native(value)}>"
            case Tuple(items):
                return f"[{', '.join(map(self.native, items))}]"
            case Ref(item):
                return self.native(item)
            case Struct() | Enum():
                raise AssertionError("flat types hold names only")

    def declared(self, field: Field) -> str:
        """The type of a field, with its default and its other names."""
        made = zero(field)
        options = [] if made is None else [f"default: {self.zero(field, made)}"]
        options += [f"alias: {_alias(field.aliases)}"] if field.aliases else []
        declared = self.type(field.type)
        return f"pack.field({declared}, {{ {', '.join(options)} }})" if options else declared

    def zero(self, field: Field, made: Zero) -> str:
        """The default of a field whose default is its type's zero."""
        match made, field.type:
            case "integer", Scalar("i64" | "u64" | "bigint"):
                return "0n"
            case "list", List(Scalar(kind)) if self.arrays and kind in _ARRAYS:
                return f"() => new {_ARRAYS[kind]}(0)"
            case _:
                return _ZEROS[made]

    def enum(self, enum: Enum) -> str:
        native = self.names.types[enum.name]
        symbols = ", ".join(map(literal, enum.symbols))
        options = _options(enum.aliases, enum.fallback)
        return (
            f"export const {native} = pack.enumeration({literal(enum.name)}, [{symbols}]{options});\n"
            f"export type {native} = pack.Infer<typeof {native}>;"
        )

    def struct(self, struct: Struct) -> str:
        native, name = self.names.types[struct.name], literal(struct.name)
        lines = []
        annotation = ""
        if struct.name in self.cyclic:
            annotation = f": pack.StructType<{name}, {native}>"
            lines.append(f"export interface {native} {{")
            for field in struct.fields:
                self.at(struct.name, field.name)
                lines.append(f"  {_key(field.name)}: {self.native(field.type)};")
            lines.append("}")
        fields = []
        for field in struct.fields:
            self.at(struct.name, field.name)
            fields.append(f"  {_key(field.name)}: {self.declared(field)},")
        options = _options(struct.aliases)
        if fields:
            lines += [f"export const {native}{annotation} = pack.struct({name}, {{", *fields, f"}}{options});"]
        else:
            lines.append(f"export const {native} = pack.struct({name}, {{}}{options});")
        if not annotation:
            lines.append(f"export type {native} = pack.Infer<typeof {native}>;")
        self.defined.add(struct.name)
        return "\n".join(lines)

    def late_union(self, node: Union) -> str:
        native = self.names.union_name(node)
        return f"export type {native} = {self.native(node)};\nexport const {native}: pack.Type<{native}> = {self.union(node)};"


def emit(
    schema: Schema, root: str = "Root", module: str = "samewire/pack", long: Collection[tuple[str, str]] | None = None
) -> str:
    """A module: definitions, and the type of the whole, called `root`.

    Fields named by array indices must stand first, ascending: objects of JavaScript keep them so. long: the fields, as pairs of
    a struct's name and the field's, whose lists of numbers are typed arrays; `("", "")` is the root. Others are arrays of numbers,
    which cost less up to about a hundred numbers: a typed array costs 0.4 to 0.9 µs to make. None: all fields.
    """
    work = _Emitter(schema, long)
    items = [work.enum(enum) for enum in work.names.enums.values()]
    items += [work.struct(work.names.structs[name]) for name in work.order]
    work.at("", "")
    whole = f"export const {root} = {work.type(work.names.root)};\nexport type {root} = pack.Infer<typeof {root}>;"
    items += [work.late_union(node) for node in work.late_unions.values()]
    head = f"/** Types of a schema, and the schema's root. */\nimport * as pack from {literal(module)};"
    return "\n\n".join([head, *items, whole]) + "\n"
