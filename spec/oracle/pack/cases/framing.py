"""Frames: a stream of messages, each behind its length."""

from __future__ import annotations

from spec.oracle.pack.cases.table import Topic

TOPIC = Topic("framing", "pack.md#14-frames")
LONG = "80c801" + "07" * 200

TOPIC.frames("nothing", "", [])
TOPIC.frames("one message", "02 8002", ["8002"])
TOPIC.frames("three messages", "02 8002 01 80 03 808001", ["8002", "80", "808001"])
TOPIC.frames("a length of two bytes", f"cb01 {LONG}", [LONG])
TOPIC.frames("messages are not looked into", "03 ffffff 01 00", ["ffffff", "00"])
TOPIC.frames("a message at the limit", "02 8002", ["8002"], frame_bytes=2)
TOPIC.frames("cut in the length", "80", [], "truncated", 1)
TOPIC.frames("cut before the message", "02", [], "truncated", 1)
TOPIC.frames("cut in the message", "02 8002 03 8080", ["8002"], "truncated", 6)
TOPIC.frames("cut in a second length", "02 8002 80", ["8002"], "truncated", 4)
TOPIC.frames("a length of zero", "00", [], "malformed", 0)
TOPIC.frames("a length of zero after a message", "02 8002 00 02 8002", ["8002"], "malformed", 3)
TOPIC.frames("a length over the limit", "03 808001", [], "limit_size", 0, frame_bytes=2)
TOPIC.frames("a length over the limit, nothing more", "03", [], "limit_size", 0, frame_bytes=2)
TOPIC.frames("a second length over the limit", "02 8002 03 808001", ["8002"], "limit_size", 3, frame_bytes=2)
TOPIC.frames("a length over the default limit", "81808020", [], "limit_size", 0)
TOPIC.frames("a length of 2^31 less one", "ffffffff07", [], "limit_size", 0)
TOPIC.frames("a length of 2^31", "8080808008", [], "bad_number", 0)
TOPIC.frames("a length of 33 bits", "8080808010", [], "bad_number", 0)
TOPIC.frames("a length of six bytes", "808080808001", [], "bad_number", 0)
TOPIC.frames("an over-long length", "8200 8002", [], "bad_number", 0)
TOPIC.frames("an over-long length after a message", "02 8002 8100 80", ["8002"], "bad_number", 3)
TOPIC.frames("an over-long zero", "8000", [], "bad_number", 0)
TOPIC.frames("a frame as long as the buffer", "02 8002", ["8002"], buffered_bytes=3)
TOPIC.frames("a frame longer than the buffer", "02 8002 03 808001", ["8002"], "limit_size", 3, buffered_bytes=3)
TOPIC.frames("a frame longer than the buffer, nothing more", "03", [], "limit_size", 0, buffered_bytes=3)
