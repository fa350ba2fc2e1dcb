"""date, time, timestamp and duration, at their limits and beyond."""

from __future__ import annotations

from spec.oracle.pack.cases.table import Topic, varint, zigzag

TOPIC = Topic("times", "pack.md#4-primitives")
DAY = 86_400
BILLION = 1_000_000_000
FIRST, LAST = -719_162, 2_932_896

for value in [0, 1, -1, 18_000, 20_000, FIRST, LAST]:
    TOPIC.canonical(f"date {value}", "date", value)
for name, value in [
    ("midnight", 0),
    ("one nanosecond", 1),
    ("one microsecond", 1_000),
    ("noon", 43_200 * BILLION),
    ("the last nanosecond", DAY * BILLION - 1),
]:
    TOPIC.canonical(f"time {name}", "time", value)
for name, value in [
    ("epoch", 0),
    ("one second", BILLION),
    ("one second before", -BILLION),
    ("one millisecond", 1_000_000),
    ("999 milliseconds", 999_000_000),
    ("one microsecond", 1_000),
    ("999,999 microseconds", 999_999_000),
    ("one nanosecond", 1),
    ("one nanosecond before", -1),
    ("one microsecond before", -1_000),
    ("one millisecond before", -1_000_000),
    ("a day of 2024, milliseconds", 1_717_171_717_171_000_000),
    ("a day of 2024, microseconds", 1_717_171_717_171_717_000),
    ("a day of 2024, nanoseconds", 1_717_171_717_171_717_171),
    ("the first", FIRST * DAY * BILLION),
    ("the last", (LAST + 1) * DAY * BILLION - 1),
    ("the last whole microsecond", (LAST + 1) * DAY * BILLION - 1_000),
]:
    TOPIC.canonical(f"timestamp {name}", "timestamp", value)
for name, value in [
    ("zero", 0),
    ("a minute", 60 * BILLION),
    ("minus one and a half seconds", -1_500_000_000),
    ("one nanosecond", 1),
    ("minus one nanosecond", -1),
    ("the longest", (1 << 63) * BILLION - 1),
    ("the longest negative", -(1 << 63) * BILLION),
    ("999,999,999 nanoseconds", 999_999_999),
]:
    TOPIC.canonical(f"duration {name}", "duration", value)

TOPIC.accepted("milliseconds written as nanoseconds", "timestamp", f"80 02 {varint(2_000_000 << 2)}", BILLION + 2_000_000)
TOPIC.accepted("milliseconds written as microseconds", "timestamp", f"80 02 {varint(2_000 << 2 | 1)}", BILLION + 2_000_000)
TOPIC.accepted("microseconds written as nanoseconds", "duration", f"80 00 {varint(1_000 << 2)}", 1_000)

TOPIC.rejected("date after the last", "date", f"80 {zigzag(LAST + 1)}", "bad_number", 1)
TOPIC.rejected("date before the first", "date", f"80 {zigzag(FIRST - 1)}", "bad_number", 1)
TOPIC.rejected("date of 33 bits", "date", "80 8080808010", "bad_number", 1)
TOPIC.rejected("date over-long", "date", "80 8200", "bad_number", 1)
TOPIC.rejected("time of 24 hours", "time", f"80 {varint(DAY * BILLION)}", "bad_number", 1)
TOPIC.rejected("time of 64 bits", "time", "80 ffffffffffffffffff01", "bad_number", 1)
TOPIC.rejected("time cut", "time", "80 80", "truncated", 2)
for kind in ("timestamp", "duration"):
    TOPIC.rejected(f"{kind} of unit 3", kind, "80 00 07", "bad_number", 2)
    TOPIC.rejected(f"{kind} of no milliseconds", kind, "80 00 02", "bad_number", 2)
    TOPIC.rejected(f"{kind} of no microseconds", kind, "80 00 01", "bad_number", 2)
    TOPIC.rejected(f"{kind} of unit 3 and nothing", kind, "80 00 03", "bad_number", 2)
    TOPIC.rejected(f"{kind} of 1,000 milliseconds", kind, f"80 00 {varint(1_000 << 2 | 2)}", "bad_number", 2)
    TOPIC.rejected(f"{kind} of 1,000,000 microseconds", kind, f"80 00 {varint(1_000_000 << 2 | 1)}", "bad_number", 2)
    TOPIC.rejected(f"{kind} of 10^9 nanoseconds", kind, f"80 00 {varint(BILLION << 2)}", "bad_number", 2)
    TOPIC.rejected(f"{kind} with an over-long fraction", kind, "80 00 8600", "bad_number", 2)
    TOPIC.rejected(f"{kind} without its fraction", kind, "80 02", "truncated", 2)
TOPIC.rejected("timestamp after the last", "timestamp", f"80 {zigzag((LAST + 1) * DAY)} 00", "bad_number", 1)
TOPIC.rejected("timestamp before the first", "timestamp", f"80 {zigzag(FIRST * DAY - 1)} 00", "bad_number", 1)
TOPIC.rejected("duration of 65 bits", "duration", "80 ffffffffffffffffff02 00", "bad_number", 1)
for kind, seconds in [("after the last", (LAST + 1) * DAY), ("before the first", FIRST * DAY - 1)]:
    TOPIC.rejected(f"timestamp {kind}, without its fraction", "timestamp", f"80 {zigzag(seconds)}", "bad_number", 1)
    TOPIC.rejected(f"timestamp {kind}, with a fraction at fault", "timestamp", f"80 {zigzag(seconds)} 03", "bad_number", 1)
