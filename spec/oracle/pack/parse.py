"""Reading schema text (pack.md section 2).

Two passes. The first reads left to right and reports the first syntax error, repetition or limit. The second checks
what needs the whole text, because a name may be used before the place that defines it (members of a union stand in any
order): names never defined, and types that are not allowed where they stand. It reports the first of these.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

from spec.oracle.core.errors import SamewireError
from spec.oracle.pack import sizes
from spec.oracle.pack.canonical import canonical
from spec.oracle.pack.fallbacks import stands_in
from spec.oracle.pack.schema import (
    KEYS,
    SCALARS,
    WORDS,
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
    utf16_order,
)

SPACE = re.compile(r"(?:[ \t\r\n]+|//[^\n]*|#[^\n]*)*")
TOKEN = re.compile(r'@?[A-Za-z_][A-Za-z0-9_]*|[<>{}(),:?]|"(?:[^"\\]|\\.)*"', re.DOTALL)
ESCAPE = re.compile(r'\\(["\\]|u00[01][0-9a-f])')
RAW = re.compile(r'[^"\\\x00-\x1f\ud800-\udfff]')


ONE_PART: dict[str, Callable[[Type], Type]] = {"option": Option, "list": List, "set": Set, "ref": Ref}


@dataclass(eq=False)
class _Named:
    """A use of a name that is not resolved yet."""

    name: str
    at: int


_Raw = Type | _Named


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.pos = 0
        self.counted = 0
        self.bytes = 0
        self.nodes = 0
        self.depth = 0
        self.defined: dict[str, Struct | Enum] = {}
        self.taken: set[str] = set()
        """The names and aliases of types."""
        self.fallbacks: list[tuple[Union, _Raw, int]] = []
        """Unions, the member of each that is its fallback, and the offset of what says so."""
        self.places: list[tuple[Type, int, list[_Raw], list[int]]] = []
        """Every type with parts: the type, its offset, its parts as read and the offset of each."""

    def offset(self, pos: int) -> int:
        """Returns the offset in bytes. Counts from the last one asked for, so that long texts take linear time."""
        if pos < self.counted:
            self.counted = self.bytes = 0
        self.bytes += len(self.text[self.counted : pos].encode("utf-8", "surrogatepass"))
        self.counted = pos
        return self.bytes

    def fail(self, at: int, what: str, code: str = "malformed") -> NoReturn:
        raise SamewireError(code, at, None, what)

    def skip(self) -> None:
        space = SPACE.match(self.text, self.pos)
        self.pos = space.end() if space is not None else self.pos

    def peek(self) -> tuple[str, int]:
        """Returns the next token and its offset in bytes; an empty token at the end of the text."""
        self.skip()
        at = self.offset(self.pos)
        if self.pos == len(self.text):
            return "", at
        found = TOKEN.match(self.text, self.pos)
        if found is not None:
            return found.group(), at
        if self.text[self.pos] == '"':
            self.fail(self.offset(len(self.text)), "the text ends inside a quoted name")
        self.fail(at, f"no token starts with {self.text[self.pos]!r}")

    def next(self) -> tuple[str, int]:
        token, at = self.peek()
        self.pos += len(token)
        return token, at

    def expect(self, *wanted: str) -> str:
        token, at = self.next()
        if token not in wanted:
            self.fail(at, f"expected {' or '.join(wanted)}, got {token!r}")
        return token

    def open(self, bracket: str) -> None:
        _, at = self.peek()
        self.expect(bracket)
        self.depth += 1
        if self.depth > sizes.SCHEMA_DEPTH:
            self.fail(at, "types nested more than 64 deep: nest fewer, or use any for the inner types", "limit_depth")

    def close(self, bracket: str) -> None:
        self.expect(bracket)
        self.depth -= 1

    def more(self, closing: str) -> bool:
        """Reads the `,` before another part, or the closing bracket after the last one: behind a `,` too, if it is `}`."""
        if self.expect(",", closing) == ",":
            if closing != "}" or self.peek()[0] != "}":
                return True
            self.next()
        self.depth -= 1
        return False

    def count(self, at: int) -> None:
        self.nodes += 1
        if self.nodes > sizes.SCHEMA_NODES:
            self.fail(at, "more than 65,536 types, fields and symbols: divide it into several schemas", "limit_items")

    def name(self, *, label: bool = False) -> tuple[str, int]:
        """Reads a name. label: that of a field, a symbol or an alias, which may be a keyword."""
        token, at = self.next()
        if token.startswith('"'):
            return self.unquote(token, at), at
        if token == "" or (token in WORDS and not label) or not re.match(r"[A-Za-z_]", token):
            self.fail(at, f"expected a name, got {token!r}")
        if len(token) > 255:
            self.fail(at, "a name has 1 to 255 UTF-16 code units")
        return token, at

    def unquote(self, token: str, at: int) -> str:
        body, name, pos = token[1:-1], "", 0
        while pos < len(body):
            escape = ESCAPE.match(body, pos)
            if escape is not None:
                inner = escape.group(1)
                name += chr(int(inner[1:], 16)) if inner.startswith("u") else inner
                pos = escape.end()
            elif RAW.match(body, pos):
                name += body[pos]
                pos += 1
            else:
                self.fail(at, 'a quoted name knows \\" \\\\ \\u00XX for U+0000 … U+001F, nothing else')
        if not 1 <= len(name.encode("utf-16-le")) // 2 <= 255:
            self.fail(at, "a name has 1 to 255 UTF-16 code units")
        return name

    def type(self) -> tuple[_Raw, int]:
        part, at = self.plain_type()
        self.skip()
        # All other tokens are checked later: a repeated name is reported before them.
        if not self.text.startswith("?", self.pos):
            return part, at
        self.count(self.next()[1])
        made = Option(Scalar("bool"))
        self.places.append((made, at, [part], [at]))
        return made, at

    def plain_type(self) -> tuple[_Raw, int]:
        token, at = self.peek()
        if token in WORDS or token == "":
            self.next()
        if token == "":
            self.fail(at, "the text ends where a type is expected")
        if token in SCALARS:
            self.count(at)
            return Scalar(token), at
        if token in ("option", "list", "set", "ref", "map", "tuple"):
            self.count(at)
            return self.generic(token, at), at
        if token == "enum":
            self.count(at)
            return self.enum(), at
        if token == "struct":
            self.count(at)
            return self.struct(at), at
        if token == "union":
            self.count(at)
            return self.union(at), at
        name, at = self.name()
        self.count(at)
        return _Named(name, at), at

    def generic(self, word: str, at: int) -> Type:
        self.open("<")
        parts: list[_Raw] = []
        offsets: list[int] = []
        most = {"map": 2, "tuple": 255}.get(word, 1)
        while True:
            if len(parts) == most:
                self.fail(self.peek()[1], f"{word} takes no more than {most} types")
            part, offset = self.type()
            parts.append(part)
            offsets.append(offset)
            if len(parts) == most and word != "tuple":
                self.close(">")
                break
            if word == "map":
                self.expect(",")
            elif not self.more(">"):
                break
        made: Type
        hole = Scalar("bool")
        if word == "map":
            made = Map(hole, hole)
        elif word == "tuple":
            made = Tuple([hole] * len(parts))
        else:
            made = ONE_PART[word](hole)
        self.places.append((made, at, parts, offsets))
        return made

    def define(self, made: Struct | Enum, at: int) -> None:
        self.take(made.name, at, self.taken)
        self.defined[made.name] = made
        _, made.aliases = self.annotations(self.taken, "@alias")

    def take(self, name: str, at: int, taken: set[str]) -> None:
        if name in taken:
            self.fail(at, f"{name!r} is there already")
        taken.add(name)

    def annotations(self, taken: set[str], *allowed: str) -> tuple[bool, list[str]]:
        """Reads the annotations of a field or type, each at most once: whether it has a default, and its aliases."""
        found: dict[str, list[str]] = {}
        while (word := self.peek()[0]) in allowed and word not in found:
            self.next()
            found[word] = self.aliases(taken) if word == "@alias" else []
        return "@default" in found, found.get("@alias", [])

    def aliases(self, taken: set[str]) -> list[str]:
        self.expect("(")
        aliases: list[str] = []
        while True:
            alias, at = self.name(label=True)
            self.count(at)
            self.take(alias, at, taken)
            aliases.append(alias)
            if self.expect(",", ")") == ")":
                return aliases

    def enum(self) -> Enum:
        name, at = self.name()
        made = Enum(name)
        self.define(made, at)
        self.open("{")
        symbols: set[str] = set()
        while True:
            symbol, at = self.name(label=True)
            self.count(at)
            if symbol in symbols:
                self.fail(at, f"the symbol {symbol!r} is repeated")
            symbols.add(symbol)
            if self.peek()[0] == "@fallback" and made.fallback is None:
                self.next()
                made.fallback = symbol
            if not self.more("}"):
                break
        made.symbols = sorted(symbols, key=utf16_order)
        return made

    def struct(self, at: int) -> Struct:
        name, name_at = self.name()
        made = Struct(name)
        self.define(made, name_at)
        self.open("{")
        parts: list[_Raw] = []
        offsets: list[int] = []
        names: list[str] = []
        taken: set[str] = set()
        if self.peek()[0] == "}":
            self.close("}")
        else:
            while True:
                field, field_at = self.name(label=True)
                self.count(field_at)
                self.take(field, field_at, taken)
                names.append(field)
                self.expect(":")
                part, offset = self.type()
                parts.append(part)
                offsets.append(offset)
                defaulted, aliases = self.annotations(taken, "@default", "@alias")
                if defaulted and not isinstance(part, Option):
                    made.defaulted.add(field)
                if aliases:
                    made.field_aliases[field] = aliases
                if not self.more("}"):
                    break
        made.fields = [(field, Scalar("bool")) for field in names]
        self.places.append((made, at, parts, offsets))
        return made

    def union(self, at: int) -> Union:
        self.open("{")
        parts: list[_Raw] = []
        offsets: list[int] = []
        names: list[str] = []
        fallback: tuple[_Raw, int] | None = None
        while True:
            part, offset = self.type()
            if isinstance(part, _Named | Struct):
                if part.name in names:
                    self.fail(offset, f"the member {part.name!r} is repeated")
                names.append(part.name)
            parts.append(part)
            offsets.append(offset)
            word, at = self.peek()
            if word == "@fallback" and fallback is None:
                self.next()
                fallback = part, at
            if not self.more("}"):
                break
        made = Union([])
        if fallback is not None:
            self.fallbacks.append((made, *fallback))
        self.places.append((made, at, parts, offsets))
        return made

    def resolve(self, root: _Raw, root_at: int) -> Type:
        """Runs the second pass: replaces names by their definitions, and checks every type where it stands."""
        faults: list[tuple[int, str]] = []

        def known(part: _Raw) -> Type:
            if not isinstance(part, _Named):
                return part
            if part.name in self.defined:
                return self.defined[part.name]
            faults.append((part.at, f"{part.name!r} is never defined"))
            return Scalar("bool")

        def check(allowed: bool, at: int, what: str) -> None:
            if not allowed:
                faults.append((at, what))

        top = known(root)
        whole: list[tuple[Type | None, Type, int]] = [(None, top, root_at)]
        for outer, _, raw, offsets in self.places:
            parts = [known(part) for part in raw]
            whole.extend((outer, part, at) for part, at in zip(parts, offsets, strict=True))
            match outer:
                case Option() | List() | Set() | Ref():
                    outer.item = parts[0]
                case Map():
                    outer.key, outer.value = parts
                case Tuple():
                    outer.items = parts
                case Struct():
                    names = [name for name, _ in outer.fields]
                    outer.fields = list(zip(names, parts, strict=True))
                case Union():
                    outer.members = parts
                case Scalar() | Enum():
                    pass
        for place, part, at in whole:
            key = isinstance(part, Enum) or (isinstance(part, Scalar) and part.name in KEYS)
            empty = isinstance(part, Struct) and not part.fields
            match place:
                case Option():
                    null = isinstance(part, Option) or (isinstance(part, Scalar) and part.name == "any")
                    check(not null, at, "an option holds no option and no any")
                case Set():
                    check(key, at, "not a key type")
                case Map():
                    check(key or part is not place.key, at, "not a key type")
                case Ref():
                    check(isinstance(part, Struct), at, "a ref holds a struct")
                case Union():
                    check(isinstance(part, Struct), at, "a union holds structs")
                case _:
                    pass
            check(not empty or isinstance(place, Union), at, "a struct without fields stands only in a union")
        for union, member, at in self.fallbacks:
            part = known(member)
            if isinstance(part, Struct):
                check(stands_in(part), at, "a fallback has no fields but name: string")
                union.fallback = part.name
        if faults:
            at, what = min(faults)
            self.fail(at, what)
        return top


def parse(text: str) -> Type:
    """Reads schema text; raises `malformed`, `limit_size`, `limit_depth` or `limit_items` with the offset in bytes."""
    if len(text.encode("utf-8", "surrogatepass")) > sizes.SCHEMA_BYTES:
        raise SamewireError("limit_size", 0, None, "schema text over 1 MiB: divide it into several schemas")
    parser = _Parser(text)
    root, at = parser.type()
    rest, rest_at = parser.peek()
    if rest:
        parser.fail(rest_at, f"expected the end of the text, got {rest!r}")
    top = parser.resolve(root, at)
    canonical(top)  # refuses a canonical text that is too deep or too long
    return top
