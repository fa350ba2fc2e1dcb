"""Strings and lists of them (bridge.md section 4)."""

from __future__ import annotations

from spec.oracle.bridge.topic import Topic

TOPIC = Topic("texts", "bridge.md#4-kinds-and-values")


def text(value: str) -> dict[str, str]:
    return {"string": value}


TEXTS = {
    "empty": "",
    "ascii": "hello",
    "nul": "a\0b",
    "latin": "Gr\u00fc\u00df \u00ff",
    "63 characters": "a" * 63,
    "64 characters": "a" * 64,
    "wide": "\u20ac",
    "mixed": "Gr\u00fc\u00df und \u4f60\u597d",
    "first beyond Latin-1": "\u0100",
    "astral": "\U0001f600!",
    "last code point": "\U0010ffff",
    "byte order mark": "\ufeffa",
    "not normalised": "e\u0301 \u00e9",
    "8,191 characters": "x" * 8191,
    "8,192 wide characters": "\u0436" * 8192,
}

for name, value in TEXTS.items():
    TOPIC.value(name, "string", text(value))
TOPIC.value("lone high surrogate", "string", {"units": "d800"})
TOPIC.value("lone low surrogate", "string", {"units": "0061dc000062"})
TOPIC.value("surrogates in the wrong order", "string", {"units": "dc00d800"})
TOPIC.value("ascii in UTF-16", "string", text("hi"), b"\x05h\0i\0")
TOPIC.value("latin in UTF-16", "string", text("\u00ff"), b"\x03\xff\0")
TOPIC.value("empty in UTF-16", "string", text(""), b"\1")
TOPIC.value("option, null", "option<string>", None)
TOPIC.value("option, empty", "option<string>", text(""))
TOPIC.value("option, wide", "option<string>", text("\u20ac"))
TOPIC.value("list, empty", "list<string>", {"list<string>": []})
TOPIC.value("list of three", "list<string>", {"list<string>": [text("a"), text(""), text("\u20ac")]})
TOPIC.value("list with a lone surrogate", "list<string>", {"list<string>": [{"units": "dbff"}]})
TOPIC.value("list of 200", "list<string>", {"list<string>": [text(str(number)) for number in range(200)]})
TOPIC.value("list of empty strings", "list<string>", {"list<string>": [text("")] * 100})
TOPIC.value("option of a list", "option<list<string>>", {"list<string>": [text("x")]})
TOPIC.value("option of a list, null", "option<list<string>>", None)

TOPIC.refused("no bytes", "string", b"", "truncated", 0)
TOPIC.refused("a character too few", "string", b"\x06ab", "truncated", 3)
TOPIC.refused("half a unit too few", "string", b"\x03a", "truncated", 2)
TOPIC.refused("a character too many", "string", b"\x02ab", "trailing", 2)
TOPIC.refused("length over-long", "string", b"\x82\x00a", "bad_number", 0)
TOPIC.refused("length over-long in ten bytes", "string", b"\x80" * 9 + b"\0", "bad_number", 0)
TOPIC.refused("length beyond 64 bits", "string", b"\xff" * 9 + b"\2", "bad_number", 0)
TOPIC.refused("length of eleven bytes", "string", b"\xff" * 10 + b"\1", "bad_number", 0)
TOPIC.refused("length of 2^63 - 1 characters", "string", b"\xfe" + b"\xff" * 8 + b"\1", "truncated", 10)
TOPIC.refused("length of 2^63 - 1 units", "string", b"\xff" * 9 + b"\1ab", "truncated", 12)
TOPIC.refused("length cut", "string", b"\x80\x80", "truncated", 2)
TOPIC.refused("length cut at its ninth byte", "string", b"\xff" * 9, "truncated", 9)
TOPIC.refused("list with a count over its bytes", "list<string>", b"\x05\0\0\0\0", "truncated", 5)
TOPIC.refused("list of 2^60", "list<string>", b"\x80" * 8 + b"\x10", "limit_items", 0)
TOPIC.refused("list cut in a string", "list<string>", b"\x02\x02a\x06ab", "truncated", 6)
TOPIC.refused("list beyond its items", "list<string>", b"\x03\0\0\0", "limit_items", 0, items=2)
TOPIC.refused("list beyond its cells", "list<string>", b"\x03\0\0\0", "limit_items", 0, cells=5)
TOPIC.refused("list with an over-long length", "list<string>", b"\x02\x02a\x80\0", "bad_number", 3)
