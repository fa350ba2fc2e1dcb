"""The arguments of a command as a tree: from the table of commands, or from a form.

A form is written in the syntax of the commands' documentation:

WORD              a word in capitals, "" or "TWO WORDS"
name              a text; name:k a key, name:i an integer, name:d a double, name:bit 1 or 0, name:on ON or OFF,
                  name:yes YES or NO, name:sec and name:ms a duration, name:score and name:lex ends of a range,
                  name:Choice one of choices.txt
name...           one or more of them; name* any number
#name             their number, before them
{a b}             pairs of a map; {word} one of SPECIAL in arguments.py
[A a]             an option; [A a]+ may be given several times; [A => REPLY] changes the reply; [name: A a] names it
[name=*]          an option that stands for the word behind = as long as it is not given
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

from codegen.redis.java.choices import Choice


@dataclass(frozen=True)
class Word:
    """Sent as it is; blanks separate words."""

    text: str


@dataclass(frozen=True)
class Value:
    """A parameter. `many` is "", "+" (one or more) or "*" (any number); `counted`: their number stands before them."""

    name: str
    type: str = "t"
    many: str = ""
    counted: bool = False


@dataclass(frozen=True)
class Pairs:
    """The entries of a map; `counted`: their number stands before them."""

    name: str
    key: str
    value: str
    counted: bool = False


@dataclass(frozen=True)
class Special:
    """A parameter with a form of its own, by its name in SPECIAL of arguments.py."""

    name: str


@dataclass(frozen=True)
class Option:
    """A method of a builder. `reply` is not empty if it changes the reply."""

    method: str
    pieces: tuple[Word | Value | Pairs | Special, ...]
    repeated: bool = False
    reply: str = ""
    default: str = ""


Piece = Word | Value | Pairs | Special | Option


@dataclass
class Form:
    """One way to call a command."""

    command: str
    method: str
    pieces: list[Piece]
    reply: str
    says: str
    where: str
    by_hand: bool = False
    options: list[Option] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.options = [piece for piece in self.pieces if isinstance(piece, Option)]


def camel(words: str) -> str:
    """Words in capitals, or a name of the table, as a name of Java: CLIENT NO-EVICT is clientNoEvict."""
    first, *rest = re.split(r"[ \-_:.]+", words.lower())
    return first + "".join(part.capitalize() for part in rest)


def title(words: str) -> str:
    """As `camel`, with a capital."""
    return capital(camel(words))


def capital(name: str) -> str:
    """A name with a capital."""
    return name[0].upper() + name[1:]


VALUE = re.compile(r"(#?)([a-z][a-z0-9-]*)(?::([A-Za-z]+))?(\.\.\.|\*)?")


def atom(text: str, where: str) -> Word | Value | Special:
    """One word of a form outside brackets."""
    if text.startswith('"'):
        return Word(text.strip('"'))
    if text.startswith("{"):
        return Special(text.strip("{}"))
    found = VALUE.fullmatch(text)
    if found:
        count, name, kind, many = found.groups()
        return Value(camel(name), "#" if count else kind or "t", {"...": "+", "*": "*", None: ""}[many])
    if re.fullmatch(r"[A-Z0-9_-]+", text):
        return Word(text)
    raise SystemExit(f"{where}: {text!r} is not a piece of a form")


def joined(pieces: list[Any]) -> list[Any]:
    """Puts a count and what it counts together."""
    found: list[Any] = []
    for piece in pieces:
        if found and isinstance(found[-1], Value) and found[-1].type == "#":
            found[-1] = replace(piece, counted=True)
        else:
            found.append(piece)
    return found


NAMED = re.compile(r"([a-z]\w*): ")


def option(text: str, repeated: bool, where: str) -> Option:
    """What stands in brackets."""
    sent, _, reply = text.partition(" => ")
    named = NAMED.match(sent)
    sent = sent[named.end() :] if named else sent
    if "=" in sent:
        name, default = sent.split("=")
        return Option(camel(name), (Value(camel(name)),), default=default)
    pieces = joined([atom(word, where) for word in sent.split()])
    first = pieces[0]
    method = named.group(1) if named else camel(first.text) if isinstance(first, Word) else first.name
    return Option(method, tuple(pieces), repeated, reply)


TOKEN = re.compile(r'\[([^\]]*)\](\+?)|(\{[^}]*\})|("[^"]*")|(\S+)')


def parse(text: str, where: str) -> list[Piece]:
    """The pieces of a form, behind the command's name."""
    pieces: list[Piece] = []
    for brackets, repeated, braces, quoted, word in TOKEN.findall(text):
        if brackets:
            pieces.append(option(brackets, bool(repeated), where))
        elif braces and " " in braces:
            key, value = braces.strip("{}").split()
            pieces.append(Pairs("values", key, value))
        else:
            pieces.append(atom(braces or quoted or word, where))
    return joined(pieces)


