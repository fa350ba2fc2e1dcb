"""Durations in text: ISO 8601 with hours, minutes and seconds, and seconds as protobuf's JSON writes them.

Years, months and weeks have no fixed length in seconds, or are calendar periods. So are days alone: `P30D` stays text.
"""

from __future__ import annotations

import re
from typing import Final

from .clock import INSTANT, SECOND, SHORTEST, fraction, nanoseconds

#: Bounds of the digits keep every sum within what `timedelta` holds.
_ISO: Final = re.compile(
    r"(?P<minus>-?)P(?:(?P<days>-?[0-9]{1,7})D)?T(?=[-0-9])(?:(?P<hours>-?[0-9]{1,9})H)?(?:(?P<minutes>-?[0-9]{1,9})M)?"
    r"(?:(?P<seconds>-?[0-9]{1,12})(?:\.(?P<fraction>[0-9]{1,9}))?S)?"
)
_SECONDS: Final = re.compile(r"(?P<minus>-?)(?P<seconds>0|[1-9][0-9]{0,11})(?:\.(?P<fraction>[0-9]{1,9}))?s")

#: Ways to write a duration, beside INSTANT and SHORTEST of `clock`, which are those of seconds.
JAVA: Final = "java"  # Duration.toString: hours are the largest unit, each part has the sign
DAYS: Final = "days"  # days are, and the sign stands in front: pydantic, XML Schema
#: The style of ISO 8601, and that of seconds: texts of one do not go with texts of the other.
ISO_STYLE: Final = "P"
SECONDS_STYLE: Final = "s"


def parse_duration(text: str) -> tuple[str, int] | None:
    """The style and the nanoseconds; None for any other text."""
    if (match := _ISO.fullmatch(text)) is not None:
        style, found = ISO_STYLE, match.groupdict()
        whole = 86_400 * int(found["days"] or 0) + 3600 * int(found["hours"] or 0) + 60 * int(found["minutes"] or 0)
    elif (match := _SECONDS.fullmatch(text)) is not None:
        style, found, whole = SECONDS_STYLE, match.groupdict(), 0
    else:
        return None
    seconds = found["seconds"] or "0"
    part = nanoseconds(found["fraction"] or "")
    total = (whole + int(seconds)) * SECOND + (-part if seconds[0] == "-" else part)
    return style, -total if found["minus"] else total


def duration_ways(style: str, total: int, text: str) -> tuple[str, ...]:
    """The ways that write these nanoseconds exactly so."""
    ways = (JAVA, DAYS) if style == ISO_STYLE else (INSTANT, SHORTEST)
    return tuple(way for way in ways if write_duration(total, way) == text)


def write_duration(total: int, way: str) -> str:
    """The text of so many nanoseconds."""
    minus = "-" if total < 0 else ""
    seconds, part = divmod(abs(total), SECOND)
    if way in (INSTANT, SHORTEST):
        return f"{minus}{seconds}{fraction(part, way)}s"
    days = 0
    if way == DAYS:
        days, seconds = divmod(seconds, 86_400)
    hours, minutes, seconds = seconds // 3600, seconds // 60 % 60, seconds % 60
    front, sign = (minus, "") if way == DAYS else ("", minus)
    units = "".join(f"{sign}{number}{unit}" for number, unit in ((hours, "H"), (minutes, "M")) if number)
    if seconds or part or not (days or units):
        units += f"{sign}{seconds}{fraction(part, SHORTEST)}S"
    return f"{front}P{f'{days}D' if days else ''}{'T' if units else ''}{units}"
