"""Commands as a client writes them (redis.md section 5)."""

from __future__ import annotations

from spec.oracle.redis.topic import Topic

TOPIC = Topic("commands", "redis.md#5-commands")

TOPIC.command("one argument", b"PING")
TOPIC.command("two arguments", b"GET", b"key")
TOPIC.command("an empty argument", b"SET", b"", b"")
TOPIC.command("bytes of all kinds", b"SET", bytes(range(256)), b"\r\n$1\r\n")
TOPIC.command("ten arguments", *[b"%d" % i for i in range(10)])
TOPIC.command("a hundred arguments", b"MSET", *[b"k" * i for i in range(99)])
for value in (0, 1, -1, 9, 10, 99, 100, 2**31, 2**63 - 1, -(2**63)):
    TOPIC.command(f"integer {value}", b"INCRBY", b"k", value)
for length in (9, 10, 99, 100, 999, 1000, 70_000):
    TOPIC.command(f"an argument of {length} bytes", b"SET", b"k", b"v" * length)