#: Types of the table as types of forms.
TYPES = {"key": "k", "string": "t", "pattern": "t", "integer": "i", "unix-time": "i", "double": "d"}
#: Arguments that say how many others there are.
COUNTS = ("numkeys", "numfields")


class FromTable:
    """Reads the arguments of the table's rows."""

    def __init__(self, choices: dict[str, Choice]) -> None:
        self.by_words = {choice.words(): choice.name for choice in choices.values() if not choice.shadowed}

    def choice(self, name: str, given: dict[str, Any]) -> str:
        """The name of the choice that has these words, or what stands for them."""
        words = frozenset(inner.get("token", "") for inner in given["arguments"])
        if words in (frozenset({"YES", "NO"}), frozenset({"ON", "OFF"})):
            return "yes" if "YES" in words else "on"
        for known, found in self.by_words.items():
            if words == known or (words < known and found in ("SetCondition", "ClientType")):
                return found
        raise SystemExit(f"choices.txt: {name} needs a choice of {', '.join(sorted(words))}")

    def value(self, name: str, given: dict[str, Any]) -> Value:
        """One argument without its token."""
        flags = given.get("flags", [])
        optional = "optional" in flags and "token" not in given
        many = "" if "multiple" not in flags else "*" if optional else "+"
        if given["type"] == "oneof":
            return Value(camel(given["name"]), self.choice(name, given))
        kind = TYPES[given["type"]]
        if given["name"] == "timeout" and kind == "d":
            kind = "sec"
        return Value(camel(given["name"]), "#" if given["name"] in COUNTS else kind, many)

    def inner(self, name: str, given: dict[str, Any]) -> list[Word | Value | Pairs]:
        """An argument without its brackets."""
        found: list[Word | Value | Pairs] = [Word(given["token"])] if "token" in given else []
        if given["type"] == "pure-token":
            return found
        if given["type"] == "block":
            parts = given["arguments"]
            if "multiple" in given.get("flags", []):
                if [part["type"] for part in parts] not in (["string", "string"], ["key", "string"]):
                    raise SystemExit(f"{name} needs a form: {given['name']} is a block that is repeated")
                return [*found, Pairs("values", parts[0]["type"], "t")]
            for part in parts:
                found += self.inner(name, part)
            return found
        return [*found, self.value(name, given)]

    def pieces(self, name: str, arguments: list[dict[str, Any]]) -> list[Piece]:
        """The pieces of a command."""
        found: list[Piece] = []
        for given in arguments:
            inner = self.inner(name, given)
            flags = given.get("flags", [])
            many = "multiple" in flags and "token" not in given
            if "optional" in flags and not many:
                if "multiple_token" in flags or any(part.get("flags") for part in given.get("arguments", [])):
                    raise SystemExit(f"{name} needs a form for {given['name']}")
                method = camel(inner[0].text) if isinstance(inner[0], Word) else camel(given["name"])
                found.append(Option(method, tuple(inner)))
            else:
                found += inner
        return joined(found)
