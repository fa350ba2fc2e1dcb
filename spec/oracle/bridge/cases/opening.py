"""Hello, welcome and refused (bridge.md section 3)."""

from __future__ import annotations

from typing import Any

from spec.oracle.bridge.messages import Site, write
from spec.oracle.bridge.topic import Topic

TOPIC = Topic("opening", "bridge.md#3-opening")

TOKEN = bytes(range(32)).hex()
SESSION = bytes(range(100, 116)).hex()


def hello(**given: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {"role": 0, "token": TOKEN, "session": "", "language": "python 3.11.2", "process": "4711"}
    return {"hello": plain | {"wants": [], "records": [], "ring": None} | given}


def welcome(**given: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {"session": SESSION, "channel": "0", "language": "java 17.0.9", "process": "4712", "takes": []}
    return {"welcome": plain | {"records": [], "frame_bytes": "67108864", "ring": False} | given}


def at(data: bytes, index: int, byte: int) -> bytes:
    return data[:index] + bytes([byte]) + data[index + 1 :]


RECORDS = [["org.shop.Item", "0102030405060708"], ["Stra\u00dfe", "ffffffffffffffff"]]
RING = {"path": "/proc/4711/fd/7", "capacity": "1048576", "generation": "18446744073709551615"}

TOPIC.message("control", hello())
TOPIC.message("call channel", hello(role=1, session=SESSION))
TOPIC.message("call channel that goes on", hello(role=1, session=SESSION + "07000000"))
TOPIC.message("callback channel", hello(role=2, session=SESSION))
TOPIC.message("without a token", hello(token=""))
TOPIC.message("with features and records", hello(wants=["a", "b c"], records=RECORDS))
TOPIC.message("with shared memory", hello(role=1, session=SESSION, ring=RING))
for capacity in (65536, 16777216):
    TOPIC.message(f"with a ring of {capacity}", hello(role=1, session=SESSION, ring=RING | {"capacity": str(capacity)}))
TOPIC.message("with a path beyond Latin-1", hello(role=1, session=SESSION, ring=RING | {"path": "/tmp/\u6771/ring"}))
TOPIC.message("largest process", hello(process=str(2**64 - 1)))
TOPIC.message("of 64 KiB", hello(token="00" * (65536 - len(write(hello(token=""), Site())) - 2)))
TOPIC.message("welcome", welcome())
TOPIC.message("welcome with shared memory", welcome(ring=True, channel="4294967295"))
TOPIC.message("welcome with records", welcome(takes=["a"], records=RECORDS[:1]))
TOPIC.message("welcome with the least frames", welcome(frame_bytes="1"))
TOPIC.message("refused", {"refused": {"code": "misuse", "text": "the token is another"}})
TOPIC.message("refused without a text", {"refused": {"code": "unsupported", "text": ""}})

HELLO = write(hello(), Site())
CALL = write(hello(role=1, session=SESSION), Site())
CONTINUED = write(hello(role=1, session=SESSION + "07000000"), Site())
RINGED = write(hello(role=1, session=SESSION, ring=RING), Site())
WELCOME = write(welcome(), Site())
TOPIC.refused("no bytes", None, b"", "truncated", 0)
TOPIC.refused("another version", None, at(HELLO, 1, 2), "unsupported", 1)
TOPIC.refused("version 0", None, at(HELLO, 1, 0), "unsupported", 1)
TOPIC.refused("version 257", None, at(HELLO, 2, 1), "unsupported", 1)
TOPIC.refused("another version, and nothing more", None, b"\1\2\0", "unsupported", 1)
TOPIC.refused("role 3", None, at(HELLO, 3, 3), "malformed", 3)
TOPIC.refused("token that is a blob", None, at(HELLO, 4, 0x41), "malformed", 4)
TOPIC.refused("control channel with a session", None, at(CALL, 3, 0), "malformed", 37)
TOPIC.refused("call channel without a session", None, at(HELLO, 3, 1), "malformed", 37)
TOPIC.refused("session of 15 bytes", None, at(CALL, 37, 30), "malformed", 37)
TOPIC.refused("session of 18 bytes", None, at(CALL, 37, 36), "malformed", 37)
TOPIC.refused("callback channel that goes on", None, at(CONTINUED, 3, 2), "malformed", 37)
TOPIC.refused("language with a lone surrogate", None, HELLO[:38] + b"\3\0\xd8" + HELLO[52:], "bad_utf8", 38)
TOPIC.refused("more features than bytes", None, HELLO[:-3] + b"\x04\0\0", "truncated", len(HELLO))
TOPIC.refused("record cut in its digest", None, HELLO[:-2] + b"\1\2a\0\0\0", "truncated", len(HELLO) + 4)
TOPIC.refused("ring 2", None, HELLO[:-1] + b"\2", "malformed", len(HELLO) - 1)
TOPIC.refused("ring of a capacity that is no power of two", None, at(RINGED, len(RINGED) - 12, 1), "malformed", len(RINGED) - 12)
TOPIC.refused("ring of 32 KiB", None, RINGED[:-12] + b"\0\x80\0\0" + RINGED[-8:], "malformed", len(RINGED) - 12)
TOPIC.refused("ring of 32 MiB", None, RINGED[:-12] + b"\0\0\0\2" + RINGED[-8:], "malformed", len(RINGED) - 12)
TOPIC.refused("hello and a byte", None, HELLO + b"\0", "trailing", len(HELLO))
TOPIC.refused("hello over 64 KiB", None, HELLO + bytes(65536), "limit_size", 0)
TOPIC.refused("welcome of another version", None, at(WELCOME, 1, 9), "unsupported", 1)
TOPIC.refused("welcome with a session of 15 bytes", None, at(WELCOME, 3, 30), "malformed", 3)
TOPIC.refused("welcome without a session", None, WELCOME[:3] + b"\0" + WELCOME[20:], "malformed", 3)
TOPIC.refused("welcome with frames of no bytes", None, WELCOME[:-5] + bytes(5), "malformed", len(WELCOME) - 5)
TOPIC.refused("welcome with ring 2", None, WELCOME[:-1] + b"\2", "malformed", len(WELCOME) - 1)
TOPIC.refused("welcome and a byte", None, WELCOME + b"\0", "trailing", len(WELCOME))
TOPIC.refused("refused with a code that there is not", None, b"\3\x04no\x02a", "malformed", 1)
TOPIC.refused("refused without a code", None, b"\3\0\x02a", "malformed", 1)
TOPIC.refused("refused with a lone surrogate", None, b"\3\x0cmisuse\3\0\xd8", "bad_utf8", 8)
