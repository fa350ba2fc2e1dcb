"""Schema text to nodes (spec/pack.md, section 2). Text comes from a peer and is not trusted."""

from __future__ import annotations

import re
from typing import Final, NoReturn

from samewire.errors import SamewireError

from .schema_nodes import (
    Enum,
    Field,
    List,
    Map,
    Named,
    Option,
    Ref,
    Scalar,
    Set,
    Struct,
    Tuple,
    Type,
    Union,
)
from .schema_words import KEY_SCALARS, KEYWORDS, SCALARS
from .schema_writer import MAX_BYTES, MAX_DEPTH, is_too_long

MAX_NODES: Final = 65_536
MAX_NAME: Final = 255
MAX_TUPLE: Final = 255

_SPACE: Final = re.compile(r"[ \t\r\n]*")
_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_INSIDE: Final = re.compile(r'(?:[^\\\x00-\x1f]|\\["\\]|\\u00[01][0-9a-f])*')
_ESCAPE: Final = re.compile(r'\\(?:u(00[01][0-9a-f])|(["\\]))')

#: What the place of a type asks of it.
_ANYWHERE, _OPTION, _KEY, _STRUCT, _MEMBER = "", "the item of an option", "a key", "the item of a ref", "a union's member"


class _Token:
    __slots__ = ("at", "name", "text")

    def __init__(self, text: str, at: int, name: str | None) -> None:
        self.text = text  # a word, a sign, or '"' for a quoted name; "" at the end
        self.at = at  # index in characters
        self.name = name


