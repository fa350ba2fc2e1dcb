"""bigint and decimal."""

from __future__ import annotations

from spec.oracle.pack.cases.table import Topic

TOPIC = Topic("bignums", "pack.md#8-types")

for value in [0, 1, -1, 127, 128, -128, -129, 255, 256, 32767, 32768, -32768, -32769]:
    TOPIC.canonical(f"bigint {value}", "bigint", value)
for power in (63, 64, 127, 128, 1000):
    TOPIC.canonical(f"bigint 2^{power}", "bigint", 1 << power)
    TOPIC.canonical(f"bigint 2^{power} less one", "bigint", (1 << power) - 1)
    TOPIC.canonical(f"bigint minus 2^{power}", "bigint", -(1 << power))
TOPIC.canonical("bigint, the greatest", "bigint", (1 << 32767) - 1)
TOPIC.canonical("bigint, the least", "bigint", -(1 << 32767))

for unscaled, scale in [
    (0, 0),
    (0, 2),
    (0, -3),
    (10, 1),
    (100, 2),
    (1, 0),
    (-12345, 2),
    (314159, 5),
    (1, -100),
    (1, 100),
    (10**40 + 7, 40),
    (-(10**40), -7),
    (1, 2**31 - 1),
    (1, -(2**31)),
]:
    TOPIC.canonical(f"decimal {unscaled}/{scale}", "decimal", f"{unscaled}/{scale}")

TOPIC.rejected("bigint zero in one byte", "bigint", "80 01 00", "bad_number", 1)
TOPIC.rejected("bigint with a spare byte", "bigint", "80 02 007f", "bad_number", 1)
TOPIC.rejected("bigint with a spare negative byte", "bigint", "80 02 ff80", "bad_number", 1)
TOPIC.rejected("bigint minus one in two bytes", "bigint", "80 02 ffff", "bad_number", 1)
TOPIC.rejected("bigint of 4,097 bytes", "bigint", "80 8120 01" + "00" * 4096, "limit_size", 1)
TOPIC.rejected("bigint, a length that lies", "bigint", "80 8020 01", "truncated", 4)
TOPIC.rejected("bigint, a length over the limit", "bigint", "80 ffffffff07", "limit_size", 1)
TOPIC.rejected("bigint, a length of 2^31", "bigint", "80 8080808008", "bad_number", 1)
TOPIC.rejected("bigint, a length that is over-long", "bigint", "80 8100 05", "bad_number", 1)
TOPIC.rejected("bigint cut", "bigint", "80 03 0102", "truncated", 4)
TOPIC.rejected("decimal with a scale of 33 bits", "decimal", "80 8080808010 01 05", "bad_number", 1)
TOPIC.rejected("decimal with an over-long scale", "decimal", "80 8400 01 05", "bad_number", 1)
TOPIC.rejected("decimal with a spare byte", "decimal", "80 02 02 0005", "bad_number", 2)
TOPIC.rejected("decimal of 4,097 bytes", "decimal", "80 02 8120 01" + "00" * 4096, "limit_size", 2)
TOPIC.rejected("decimal without its digits", "decimal", "80 02", "truncated", 2)
