"""What a reply may take, and what it may announce (redis.md section 3)."""

from __future__ import annotations

from spec.oracle.redis.topic import Topic

TOPIC = Topic("limits", "redis.md#3-judging-untrusted-bytes")
R = TOPIC.refused
ONE = {"integer": "1"}


def nested(depth: int, inner: object) -> object:
    return {"array": [nested(depth - 1, inner)]} if depth else inner


TOPIC.reply("64 arrays open", b"*1\r\n" * 64 + b":1\r\n", nested(64, ONE))
R("65 arrays open", b"*1\r\n" * 65 + b":1\r\n", "limit_depth", 256)
R("65 arrays open, without counts", b"*?\r\n" * 65, "limit_depth", 256)
R("2,000 arrays open", b"*1\r\n" * 2_000, "limit_depth", 256)
R("2,000 maps open", b"%1\r\n" * 2_000, "limit_depth", 256)
R("64 attributes of keys open", b"|1\r\n" * 65, "limit_depth", 256)
R("depth 1", b"*1\r\n*0\r\n", "limit_depth", 4, depth=1)
R("depth counts attributes", b"*1\r\n|0\r\n:1\r\n", "limit_depth", 4, depth=1)
R("depth over what readers have", b"*1\r\n" * 1025 + b":1\r\n", "limit_depth", 4096, depth=100_000)
R("depth before items", b"*1\r\n*9\r\n", "limit_depth", 4, depth=1, items=1)

R("2^31 elements announced", b"*2147483648\r\n", "limit_items", 0)
R("2^63 - 1 elements announced", b"*9223372036854775807\r\n", "limit_items", 0)
R("2^63 - 1 entries announced", b"%9223372036854775807\r\n", "limit_items", 0)
R("16,777,217 elements announced", b"*16777217\r\n", "limit_items", 0)
R("8,388,607 elements, more cells than there may be", b"*8388607\r\n", "limit_items", 0)
R("8,388,606 elements announced", b"*8388606\r\n", "truncated", 10)
R("2,796,202 entries, more cells than there may be", b"%2796203\r\n", "limit_items", 0)
R("items", b"*2\r\n:1\r\n:2\r\n", "limit_items", 0, items=1)
R("items of all aggregates together", b"*2\r\n*1\r\n:1\r\n*1\r\n:1\r\n", "limit_items", 12, items=3)
R("items of a map", b"%2\r\n:1\r\n:1\r\n:2\r\n:2\r\n", "limit_items", 0, items=1)
R("items of an attribute", b"|2\r\n:1\r\n:1\r\n:2\r\n:2\r\n:1\r\n", "limit_items", 0, items=1)
R("items without a count", b"*?\r\n:1\r\n:2\r\n.\r\n", "limit_items", 8, items=1)
R("items without a count, before the element is judged", b"*?\r\n:1\r\n?", "limit_items", 8, items=1)
R("items of a map without a count", b"%?\r\n:1\r\n:1\r\n:2\r\n", "limit_items", 12, items=1)
R("cells of an array", b"*2\r\n:1\r\n:2\r\n", "limit_items", 0, cells=6)
R("cells of a map", b"%1\r\n:1\r\n:2\r\n", "limit_items", 0, cells=8)
R("cells of empty arrays", b"*2\r\n*0\r\n*0\r\n", "limit_items", 8, cells=12)
R("cells without a count", b"*?\r\n:1\r\n:2\r\n.\r\n", "limit_items", 8, cells=6)

R("longer than frame_bytes", b"$4\r\nabcd\r\n", "limit_size", 0, frame_bytes=9)
R("longer than frame_bytes by its length alone", b"$4\r\n", "limit_size", 0, frame_bytes=9)
R("its line longer than frame_bytes", b"+abcdefgh\r\n", "limit_size", 0, frame_bytes=10)
R("its line without an end", b"+abcdefghij", "limit_size", 0, frame_bytes=10)
R("frame_bytes in the middle of a line end", b"+abcdefg\r\n", "limit_size", 0, frame_bytes=9)
R("an element beyond frame_bytes", b"*2\r\n:1\r\n:2\r\n", "limit_size", 8, frame_bytes=11)
R("an element that begins at frame_bytes", b"*?\r\n:1\r\n:2\r\n.\r\n", "limit_size", 8, frame_bytes=8)
R("a wrong byte beyond frame_bytes", b"*?\r\n:1\r\n?", "limit_size", 8, frame_bytes=8)
R("more elements than frame_bytes can hold", b"*3\r\n", "limit_size", 0, frame_bytes=12)
R("more entries than frame_bytes can hold", b"%2\r\n", "limit_size", 0, frame_bytes=15)
R("a chunk beyond frame_bytes", b"$?\r\n;2\r\nab\r\n;0\r\n", "limit_size", 4, frame_bytes=11)
R("a streamed string beyond frame_bytes", b"$?\r\n;2\r\nab\r\n;0\r\n", "limit_size", 12, frame_bytes=15)
R("attributes count", b"|1\r\n:1\r\n:1\r\n:1\r\n", "limit_size", 12, frame_bytes=15)
R("items before what frame_bytes can hold", b"*3\r\n", "limit_items", 0, frame_bytes=12, items=2)
R("a length over any limit", b"$9223372036854775807\r\n", "limit_size", 0, frame_bytes=4_294_967_295)
