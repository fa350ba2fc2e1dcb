"""References to objects (bridge.md section 9)."""

from __future__ import annotations

from typing import Any

from spec.oracle.bridge.topic import Topic

TOPIC = Topic("references", "bridge.md#9-references-and-classes")

MOST = 2**60 - 1


def receiver(number: int) -> dict[str, Any]:
    return {"receiver": str(number)}


def sender(number: int, of_class: int) -> dict[str, Any]:
    return {"sender": [str(number), str(of_class)]}


TOPIC.value("null", "object", None)
for number in (1, 63, 64, 8191, 8192, 2**31, 2**32, 2**53 + 1, MOST):
    TOPIC.value(f"receiver's {number}", "object", receiver(number))
    TOPIC.value(f"sender's {number}", "object", sender(number, 17))
    TOPIC.value(f"receiver's {number} of a class", "object 17", receiver(number))
    TOPIC.value(f"peer {number}", "peer", sender(number, 0))
for of_class in (0, 1, 127, 128, 2**31 - 1):
    TOPIC.value(f"sender's of class {of_class}", "object", sender(5, of_class))
TOPIC.value("peer of interfaces", "peer java.lang.Runnable java.util.Comparator", sender(3, 0))
TOPIC.value("result of call 0", "result", {"result": "0"})
TOPIC.value("result of call 300", "result", {"result": "300"})

TOPIC.refused("no bytes", "object", b"", "truncated", 0)
TOPIC.refused("sender's 0", "object", b"\1\0", "malformed", 0)
TOPIC.refused("sender's without a class", "object", b"\3", "truncated", 1)
TOPIC.refused("sender's of class 2^31", "object", b"\3\x80\x80\x80\x80\x08", "malformed", 1)
TOPIC.refused("receiver's 2^60", "object", b"\x80" * 8 + b"\x20", "malformed", 0)
TOPIC.refused("sender's 2^60", "object", b"\x81" + b"\x80" * 7 + b"\x20\0", "malformed", 0)
TOPIC.refused("receiver's 2^63 - 1", "object", b"\xfe" + b"\xff" * 8 + b"\1", "malformed", 0)
TOPIC.refused("over-long", "object", b"\x82\0", "bad_number", 0)
TOPIC.refused("over-long class", "object", b"\3\x80\0", "bad_number", 1)
TOPIC.refused("a receiver that is null", "object 17", b"\0", "malformed", 0)
TOPIC.refused("a receiver of the sender's", "object 17", b"\3\1", "malformed", 0)
TOPIC.refused("a peer that is null", "peer", b"\0", "malformed", 0)
TOPIC.refused("a peer of the receiver's", "peer", b"\4", "malformed", 0)
TOPIC.refused("a peer cut", "peer", b"\3", "truncated", 1)
TOPIC.refused("null and a byte", "object", b"\0\0", "trailing", 1)
TOPIC.refused("result, over-long", "result", b"\x80\0", "bad_number", 0)
