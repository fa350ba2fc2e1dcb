"""Calls, replies, batches, exceptions, releases and what goes over control channels (bridge.md sections 2 and 6 to 11)."""

from __future__ import annotations

from typing import Any

from spec.oracle.bridge.cases.definitions import first, integer
from spec.oracle.bridge.messages import BYTES, MESSAGES, Site, write
from spec.oracle.bridge.topic import Topic

TOPIC = Topic("messages", "bridge.md#2-bytes")

ADD = Site(["i32", "i32"], "i32")
SHOUT = Site(["object 5", "string"], "option<string>")
LARGE = Site(["bytes"], "list<i64>")


def call(site: int, *values: Any) -> dict[str, Any]:
    return {"call": {"site": str(site), "arguments": list(values)}}


def thrown(**given: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {"object": {"sender": ["3", "9"]}, "type": "java.lang.IllegalStateException", "code": ""}
    return {"throw": plain | {"message": {"string": "no"}, "trace": {"string": ""}} | given}


TOPIC.message("call", call(1, integer(3), integer(-4)), site=ADD)
TOPIC.message("call of a receiver", call(65535, {"receiver": "12"}, {"string": "\u20ac"}), site=SHOUT)
TOPIC.message("call without arguments", call(128), site=Site())
TOPIC.message("call with a blob", call(2, {"blob": "65536"}), site=LARGE)
TOPIC.message("nothing", {"nothing": None})
TOPIC.message("return", {"return": integer(7)}, site=ADD)
TOPIC.message("return of null", {"return": None}, site=SHOUT)
TOPIC.message("return of a text", {"return": {"string": "hi"}}, site=SHOUT)
TOPIC.message("return of a blob", {"return": {"blob": "8192"}}, site=LARGE)
for kind, value in {
    "void": None,
    "i32": integer(7),
    "option<string>": {"string": "x"},
    "any": {"list": [{"i64": "1"}]},
    "object": {"sender": ["1", "2"]},
    "class": None,
    "list<f64>": {"list<f64>": ["3ff0000000000000"]},
    "timestamp": {"pack": ["timestamp", "4000"]},
}.items():
    TOPIC.message(f"first return of {kind}", {"first return": {"kind": kind, "value": value}})
TOPIC.message("throw", thrown())
TOPIC.message("throw without a message", thrown(message=None))
TOPIC.message("throw of the receiver's own", thrown(object={"receiver": "6"}, type="ValueError"))
TOPIC.message("throw of the bridge", thrown(object=None, type="", code="type_mismatch", message={"string": "no overload"}))
TOPIC.message(
    "throw of a method that Python lacks",
    thrown(object=None, type="", code="misuse", message={"string": "an object of class Shelf has no method size"}),
)
TOPIC.message("throw with a traceback", thrown(type="ValueError", trace={"string": "Traceback \u2026\n"}))
TOPIC.message("throw with lone surrogates", thrown(message={"units": "d800"}, trace={"units": "dc00"}))
TOPIC.message("blob", {"blob": bytes(range(256)).hex()})
TOPIC.message("release of one", {"release": [["1", "1"]]})
TOPIC.message("release of none", {"release": []})
TOPIC.message("release of three", {"release": [["1", "1"], ["300", "70000"], [str(2**60 - 1), str(2**64 - 1)]]})
TOPIC.message("interrupt", {"interrupt": "5"})
TOPIC.message("interrupt of the last channel", {"interrupt": str(2**32 - 1)})
TOPIC.message("ping", {"ping": "1"})
TOPIC.message("pong", {"pong": str(2**64 - 1)})
TOPIC.message("bye", {"bye": {"code": "closed", "text": "the program ends"}})
TOPIC.message("bye with a wide text", {"bye": {"code": "malformed", "text": "\u20ac"}})
TOPIC.message("more", {"more": None})
PAIR = [call(1, integer(1), integer(2)), first(1, "", "size", ["result"], [{"result": "0"}])]
TOPIC.message("batch", {"batch": PAIR}, site=ADD)
TOPIC.message("batch of none", {"batch": []})
TOPIC.message("batch of one", {"batch": PAIR[1:]})
REPLIES = [{"nothing": None}, {"return": integer(7)}, {"first return": {"kind": "void", "value": None}}, thrown()]
TOPIC.message("batch return", {"batch return": REPLIES}, site=ADD)
TOPIC.message("batch return of none", {"batch return": []})

TOPIC.refused("no bytes", None, b"", "truncated", 0)
for byte in range(256):
    if byte not in MESSAGES:
        TOPIC.refused(f"byte {byte:02x}", None, bytes([byte, 0]), "malformed", 0)
for message in ("nothing", "more"):
    TOPIC.refused(f"{message} and a byte", None, bytes([BYTES[message], 0]), "trailing", 1)
TOPIC.refused("call of site 0", None, b"\x10\0", "malformed", 1)
TOPIC.refused("call of site 65,536", None, b"\x10\x80\x80\x04", "malformed", 1)
TOPIC.refused("call with an argument cut", ADD, write(call(1, integer(3), integer(-4)), ADD)[:-1], "truncated", 9)
TOPIC.refused("call with a byte too many", ADD, write(call(1, integer(3), integer(-4)), ADD) + b"\0", "trailing", 10)
TOPIC.refused("call with another object", SHOUT, b"\x10\1\0\2a", "malformed", 2)
TOPIC.refused("return of a flag 2", SHOUT, b"\x21\2\0", "malformed", 1)
TOPIC.refused("return and a byte", ADD, b"\x21\7\0\0\0\0", "trailing", 5)
TOPIC.refused("first return of null", None, b"\x22\x08null", "malformed", 1)
TOPIC.refused("first return of no kind", None, b"\x22\0", "malformed", 1)
TOPIC.refused("throw with a code that there is not", None, b"\x23\0\0\x04no\0\0", "malformed", 3)
TOPIC.refused("throw with a flag 2", None, b"\x23\0\0\0\2\0", "malformed", 4)
TOPIC.refused("throw of object 0", None, b"\x23\1\0\0\0\0", "malformed", 1)
TOPIC.refused("throw of a type with a lone surrogate", None, b"\x23\0\3\0\xd8\0\0\0", "bad_utf8", 2)
TOPIC.refused("blob without bytes", None, b"\x28", "truncated", 1)
TOPIC.refused("release of object 0", None, b"\x30\1\0\1", "malformed", 2)
TOPIC.refused("release of object 2^60", None, b"\x30\1" + b"\x80" * 8 + b"\x10\1", "malformed", 2)
TOPIC.refused("release of no references", None, b"\x30\1\1\0", "malformed", 3)
TOPIC.refused("release of more than its bytes", None, b"\x30\2\1\1\1", "truncated", 5)
TOPIC.refused("release beyond the items", None, b"\x30\2\1\1\2\1", "limit_items", 1, items=1)
TOPIC.refused("release beyond the cells", None, b"\x30\2\1\1\2\1", "limit_items", 1, cells=11)
TOPIC.refused("release and a byte", None, b"\x30\1\1\1\1", "trailing", 4)
TOPIC.refused("interrupt of channel 2^32", None, b"\x31\x80\x80\x80\x80\x10", "malformed", 1)
TOPIC.refused("interrupt without a channel", None, b"\x31", "truncated", 1)
TOPIC.refused("ping cut", None, b"\x32" + bytes(7), "truncated", 8)
TOPIC.refused("pong and a byte", None, b"\x33" + bytes(9), "trailing", 9)
TOPIC.refused("bye without a code", None, b"\x34\0\0", "malformed", 1)
TOPIC.refused("bye with a lone surrogate", None, b"\x34\x0cclosed\3\0\xdc", "bad_utf8", 8)
TOPIC.refused("batch with a reply", None, b"\x12\1\1\x20", "malformed", 3)
TOPIC.refused("batch with a batch", None, b"\x12\1\2\x12\0", "malformed", 3)
TOPIC.refused("batch with an empty call", None, b"\x12\1\0", "malformed", 3)
TOPIC.refused("batch cut", None, b"\x12\2\2\x10\1", "truncated", 5)
TOPIC.refused("batch of more calls than bytes", None, b"\x12\5\2\x10\1", "truncated", 5)
TOPIC.refused("batch beyond the items", Site(), b"\x12\2\2\x10\1\2\x10\1", "limit_items", 1, items=1)
TOPIC.refused("batch with a call that is too long", Site(), b"\x12\1\3\x10\1\0", "trailing", 2)
TOPIC.refused("batch with a blob", Site(["bytes"]), b"\x12\1\3\x10\1\3", "malformed", 2)
TOPIC.refused("batch return with a call", None, b"\x24\1\2\x10\1", "malformed", 3)
TOPIC.refused("batch return with a blob", LARGE, b"\x24\1\2\x21\3", "malformed", 1)
TOPIC.refused("batch return and a byte", None, b"\x24\1\1\x20\0", "trailing", 4)
TOPIC.refused("items of all calls of a batch", Site(["list"]), b"\x12\2\4\x10\1\1\0\4\x10\1\1\0", "limit_items", 2, items=3)
