"""Times of day in text, to a nanosecond, and the ways in which libraries write them."""

from __future__ import annotations

from typing import Final

SECOND: Final = 10**9

#: Ways to write what follows the minutes, beside a number from 0 to 9: seconds with so many digits.
MINUTES: Final = "minutes"  # no seconds at all
INSTANT: Final = "instant"  # seconds, and the fewest of 0, 3, 6 or 9 digits without loss: Java's Instant, chrono
PYTHON: Final = "python"  # seconds, and 0 or 6 digits: isoformat
SHORTEST: Final = "shortest"  # seconds, and digits without zeros at their end: Go, JavaScript's Temporal
LOCAL: Final = "local"  # as INSTANT, without the seconds if all are zero: Java's LocalTime, LocalDateTime, OffsetDateTime
#: Before a way: a comma stands for the point, as Python's logging and log4j write it (ISO 8601 allows both).
COMMA: Final = ","
_NAMED: Final = (MINUTES, INSTANT, PYTHON, SHORTEST, LOCAL)


def fraction(nanosecond: int, way: str) -> str:
    """The digits of a second that a way writes, with the point before them."""
    if way == SHORTEST:
        return f".{nanosecond:09}".rstrip("0").rstrip(".")
    if way == PYTHON:
        digits = 6 if nanosecond else 0
    elif way in (INSTANT, LOCAL):
        digits = 0 if not nanosecond else 3 if nanosecond % 10**6 == 0 else 6 if nanosecond % 1000 == 0 else 9
    else:
        digits = int(way)
    return f".{nanosecond:09}"[: digits + 1] if digits else ""


def behind_minutes(second: int, nanosecond: int, way: str) -> str:
    """What a way writes behind the minutes; with a comma for the point if the way begins with one."""
    if way.startswith(COMMA):
        return behind_minutes(second, nanosecond, way[1:]).replace(".", COMMA)
    if way == MINUTES or (way == LOCAL and not second and not nanosecond):
        return ""
    return f":{second:02}{fraction(nanosecond, way)}"


def ways_of(second: str | None, digits: str, point: str = ".") -> tuple[str, ...]:
    """The ways that write these seconds (None: no seconds) and digits of one exactly so."""
    ways = _ways_of(second, digits)
    with_comma = tuple(COMMA + way for way in ways)
    return (*ways, *with_comma) if not digits else with_comma if point == COMMA else ways


def _ways_of(second: str | None, digits: str) -> tuple[str, ...]:
    if second is None:
        return MINUTES, LOCAL
    nanosecond = nanoseconds(digits)
    written = f":{second}.{digits}" if digits else f":{second}"
    named = (way for way in _NAMED if behind_minutes(int(second), nanosecond, way) == written)
    return str(len(digits)), *named


def nanoseconds(digits: str) -> int:
    """The nanoseconds of up to nine digits of a second."""
    return int(digits.ljust(9, "0")) if digits else 0


def is_fine(nanosecond: int) -> bool:
    """Whether it is finer than the precision of `datetime`."""
    return nanosecond % 1000 != 0
