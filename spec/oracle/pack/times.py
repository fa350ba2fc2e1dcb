"""Dates, times, and seconds with a fraction (pack.md sections 1, 4 and 8)."""

from __future__ import annotations

from spec.oracle.core.primitives import Cursor, varint, zigzag

DATE_MIN, DATE_MAX = -719_162, 2_932_896
TIME_MAX = 86_399_999_999_999
SECONDS_MIN, SECONDS_MAX = DATE_MIN * 86_400, DATE_MAX * 86_400 + 86_399
BILLION = 1_000_000_000
UNITS = {2: 1_000_000, 1: 1_000, 0: 1}
"""Nanoseconds in one of each unit of a fraction, the coarsest first."""


def seconds_and_fraction(nanoseconds: int) -> bytes:
    """Returns the encoding in the coarsest unit that is exact."""
    seconds, fraction = divmod(nanoseconds, BILLION)
    out = varint(zigzag(seconds))
    if fraction == 0:
        return out + varint(0)
    unit = next(unit for unit, size in UNITS.items() if fraction % size == 0)
    return out + varint(fraction // UNITS[unit] << 2 | unit)


def read_seconds_and_fraction(cursor: Cursor, calendar: bool) -> int:
    """Returns nanoseconds. With `calendar` the seconds must be in the range of a timestamp."""
    at = cursor.pos
    seconds = cursor.signed(64)
    if calendar and not SECONDS_MIN <= seconds <= SECONDS_MAX:
        cursor.fail("bad_number", at, "a timestamp outside the years 1 to 9999")
    at = cursor.pos
    raw = cursor.varint(32)
    number, unit = raw >> 2, raw & 3
    if raw != 0 and (unit == 3 or number == 0 or number * UNITS[unit] >= BILLION):
        cursor.fail("bad_number", at, f"no fraction of a second: {number} of unit {unit}")
    return seconds * BILLION + (0 if raw == 0 else number * UNITS[unit])


def date(days: int) -> bytes:
    return varint(zigzag(days))


def read_date(cursor: Cursor) -> int:
    at = cursor.pos
    days = cursor.signed(32)
    if not DATE_MIN <= days <= DATE_MAX:
        cursor.fail("bad_number", at, "a date outside the years 1 to 9999")
    return days


def read_time(cursor: Cursor) -> int:
    at = cursor.pos
    nanoseconds = cursor.varint(64)
    if nanoseconds > TIME_MAX:
        cursor.fail("bad_number", at, "a time of 24 hours or more")
    return nanoseconds
