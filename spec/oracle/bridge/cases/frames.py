"""Streams of frames (bridge.md section 2)."""

from __future__ import annotations

from spec.oracle.bridge.topic import Topic

TOPIC = Topic("frames", "bridge.md#2-bytes")


def frame(message: bytes) -> bytes:
    return len(message).to_bytes(4, "little") + message


TOPIC.stream("none", b"")
TOPIC.stream("one", frame(b"\x20"))
TOPIC.stream("three", frame(b"\x20") + frame(b"\x32" + bytes(8)) + frame(b"\x28" + b"x" * 300))
TOPIC.stream("of the most bytes", frame(bytes(16)) * 2, frame_bytes=16)
TOPIC.stream("no length", b"\0\0\0\0", "malformed", 0)
TOPIC.stream("no length behind a frame", frame(b"\x35") + bytes(4), "malformed", 5)
TOPIC.stream("a byte too long", frame(bytes(16)) + frame(bytes(17)), "limit_size", 20, frame_bytes=16)
TOPIC.stream("beyond the default", b"\x01\0\0\x04", "limit_size", 0)
TOPIC.stream("longest length", b"\xff\xff\xff\xff", "limit_size", 0)
TOPIC.stream("length cut", b"\1\0\0", "truncated", 3)
TOPIC.stream("message cut", b"\5\0\0\0abcd", "truncated", 8)
TOPIC.stream("second message cut", frame(b"\x20") + b"\5\0\0\0", "truncated", 9)
