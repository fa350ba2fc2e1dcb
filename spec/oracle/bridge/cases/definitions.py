"""Sites: definitions with all kinds (bridge.md section 5)."""

from __future__ import annotations

from typing import Any

from spec.oracle.bridge.encode import name
from spec.oracle.bridge.kinds import PLAIN
from spec.oracle.bridge.messages import Site, write
from spec.oracle.bridge.topic import Topic

TOPIC = Topic("definitions", "bridge.md#5-sites")


def first(action: int, of: str, member: str, kinds: list[str], values: list[Any], result: str = "", site: str = "1") -> Any:
    given = {"action": action, "class": of, "member": member, "arguments": kinds, "result": result}
    return {"first call": {"site": site, "definition": given, "arguments": values}}


def integer(value: int) -> dict[str, str]:
    return {"i32": str(value)}


OWN = {"receiver": "7"}

TOPIC.message("construct", first(0, "java.util.ArrayList", "", ["i32"], [integer(10)]))
TOPIC.message("method", first(1, "#17", "add", ["object 17", "string"], [OWN, {"string": "x"}]))
TOPIC.message("method of Python", first(1, "", "compare", ["object", "object", "any"], [OWN, None, {"i64": "5"}], "i32"))
TOPIC.message("method of a result", first(1, "", "size", ["result"], [{"result": "0"}]))
TOPIC.message("static", first(2, "java.lang.Math", "max", ["i32", "i32"], [integer(3), integer(-4)]))
TOPIC.message("static without arguments", first(2, "java.lang.System", "nanoTime", [], []))
TOPIC.message("get", first(3, "#4", "x", ["object 4"], [OWN]))
TOPIC.message("set", first(4, "#4", "x", ["object 4", "null"], [OWN, None]))
TOPIC.message("static get", first(5, "java.lang.Integer", "MAX_VALUE", [], []))
TOPIC.message("static set", first(6, "a.B$C", "count", ["i64"], [{"i64": "-1"}]))
TOPIC.message("describe a number", first(7, "", "", ["i64"], [{"i64": "17"}], "class"))
TOPIC.message("describe a name", first(7, "", "", ["string"], [{"string": "java.util.Map$Entry"}], "class"))
TOPIC.message("largest site", first(2, "A", "b", [], [], site="65535"))
TOPIC.message("site that is not kept", first(2, "A", "b", [], [], site="0"))
TOPIC.message("names beyond Latin-1", first(2, "\u6771.\u00c4", "\U0001f600", [], []))
TOPIC.message("256 arguments", first(2, "A", "b", ["bool"] * 256, [True] * 256))
for result in sorted({"value", "timestamp", "list<struct A {}>", *PLAIN} - {"null", "peer", "result"}):
    TOPIC.message(f"result {result}", first(2, "A", "b", [], [], result))
for number in (1, 17, 2**31 - 1):
    TOPIC.message(f"receiver of class {number}", first(1, f"#{number}", "m", [f"object {number}"], [OWN]))
for kind in ("bigint", "decimal", "list<u8>", "option<timestamp>", "list<any>", "i128", "struct A {x: i32}", "void "):
    TOPIC.message(f"argument that may be a schema: {kind}", first(2, "A", "b", [kind], [{"pack": [kind, "40"]}]))


def defined(kinds: list[str], result: str = "", action: int = 2) -> tuple[bytes, int, int]:
    """The bytes, and where the last argument's kind and the result stand."""
    head = bytes([0x11, 1, action]) + name("A") + name("b") + bytes([len(kinds)])
    before = head + b"".join(map(name, kinds[:-1]))
    return before + b"".join(map(name, kinds[-1:])) + name(result), len(before), len(before + b"".join(map(name, kinds[-1:])))


BAD = ["", "object 0", "object 01", "object -1", "object  5", "object x", "object ", "object 2147483648", "object 99999999999",
       "peer ", "peer  A", "peer A ", "array<string>", "array<u8>", "array<>", "option<void>", "option<null>",
       "option<object>", "option<>", "option<object 0>", "option<array<u8>>", "option<any>", "option<list>", "option<option<i32>>", "option<class>", "option<peer>"]  # fmt: skip
for kind in [*BAD, "void"]:
    data, last, _ = defined(["i32", kind])
    TOPIC.refused(f"argument that is no kind: {kind!r}", None, data, "malformed", last)
for kind in [*BAD[1:], "null", "result", "peer", "peer A", "object 5"]:
    data, _, place = defined([], kind)
    TOPIC.refused(f"result that is no kind: {kind!r}", None, data, "malformed", place)
TOPIC.refused("action 8", None, defined([], action=8)[0], "malformed", 2)
TOPIC.refused("action 255", None, defined([], action=255)[0], "malformed", 2)
TOPIC.refused("kind with a lone surrogate", None, b"\x11\1\2\2A\2b\1\3\0\xd8\0", "bad_utf8", 8)
TOPIC.refused("class with a lone surrogate", None, b"\x11\1\2\3\0\xdc\2b\0\0", "bad_utf8", 3)
TOPIC.refused("site 65,536", None, b"\x11\x80\x80\x04\2\2A\2b\0\0", "malformed", 1)
TOPIC.refused("over-long site", None, b"\x11\x81\0\2\2A\2b\0\0", "bad_number", 1)
TOPIC.refused("257 arguments", None, b"\x11\1\2\2A\2b\x81\2" + b"\x08bool" * 257 + b"\0" + bytes(257), "limit_items", 7)
TOPIC.refused("a count beyond the bytes", None, b"\x11\1\2\2A\2b\x81\2", "truncated", 9)
TOPIC.refused("no bytes", None, b"\x11", "truncated", 1)
WHOLE = write(first(2, "java.lang.Math", "max", ["i32", "i32"], [integer(3), integer(-4)]), Site())
TOPIC.refused("an argument too few", None, WHOLE[:-4], "truncated", len(WHOLE) - 4)
TOPIC.refused("an argument too many", None, WHOLE + b"\0", "trailing", len(WHOLE))
