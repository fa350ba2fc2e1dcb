"""Calls of Java's factories that send given words: the words are matched with the forms of their command.

What Java's client must send for a call is thereby said by Python's client.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from codegen.redis.java.arguments import SPECIAL
from codegen.redis.java.choices import Choice, choices
from codegen.redis.java.tree import Form, Option, Pairs, Piece, Special, Value, Word, camel

CHOICES: dict[str, Choice] = choices()


@dataclass(frozen=True)
class Match:
    """A part of a form matched: the arguments in Java, those behind all others, options, and the words as Java sends them."""

    arguments: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    options: tuple[tuple[Option, str], ...] = ()
    words: tuple[bytes, ...] = ()

    def __add__(self, other: Match) -> Match:
        return Match(
            self.arguments + other.arguments, self.last + other.last, self.options + other.options, self.words + other.words
        )


@dataclass
class Call:
    """A call of a factory, and what it sends."""

    form: Form
    source: str
    words: tuple[bytes, ...]
    options: set[str] = field(default_factory=set)


Words = tuple[bytes, ...]
Found = Iterator[tuple[Match, int]]


def literal(word: bytes) -> str:
    """A text in Java."""
    try:
        text = word.decode()
    except UnicodeDecodeError:
        return f'bytes("{word.hex()}")'
    if not text.isprintable():
        return f'bytes("{word.hex()}")'
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isascii() else f"\\u{ord(c):04x}" for c in escaped) + '"'


def integer(word: bytes) -> str | None:
    if not re.fullmatch(rb"-?\d+", word):
        return None
    return word.decode() + ("" if abs(int(word)) < 2**31 else "L")


def double(word: bytes) -> tuple[str, bytes] | None:
    """A double in Java, and as Java sends it: without a fraction of zero."""
    if not re.fullmatch(rb"-?(\d+(\.\d+)?|inf)", word):
        return None
    if word.endswith(b"inf"):
        return f"Double.{'NEGATIVE' if word.startswith(b'-') else 'POSITIVE'}_INFINITY", word
    return repr(float(word)), word.removesuffix(b".0")


def one(kind: str, word: bytes) -> tuple[str, bytes] | None:
    """One argument of a type of forms, and the word that Java sends for it; None if the word is not of that type."""
    match kind:
        case "t" | "k":
            return literal(word), word
        case "i":
            found = integer(word)
            return (found, word) if found else None
        case "d":
            return double(word)
        case "bit" | "on" | "yes":
            texts = {"bit": ("1", "0"), "on": ("ON", "OFF"), "yes": ("YES", "NO")}[kind]
            return ("true" if word.decode() == texts[0] else "false", word) if word.decode() in texts else None
        case "ms":
            return (f"Duration.ofMillis({word.decode()})", word) if re.fullmatch(rb"\d+", word) else None
        case "sec":
            if not re.fullmatch(rb"\d+(\.\d+)?", word):
                return None
            return f"Duration.ofMillis({round(float(word) * 1000)})", word.removesuffix(b".0")
        case "score":
            if word in (b"-inf", b"+inf"):
                return f"ScoreBound.{'MIN' if word == b'-inf' else 'MAX'}", word
            inner = double(word.removeprefix(b"("))
            if inner is None or word.endswith(b"inf"):
                return None
            return f"ScoreBound.{'exclusive' if word.startswith(b'(') else 'of'}({inner[0]})", word.removesuffix(b".0")
        case "lex":
            if word in (b"-", b"+"):
                return f"LexBound.{'MIN' if word == b'-' else 'MAX'}", word
            method = {b"[": "of", b"(": "exclusive"}.get(word[:1])
            return (f"LexBound.{method}({literal(word[1:])})", word) if method else None
    return None


def chosen(name: str, words: Words, at: int) -> Found:
    """A choice, or a class written by hand, at a position."""
    if name in BY_HAND:
        yield from BY_HAND[name](words, at)
        return
    choice = CHOICES[name]
    for case in choice.cases:
        if choice.is_enum:
            parts = tuple(part.encode() for part in case.pieces)
            if tuple(word.upper() for word in words[at : at + len(parts)]) == parts:
                yield Match((f"{name}.{case.token.replace(' ', '_').replace('-', '_')}",), words=parts), at + len(parts)
            continue
        pieces: list[Piece] = []
        for text in case.pieces:
            parameter, _, kind = text.partition(":")
            pieces.append(Word(text) if text.isupper() else Value(camel(parameter), kind or "t"))
        for found, end in matched(pieces, 0, words, at):
            made = f".{case.method}({', '.join(found.arguments)})" if case.parameters else f".{case.token}"
            yield Match((name + made,), words=found.words), end


def trim(words: Words, at: int) -> Found:
    """A StreamTrim."""
    text = [word.decode("latin-1") for word in words[at : at + 5]]
    if len(text) < 2 or text[0] not in ("MAXLEN", "MINID"):
        return
    about = text[1] == "~"
    value = text[1 + about]
    argument = value if text[0] == "MAXLEN" else f'"{value}"'
    made = f"StreamTrim.{text[0].lower()}({argument})"
    end = at + 2 + about
    if not about:
        yield Match((made,), words=tuple(words[at:end])), end
    elif text[3:4] == ["LIMIT"]:
        yield Match((f"{made}.approximately({text[4]})",), words=tuple(words[at : end + 2])), end + 2
    yield Match((f"{made}.approximately()",), words=tuple(words[at:end])), end


def area(words: Words, at: int) -> Found:
    """A GeoArea."""
    text = [word.decode("latin-1") for word in words]
    number = [(double(word) or ("", b""))[0] for word in words]
    sent = [(double(word) or ("", word))[1] for word in words]
    if text[at : at + 1] == ["BYPOLYGON"]:
        count = int(text[at + 1])
        end = at + 2 + 2 * count
        if count < 3 or end > len(words) or not all(number[at + 2 : end]):
            return
        corners = ", ".join(f"new GeoPosition({number[i]}, {number[i + 1]})" for i in range(at + 2, end, 2))
        yield Match((f"GeoArea.polygon(List.of({corners}))",), words=tuple(sent[at:end])), end
        return
    if text[at : at + 1] == ["FROMMEMBER"]:
        center, by = f"GeoCenter.member({literal(words[at + 1])})", at + 2
    elif text[at : at + 1] == ["FROMLONLAT"]:
        center, by = f"GeoCenter.at({number[at + 1]}, {number[at + 2]})", at + 3
    else:
        return
    if text[by : by + 1] == ["BYRADIUS"]:
        end = by + 3
        made = f"{center}.radius({number[by + 1]}, GeoUnit.{text[by + 2].upper()})"
    elif text[by : by + 1] == ["BYBOX"]:
        end = by + 4
        made = f"{center}.box({number[by + 1]}, {number[by + 2]}, GeoUnit.{text[by + 3].upper()})"
    else:
        return
    yield Match((made,), words=(*sent[at : end - 1], words[end - 1].upper())), end


def migration(words: Words, at: int) -> Found:
    """A SlotMigration."""
    if words[at : at + 1] != (b"SLOTSRANGE",):
        return
    for ranges, end in special("ranges", words, at + 1):
        if words[end : end + 1] == (b"NODE",) and end + 1 < len(words):
            arguments = ", ".join([literal(words[end + 1]), *ranges.last])
            yield Match((f"SlotMigration.to({arguments})",), words=words[at : end + 2]), end + 2


BY_HAND = {"StreamTrim": trim, "GeoArea": area, "SlotMigration": migration}


def pairs(words: Words, at: int, kinds: Sequence[str], made: str, entry: str) -> Found:
    """The entries of a map, or ranges: as many as there may be, the longest first."""
    found: list[tuple[Match, int]] = []
    entries: list[str] = []
    keys: set[str] = set()
    sent: tuple[bytes, ...] = ()
    while at + len(kinds) <= len(words):
        parts = [one(kind, words[at + i]) for i, kind in enumerate(kinds)]
        if None in parts:
            break
        at += len(kinds)
        values = [part[0] for part in parts if part]
        key = entry.partition(", ")[0].format(*values)
        if key in keys and made.startswith("map("):
            break
        keys.add(key)
        entries.append(entry.format(*values))
        sent += tuple(part[1] for part in parts if part)
        found.append((Match((made.format(", ".join(entries)),), words=sent), at))
    yield from reversed(found)


def special(name: str, words: Words, at: int) -> Found:
    """A parameter with a form of its own."""
    match name:
        case "scores":
            yield from pairs(words, at, "dt", "map({})", "{1}, {0}")
        case "elements":
            yield from pairs(words, at, "it", "map({})", "{0}L, {1}")
        case "places":
            yield from pairs(words, at, "ddt", "map({})", "{2}, new GeoPosition({0}, {1})")
        case "ranges":
            for found, end in pairs(words, at, "ii", "{}", "new IndexRange({0}, {1})"):
                yield Match(last=found.arguments, words=found.words), end
        case "streams":
            half = (len(words) - at) // 2
            keys, ids = words[at : at + half], words[at + half :]
            if half and len(words) == at + 2 * half:
                entries = ", ".join(f"{literal(key)}, {literal(number)}" for key, number in zip(keys, ids, strict=True))
                yield Match((f"map({entries})",), words=tuple(words[at:])), len(words)
        case "keys":
            if (count := count_at(words, at)) is not None:
                end = at + 1 + count
                yield Match((f"List.of({', '.join(map(literal, words[at + 1 : end]))})",), words=tuple(words[at:end])), end
        case "weights":
            count = count_at(words, at) or 0
            end = at + 2 + 2 * count
            weights = [double(word) for word in words[at + 2 + count : end]]
            if count and words[at + 1 + count : at + 2 + count] == (b"WEIGHTS",) and None not in weights:
                keys = words[at + 1 : at + 1 + count]
                entries = ", ".join(f"{literal(key)}, {weight[0]}" for key, weight in zip(keys, weights, strict=True) if weight)
                sent = (*words[at : at + 2 + count], *(weight[1] for weight in weights if weight))
                yield Match((f"map({entries})",), words=sent), end
        case "metrics" | "predicates" | "migrations":
            yield from several(name, words, at)


def several(name: str, words: Words, at: int) -> Found:
    """One or more choices; `metrics` with their number before them."""
    choice = SPECIAL[name][0]
    start = at + (name == "metrics")
    found = [(Match(words=tuple(words[at:start])), start)]
    while True:
        more = next(chosen(choice, words, found[-1][1]), None)
        if more is None:
            break
        found.append((found[-1][0] + Match(last=more[0].arguments, words=more[0].words), more[1]))
    yield from reversed(found[1:])


def count_at(words: Words, at: int) -> int | None:
    """A number of words that follow, if there are so many."""
    if at >= len(words) or not re.fullmatch(rb"\d+", words[at]):
        return None
    count = int(words[at])
    return count if at + 1 + count <= len(words) else None


def many(piece: Value, words: Words, at: int) -> Found:
    """A parameter that may be repeated: as few words as the rest leaves."""
    start, most = at, len(words)
    if piece.counted:
        count = count_at(words, at)
        if not count:
            return
        start, most = at + 1, at + 1 + count
    values: list[tuple[str, bytes]] = []
    for word in words[start:most]:
        value = one(piece.type, word)
        if value is None:
            break
        values.append(value)
    least = 1 if piece.many == "+" else 0
    for length in range(least, len(values) + 1):
        if piece.counted and start + length != most:
            continue
        sent = tuple(value[1] for value in values[:length])
        made = tuple(value[0] for value in values[:length])
        yield Match(last=made, words=tuple(words[at:start]) + sent), start + length


def option(piece: Option, words: Words, at: int) -> Found:
    """An option: with its words, then without."""
    for found, end in matched(list(piece.pieces), 0, words, at):
        if end > at:
            arguments = ", ".join([*found.arguments, *found.last])
            made = Match(options=((piece, f".{piece.method}({arguments})"),), words=found.words)
            if piece.default and found.words == (piece.default.encode(),):
                made = Match(words=found.words)
            if piece.repeated:
                for rest, last in option(piece, words, end):
                    yield made + rest, last
            yield made, end
    if not piece.default:
        yield Match(), at


def matched(pieces: Sequence[Piece], index: int, words: Words, at: int) -> Found:
    """The ways in which words match pieces, from an index and a position on."""
    if index == len(pieces):
        yield Match(), at
        return
    piece = pieces[index]
    for found, end in single(piece, words, at):
        for rest, last in matched(pieces, index + 1, words, end):
            yield found + rest, last


def single(piece: Piece, words: Words, at: int) -> Found:
    """The ways in which words match one piece."""
    match piece:
        case Word():
            parts = tuple(part.encode() for part in (piece.text.split(" ") if piece.text else [""]))
            if tuple(word.upper() for word in words[at : at + len(parts)]) == parts:
                yield Match(words=parts), at + len(parts)
        case Option():
            yield from option(piece, words, at)
        case Pairs():
            start = at + piece.counted
            for found, end in pairs(words, start, "tt", "map({})", "{0}, {1}"):
                if (
                    not piece.counted
                    or count_at(words, at) == (end - start) // 2
                    or words[at] == str((end - start) // 2).encode()
                ):
                    yield Match(words=tuple(words[at:start])) + found, end
        case Special():
            yield from special(piece.name, words, at)
        case Value() if piece.many:
            yield from many(piece, words, at)
        case Value() if piece.type in CHOICES or piece.type in BY_HAND:
            yield from chosen(piece.type, words, at)
        case Value() if at < len(words):
            value = one(piece.type, words[at])
            if value:
                yield Match((value[0],), words=(value[1],)), at + 1


def call(group: str, form: Form, words: Words) -> Call | None:
    """The call of a form that sends these words behind the command's name; None if there is none."""
    for found, end in matched(form.pieces, 0, words, 0):
        if end != len(words):
            continue
        plain = [source for piece, source in found.options if not piece.reply]
        last = [source for piece, source in found.options if piece.reply]
        if len(last) > 1:
            continue
        arguments = ", ".join([*found.arguments, *found.last])
        source = f"{group}.{form.method}({arguments}){''.join([*plain, *last])}"
        return Call(form, source, found.words, {piece.method for piece, _ in found.options})
    return None
