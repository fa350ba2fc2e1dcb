"""Schema to Java: one final class that holds records, enums and sealed interfaces, and a `TypeRef` to the whole."""

from __future__ import annotations

from ..schema import (
    INTEGERS,
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
from .naming import CAMEL, PASCAL, UPPER, Idiom, Idioms, camel, pascal, upper
from .shapes import Shapes

#: Most components of a record: a constructor takes 255 slots, two for each long and double, one for itself.
MAX_COMPONENTS = 120

_KEYWORDS = frozenset(
    "abstract assert boolean break byte case catch char class const continue default do double else enum extends final "
    "finally float for goto if implements import instanceof int interface long native new package private protected "
    "public return short static strictfp super switch synchronized this throw throws transient try void volatile while "
    "true false null var record yield sealed permits non when _".split()
)
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
    **dict.fromkeys(("TypeRef", "Name", "Nullable", "Shared", "Tuple", "Unsigned"), "io.samewire.pack"),
}
#: Numbers whose lists are arrays. Bytes are not: `byte[]` is the type `bytes`.
_ARRAYS = frozenset(("i16", "i32", "i64", "u16", "u32", "u64", "f32", "f64"))


def idioms(outer: str) -> Idioms:
    """Java's names inside the class `outer`, which no nested type may share its name with."""
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
            # Octal for controls: the compiler would take \u000a for a line's end.
            out.extend(
                f"\\{unit:03o}" if unit < 0x80 else f"\\u{unit:04x}"
                for unit in (int.from_bytes(units[i : i + 2], "big") for i in range(0, len(units), 2))
            )
    return '"' + "".join(out) + '"'


class _Emitter:
    def __init__(self, schema: Schema, outer: str) -> None:
        self.shapes = Shapes(schema, idioms(outer))
        self.used: set[str] = {"TypeRef"}

    def use(self, name: str) -> str:
        if name in _IMPORTS:
            self.used.add(name)
        return name

    def scalar(self, kind: str, *, boxed: bool) -> str:
        name = _SCALARS[kind]
        text = self.use(_BOXES.get(name, name) if boxed else name)
        return f"@{self.use('Unsigned')} {text}" if kind in INTEGERS and kind[0] == "u" else text

    def type(self, node: Type, *, boxed: bool = True) -> str:
        """boxed: whether it stands where a primitive may not."""
        match node:
            case Scalar(kind):
                return self.scalar(kind, boxed=boxed)
            case Named(name):
                return self.shapes.types[name]
            case Union():
                return self.shapes.union_name(node)
            case Tuple():
                return self.shapes.tuple_name(node)
            case Option(item):
                return f"{self.use('Optional')}<{self.type(item)}>"
            case List(Scalar(kind)) if kind in _ARRAYS:
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
            # Before `int[]` the annotation would stand at the element.
            return f"{text[:-2]} {nullable} []" if text.endswith("[]") else f"{nullable} {text}"
        return self.type(node, boxed=False)

    def named(self, schema_name: str, native: str) -> str:
        return "" if schema_name == native else f"@{self.use('Name')}({literal(schema_name)}) "

    def struct(self, struct: Struct) -> list[str]:
        native = self.shapes.types[struct.name]
        lines = [annotation.rstrip()] if (annotation := self.named(struct.name, native)) else []
        interfaces = self.shapes.memberships(struct.name)
        implements = f" implements {', '.join(interfaces)}" if interfaces else ""
        names = self.shapes.fields[struct.name]
        parts = [
            f"{self.named(field.name, names[field.name])}{self.component(field.type)} {names[field.name]}"
            for field in struct.fields
        ]
        if len(parts) > MAX_COMPONENTS:
            return [
                *lines,
                f"public static final class {native}{implements} {{",
                *[f"    public {part};" for part in parts],
                "}",
            ]
        return [*lines, *self.record(native, parts, implements)]

    def record(self, native: str, parts: list[str], implements: str) -> list[str]:
        line = f"public record {native}({', '.join(parts)}){implements} {{}}"
        if len(line) <= 110:
            return [line]
        listed = [f"        {part}{',' if index + 1 < len(parts) else ')'}" for index, part in enumerate(parts)]
        listed[-1] += f"{implements} {{}}"
        return [f"public record {native}(", *listed]

    def tuple(self, node: Tuple) -> list[str]:
        parts = [f"{self.component(item)} item{index}" for index, item in enumerate(node.items)]
        return [f"@{self.use('Tuple')}", *self.record(self.shapes.tuple_name(node), parts, "")]

    def enum(self, enum: Enum) -> list[str]:
        native = self.shapes.types[enum.name]
        lines = [annotation.rstrip()] if (annotation := self.named(enum.name, native)) else []
        symbols = [f"{self.named(symbol, name)}{name}" for symbol, name in self.shapes.symbols[enum.name].items()]
        return [*lines, f"public enum {native} {{", *[f"    {symbol}," for symbol in symbols], "}"]

    def union(self, node: Union) -> list[str]:
        members = ", ".join(map(self.type, node.members))
        return [f"public sealed interface {self.shapes.union_name(node)} permits {members} {{}}"]


def emit(schema: Schema, package: str, outer: str) -> str:
    """One source file: `public final class <outer>` with `TYPE`, the TypeRef of the schema's root.

    package: empty for none.
    """
    work = _Emitter(schema, outer)
    shapes = work.shapes
    root = work.type(shapes.root)
    blocks = [[f"public static final TypeRef<{root}> TYPE = new TypeRef<{root}>() {{}};"]]
    blocks += [work.struct(struct) for struct in shapes.structs.values()]
    blocks += [work.enum(enum) for enum in shapes.enums.values()]
    blocks += [work.union(union) for union in shapes.unions.values()]
    blocks += [work.tuple(node) for node in shapes.tuples.values()]
    blocks.append([f"private {outer}() {{}}"])
    body = "\n\n".join("\n".join(f"    {line}" if line else "" for line in block) for block in blocks)
    imports = "".join(f"import {_IMPORTS[name]}.{name};\n" for name in sorted(work.used, key=_import_order))
    return (
        f"{f'package {package};' + chr(10) * 2 if package else ''}{imports}\n/** Types of a schema, and the schema's root. */\n"
        f"public final class {outer} {{\n{body}\n}}\n"
    )


def _import_order(name: str) -> tuple[str, str]:
    return _IMPORTS[name], name
