"""Schema to Java: one final class that holds records, enums and sealed interfaces, and a `TypeRef` to the whole."""

from __future__ import annotations

import re

from samewire.pack.schema import (
    INTEGERS,
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

from .java_equality import METHODS, members
from .naming import CAMEL, PASCAL, UPPER, Idiom, Idioms, camel, pascal, upper
from .type_names import TypeNames, parts
from .zeros import zero

#: Most components of a record: a constructor takes 255 slots, two for each long and double, one for itself.
MAX_COMPONENTS = 120

_KEYWORDS = frozenset(
    "abstract assert boolean break byte case catch char class const continue default do double else enum extends final "
    "finally float for goto if implements import instanceof int interface long native new package private protected "
    "public return short static strictfp super switch synchronized this throw throws transient try void volatile while "
    "true false null var record yield sealed permits non when _".split()
)
#: Those that are keywords in some places only.
_CONTEXTUAL = frozenset("var record yield sealed permits non when".split())
_IDENTIFIER = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*", re.ASCII)
_METHODS = frozenset("clone finalize getClass hashCode notify notifyAll toString wait".split())
_TYPES = frozenset(
    "Boolean Byte Short Integer Long Float Double Number Character String Object Record Enum Override Class Void "
    "Deprecated Iterable Comparable Cloneable Runnable Thread Error Exception Throwable System Math Process Module "
    "Package FunctionalInterface SuppressWarnings SafeVarargs "
    "BigInteger BigDecimal UUID LocalDate LocalTime Instant Duration List Set Map Optional "
    "TypeRef Name Nullable Shared Tuple Unsigned".split()
)
_BOXES = {
    "boolean": "Boolean",
    "byte": "Byte",
    "short": "Short",
    "int": "Integer",
    "long": "Long",
    "float": "Float",
    "double": "Double",
}
_SCALARS = {
    "bool": "boolean",
    "i8": "byte",
    "i16": "short",
    "i32": "int",
    "i64": "long",
    "u8": "byte",
    "u16": "short",
    "u32": "int",
    "u64": "long",
    "f32": "float",
    "f64": "double",
    "bigint": "BigInteger",
    "decimal": "BigDecimal",
    "string": "String",
    "bytes": "byte[]",
    "uuid": "UUID",
    "date": "LocalDate",
    "time": "LocalTime",
    "timestamp": "Instant",
    "duration": "Duration",
    "any": "Object",
}
_IMPORTS = {
    "BigInteger": "java.math",
    "BigDecimal": "java.math",
    "UUID": "java.util",
    "Optional": "java.util",
    "List": "java.util",
    "Set": "java.util",
    "Map": "java.util",
    **dict.fromkeys(("LocalDate", "LocalTime", "Instant", "Duration"), "java.time"),
    **dict.fromkeys(
        ("TypeRef", "Alias", "Default", "Fallback", "Name", "Nullable", "Shared", "Tuple", "Unsigned"), "io.samewire.pack"
    ),
}
#: The text of `@Default` for the zero of a type.
_ZEROS = {"false": "false", "integer": "0", "float": "0", "text": "", "bytes": "", "list": "[]", "set": "[]", "map": "{}"}
#: Numbers whose lists are arrays. Bytes are not: `byte[]` is the type `bytes`.
_ARRAYS = frozenset(("i16", "i32", "i64", "u16", "u32", "u64", "f32", "f64"))


def is_package(name: str) -> bool:
    """Whether the name is a valid name of a Java package; ASCII only."""
    return all(_IDENTIFIER.fullmatch(word) and word not in _KEYWORDS - _CONTEXTUAL for word in name.split("."))


def idioms(outer: str) -> Idioms:
    """Java's names inside the class `outer`, whose name nested types must not have."""
    return Idioms(
        types=Idiom(PASCAL, pascal, _TYPES | {outer}),
        fields=Idiom(CAMEL, camel, _KEYWORDS | _METHODS),
        symbols=Idiom(UPPER, upper, frozenset()),
    )


def literal(text: str) -> str:
    """A Java string literal, in ASCII."""
    out = []
    for character in text:
        if character in '"\\':
            out.append("\\" + character)
        elif character.isascii() and character.isprintable():
            out.append(character)
        else:
            units = character.encode("utf-16-be", "surrogatepass")
            # Octal for control characters: the compiler treats \u000a as a line break.
            out.extend(
                f"\\{unit:03o}" if unit < 0x80 else f"\\u{unit:04x}"
                for unit in (int.from_bytes(units[i : i + 2], "big") for i in range(0, len(units), 2))
            )
    return '"' + "".join(out) + '"'


def by_identity(node: Type) -> bool:
    """Whether Java compares values of a flat type by identity: arrays, what holds them, and `Object`, which may be one.

    Records and sealed interfaces among them compare themselves.
    """
    match node:
        case Scalar(kind):
            return kind in ("bytes", "any")
        case List(Scalar(kind)) if kind in _ARRAYS:
            return True
        case Option() | List() | Set() | Map():
            return any(map(by_identity, parts(node)))
        case _:
            return False


class _Emitter:
    def __init__(self, schema: Schema, outer: str, arrays: frozenset[str]) -> None:
        self.names = TypeNames(schema, idioms(outer))
        self.arrays = arrays
        self.outer = outer
        self.used: set[str] = {"TypeRef"}
        self.compared = False  # whether a class uses the methods of `java_equality`

    def use(self, name: str) -> str:
        if name in _IMPORTS:
            self.used.add(name)
        return name

    def scalar(self, kind: str, *, boxed: bool) -> str:
        name = _SCALARS[kind]
        text = self.use(_BOXES.get(name, name) if boxed else name)
        return f"@{self.use('Unsigned')} {text}" if kind in INTEGERS and kind[0] == "u" else text

    def type(self, node: Type, *, boxed: bool = True) -> str:
        """boxed: whether a primitive type is not allowed here."""
        match node:
            case Scalar(kind):
                return self.scalar(kind, boxed=boxed)
            case Named(name):
                return self.names.types[name]
            case Union():
                return self.names.union_name(node)
            case Tuple():
                return self.names.tuple_name(node)
            case Option(item):
                return f"{self.use('Optional')}<{self.type(item)}>"
            case List(Scalar(kind)) if kind in self.arrays:
                return f"{self.scalar(kind, boxed=False)}[]"
            case List(item):
                return f"{self.use('List')}<{self.type(item)}>"
            case Set(item):
                return f"{self.use('Set')}<{self.type(item)}>"
            case Map(key, value):
                return f"{self.use('Map')}<{self.type(key)}, {self.type(value)}>"
            case Ref(item):
                return f"@{self.use('Shared')} {self.type(item)}"
            case Struct() | Enum():
                raise AssertionError("flat types hold names only")

    def component(self, node: Type) -> str:
        """The type of a record's component; a nullable one is null, not an Optional."""
        if isinstance(node, Option):
            text, nullable = self.type(node.item), f"@{self.use('Nullable')}"
            # Before `int[]` the annotation would apply to the element.
            return f"{text[:-2]} {nullable} []" if text.endswith("[]") else f"{nullable} {text}"
        return self.type(node, boxed=False)

    def named(self, schema_name: str, native: str) -> str:
        return "" if schema_name == native else f"@{self.use('Name')}({literal(schema_name)}) "

    def aliases(self, names: tuple[str, ...]) -> str:
        if not names:
            return ""
        listed = ", ".join(map(literal, names))
        return f"@{self.use('Alias')}({listed if len(names) == 1 else f'{{{listed}}}'}) "

    def fallback(self, marked: bool) -> str:
        return f"@{self.use('Fallback')} " if marked else ""

    def struct(self, struct: Struct) -> list[str]:
        native = self.names.types[struct.name]
        stands_in = any(union.fallback == struct.name for union in self.names.unions.values())
        annotations = self.named(struct.name, native), self.aliases(struct.aliases), self.fallback(stands_in)
        lines = [annotation.rstrip() for annotation in annotations if annotation]
        interfaces = self.names.memberships(struct.name)
        implements = f" implements {', '.join(interfaces)}" if interfaces else ""
        natives = [self.names.fields[struct.name][field.name] for field in struct.fields]
        declared = [
            f"{self.named(field.name, name)}{self.aliases(field.aliases)}{self.default(field)}{self.component(field.type)} {name}"
            for field, name in zip(struct.fields, natives, strict=True)
        ]
        if len(declared) > MAX_COMPONENTS:
            return [
                *lines,
                f"public static final class {native}{implements} {{",
                *[f"    public {field};" for field in declared],
                "",
                *self.equality(native, natives),
                "}",
            ]
        own = self.equality(native, natives) if any(by_identity(field.type) for field in struct.fields) else []
        return [*lines, *_record(native, declared, implements, own)]

    def default(self, field: Field) -> str:
        """The annotation of a field whose default is its type's zero."""
        made = zero(field)
        return "" if made is None else f"@{self.use('Default')}({literal(_ZEROS[made])}) "

    def equality(self, native: str, components: list[str]) -> list[str]:
        self.compared = True
        return members(native, self.outer, components)

    def tuple(self, node: Tuple) -> list[str]:
        native = self.names.tuple_name(node)
        names = [f"item{index}" for index in range(len(node.items))]
        declared = [f"{self.component(item)} {name}" for item, name in zip(node.items, names, strict=True)]
        own = self.equality(native, names) if any(map(by_identity, node.items)) else []
        return [f"@{self.use('Tuple')}", *_record(native, declared, "", own)]

    def enum(self, enum: Enum) -> list[str]:
        native = self.names.types[enum.name]
        annotations = self.named(enum.name, native), self.aliases(enum.aliases)
        lines = [annotation.rstrip() for annotation in annotations if annotation]
        symbols = [
            f"{self.named(symbol, name)}{self.fallback(symbol == enum.fallback)}{name}"
            for symbol, name in self.names.symbols[enum.name].items()
        ]
        return [*lines, f"public enum {native} {{", *[f"    {symbol}," for symbol in symbols], "}"]

    def union(self, node: Union) -> list[str]:
        members = ", ".join(map(self.type, node.members))
        return [f"public sealed interface {self.names.union_name(node)} permits {members} {{}}"]


def _record(native: str, components: list[str], implements: str, body: list[str]) -> list[str]:
    end = f"{implements} {{" + ("" if body else "}")
    line = f"public record {native}({', '.join(components)}){end}"
    if len(line) <= 110:
        head = [line]
    else:
        commas = [","] * (len(components) - 1) + [f"){end}"]
        listed = [f"        {component}{after}" for component, after in zip(components, commas, strict=True)]
        head = [f"public record {native}(", *listed]
    return [*head, *body, "}"] if body else head


def emit(schema: Schema, package: str, outer: str, *, arrays: bool = True) -> str:
    """One source file: `public final class <outer>` with `TYPE`, the TypeRef of the schema's root.

    Its classes compare by content. package: empty for none. arrays: whether lists of numbers are arrays of primitives, or
    lists, which compare by content in all places.
    """
    work = _Emitter(schema, outer, _ARRAYS if arrays else frozenset())
    names = work.names
    root = work.type(names.root)
    blocks = [[f"public static final TypeRef<{root}> TYPE = new TypeRef<{root}>() {{}};"]]
    blocks += [work.struct(struct) for struct in names.structs.values()]
    blocks += [work.enum(enum) for enum in names.enums.values()]
    blocks += [work.union(union) for union in names.unions.values()]
    blocks += [work.tuple(node) for node in names.tuples.values()]
    blocks.append([f"private {outer}() {{}}"])
    if work.compared:
        blocks.append(METHODS)
    body = "\n\n".join("\n".join(f"    {line}" if line else "" for line in block) for block in blocks)
    imports = "".join(f"import {_IMPORTS[name]}.{name};\n" for name in sorted(work.used, key=_import_order))
    return (
        f"{f'package {package};' + chr(10) * 2 if package else ''}{imports}\n/** Types of a schema, and the schema's root. */\n"
        f"public final class {outer} {{\n{body}\n}}\n"
    )


def _import_order(name: str) -> tuple[str, str]:
    return _IMPORTS[name], name