class SchemaReader:
    """One text. `root` is the type with every struct and enum as `Named`; `definitions` has them.

    A name may stand before its definition (members of a union come in any order), so what a type's place asks of it is
    checked after the pass over the text; of several faults the first in the text is reported.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        if is_too_long(text):
            raise SamewireError("limit_size", 0, None, f"schema text is over {MAX_BYTES} bytes")
        self.nodes = 0
        self.depth = 0
        self.definitions: dict[str, Struct | Enum | None] = {}
        self.used: list[tuple[_Token, str]] = []
        self.faults: list[tuple[int, str]] = []
        self.end = 0
        self.ahead: _Token | None = None
        self.root = self._type(_ANYWHERE)
        if self.token.text:
            self._unexpected("the end of the text")
        for token, place in self.used:
            self._check_name(token, place)
        if self.faults:
            self._fail(*min(self.faults))

    def _fail(self, at: int, text: str, code: str = "malformed") -> NoReturn:
        raise SamewireError(code, len(self.text[:at].encode("utf-8", "surrogatepass")), None, text)

    def _unexpected(self, wanted: str) -> NoReturn:
        came = self.token.text or "the end of the text"
        self._fail(self.token.at, f"expected {wanted}, found {came!r}")

    def _scan(self, at: int) -> _Token:
        space = _SPACE.match(self.text, at)
        assert space is not None
        at = space.end()
        self.end = at
        if at == len(self.text):
            return _Token("", at, None)
        if word := _WORD.match(self.text, at):
            self.end = word.end()
            return _Token(word[0], at, word[0])
        if self.text[at] in "<>{},:":
            self.end = at + 1
            return _Token(self.text[at], at, None)
        if self.text[at] != '"':
            self._fail(at, f"{self.text[at]!r} is no part of schema text")
        found = _QUOTED.match(self.text, at)
        if found is None:
            self._fail(len(self.text), "a quoted name is not closed")
        self.end = found.end()
        if not _INSIDE.fullmatch(found[1]):
            self._fail(at, "a quoted name holds a control character or an unknown escape")
        return _Token('"', at, _ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else m[2], found[1]))

    @property
    def token(self) -> _Token:
        """The next token. It is read when it is asked for: a fault of the one before comes first."""
        if self.ahead is None:
            self.ahead = self._scan(self.end)
        return self.ahead

    def _take(self) -> _Token:
        taken = self.token
        self.ahead = None
        return taken

    def _sign(self, sign: str) -> None:
        if self.token.text != sign or self.token.name is not None:
            self._unexpected(repr(sign))
        self._take()

    def _open(self, sign: str) -> None:
        if self.token.text == sign and self.depth == MAX_DEPTH:
            self._fail(self.token.at, f"types are nested over {MAX_DEPTH} deep", "limit_depth")
        self._sign(sign)
        self.depth += 1

    def _close(self, sign: str) -> None:
        self._sign(sign)
        self.depth -= 1

    def _more(self) -> bool:
        """Whether a comma, and so another part, follows."""
        if self.token.text != ",":
            return False
        self._take()
        return True

    def _count(self, at: int) -> None:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            self._fail(at, f"more than {MAX_NODES} types, fields and symbols", "limit_items")

    def _name(self) -> _Token:
        token = self.token
        if token.name is None or (token.text != '"' and token.name in KEYWORDS):
            self._unexpected("a name")
        if any("\ud800" <= character <= "\udfff" for character in token.name):
            self._fail(token.at, "a name holds a lone surrogate")
        if not 0 < len(token.name.encode("utf-16-le")) <= 2 * MAX_NAME:
            self._fail(token.at, f"a name has 1 to {MAX_NAME} UTF-16 code units")
        return self._take()

    def _type(self, place: str) -> Type:
        head = self.token
        if head.name is None:
            self._unexpected("a type")
        self._count(head.at)
        if head.text == '"' or head.text not in KEYWORDS:
            token = self._name()
            assert token.name is not None
            self.used.append((token, place))
            return Named(token.name)
        self._check_word(head, place)
        self._take()
        if head.text in SCALARS:
            return Scalar(head.text)
        if head.text == "struct":
            return self._struct(head, place)
        if head.text == "enum":
            return self._enum()
        if head.text == "union":
            return self._union()
        self._open("<")
        node = self._composed(head.text)
        self._close(">")
        return node

    def _struct_type(self, place: str) -> Named:
        """A type where only a struct may stand. What is none is a fault already and never used."""
        head = self.token
        node = self._type(place)
        return node if isinstance(node, Named) and head.text != "enum" else Named("")

    def _composed(self, word: str) -> Type:
        match word:
            case "option":
                return Option(self._type(_OPTION))
            case "list":
                return List(self._type(_ANYWHERE))
            case "set":
                return Set(self._type(_KEY))
            case "ref":
                return Ref(self._struct_type(_STRUCT))
            case "map":
                key = self._type(_KEY)
                self._sign(",")
                return Map(key, self._type(_ANYWHERE))
        items = [self._type(_ANYWHERE)]
        while self._more():
            if len(items) == MAX_TUPLE:
                self._fail(self.token.at, f"a tuple has at most {MAX_TUPLE} values")
            items.append(self._type(_ANYWHERE))
        return Tuple(tuple(items))

    def _check_word(self, head: _Token, place: str) -> None:
        word = head.text
        allowed = (
            word not in ("option", "any")
            if place == _OPTION
            else word in KEY_SCALARS or word == "enum"
            if place == _KEY
            else word == "struct"
            if place in (_STRUCT, _MEMBER)
            else True
        )
        if not allowed:
            self.faults.append((head.at, f"{word} cannot be {place}"))

    def _check_name(self, token: _Token, place: str) -> None:
        assert token.name is not None
        definition = self.definitions.get(token.name)
        if definition is None:
            fault = f"{token.name!r} is never defined"
        elif place == _KEY and isinstance(definition, Struct):
            fault = f"struct {token.name!r} cannot be {place}"
        elif place in (_STRUCT, _MEMBER) and isinstance(definition, Enum):
            fault = f"enum {token.name!r} cannot be {place}"
        elif place != _MEMBER and isinstance(definition, Struct) and not definition.fields:
            fault = f"struct {token.name!r} is empty and may stand only in a union"
        else:
            return
        self.faults.append((token.at, fault))

    def _define(self) -> str:
        token = self._name()
        assert token.name is not None
        if token.name in self.definitions:
            self._fail(token.at, f"{token.name!r} is defined twice")
        self.definitions[token.name] = None
        return token.name

    def _struct(self, head: _Token, place: str) -> Named:
        name = self._define()
        self._open("{")
        fields: list[Field] = []
        seen: set[str] = set()
        if self.token.text != "}":
            while True:
                token = self._name()
                assert token.name is not None
                if token.name in seen:
                    self._fail(token.at, f"field {token.name!r} is repeated")
                seen.add(token.name)
                self._count(token.at)
                self._sign(":")
                fields.append(Field(token.name, self._type(_ANYWHERE)))
                if not self._more():
                    break
        self._close("}")
        if not fields and place != _MEMBER:
            self.faults.append((head.at, "a struct without fields may stand only in a union"))
        self.definitions[name] = Struct(name, tuple(fields))
        return Named(name)

    def _enum(self) -> Named:
        name = self._define()
        self._open("{")
        symbols: dict[str, None] = {}
        while True:
            token = self._name()
            assert token.name is not None
            if token.name in symbols:
                self._fail(token.at, f"symbol {token.name!r} is repeated")
            self._count(token.at)
            symbols[token.name] = None
            if not self._more():
                break
        self._close("}")
        self.definitions[name] = Enum(name, tuple(symbols))
        return Named(name)

    def _union(self) -> Union:
        self._open("{")
        members: dict[str, Named] = {}
        while True:
            head = self.token
            member = self._struct_type(_MEMBER)
            if member.name and member.name in members:
                self._fail(head.at, f"member {member.name!r} is repeated")
            members[member.name] = member
            if not self._more():
                break
        self._close("}")
        return Union(tuple(members.values()))
