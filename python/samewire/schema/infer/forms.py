"""Strings that are dates, times, instants, UUIDs or decimals.

A field is read as one of these only if all its texts are written in the same form and can be written back exactly, so
that nothing is lost.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_SHORT = tuple(month[:3] for month in _MONTHS)
_TIME = re.compile(
    r"(?:(?P<year>\d{4})(?P<sign>[-/])(?P<month>\d{2})(?P=sign)(?P<day>\d{2})"
    r"|(?P<word>[A-Z][a-z]{2,8}) (?P<day1>\d{1,2})(?P<comma>,?) (?P<year1>\d{4})"
    r"|(?P<day2>\d{1,2}) (?P<word2>[A-Z][a-z]{2,8}) (?P<year2>\d{4}))?"
    r"(?P<gap>[T ])?"
    r"(?:(?P<hour>\d{2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:\.(?P<fraction>\d{1,6}))?)?)?"
    r"(?P<zone>Z|[+-]\d{2}:?\d{2})?",
    re.ASCII,
)
_LONGEST = len("September 30, 2020 10:00:00.123456+02:00")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
#: With the same number of places in all texts of a field. No more digits than any language's decimal reads at once.
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]{0,17})\.(?P<places>[0-9]{1,18})", re.ASCII)
#: Digits of a second as Java's `Instant.toString` writes them: none, or 3 or 6, as few as say it all.
_THREES: Final = -3
#: As Python's `isoformat` does: none, or 6.
_ALL_OR_NONE: Final = -6
#: Letters of a day's pattern that say less than others, and those that say more.
_EITHER = {"m": "bB", "2": "de"}


@dataclass(frozen=True)
class Form:
    """How all texts of a field are written.

    kind: the schema's scalar: `date`, `time`, `timestamp`, `uuid` or `decimal`. day: `-` or `/` between year, month and day, or nothing; or
    a pattern, as `e B Y` for `5 June 1998` and `b d, Y` for `Jun 05, 1998`: `b` the first letters of a month's name, `B` all, `m`
    May, which both write; `d` a day of two digits, `e` without a zero, `2` from the tenth on, which both write. gap: between day
    and time. time: number of parts, 0, 2 or 3. fractions: the ways in which the digits of all texts' seconds may have been written, a
    number of them, or one of the two ways above; places of a decimal. zone: `Z`, an offset as in `+02:00`, or nothing; an
    instant without one is taken as UTC.
    """

    kind: str
    day: str = ""
    gap: str = ""
    time: int = 0
    fractions: tuple[int, ...] = (0,)
    zone: str = ""

    def parse(self, text: str) -> Any:
        """Returns the Python value, an instant in UTC. Only for strings whose form by `form_of` is this one."""
        if self.kind == "uuid":
            return UUID(text)
        if self.kind == "decimal":
            return Decimal(text)
        match = _TIME.fullmatch(text)
        assert match is not None
        return _value(match, self.kind)

    def write(self, value: Any) -> str:
        """Returns the string that `parse` reads as this value."""
        if self.kind == "uuid":
            return str(value)
        if self.kind == "decimal":
            return f"{value:f}"
        if self.kind == "timestamp":
            value = value.astimezone(_zone(self.zone))
        text = ""
        if self.day in ("-", "/"):
            text = f"{value.year:04}{self.day}{value.month:02}{self.day}{value.day:02}"
        elif self.day:
            month, day = _MONTHS[value.month - 1], str(value.day)
            written = {"b": month[:3], "B": month, "m": month, "d": day.zfill(2), "e": day, "2": day, "Y": f"{value.year:04}"}
            text = "".join(written.get(letter, letter) for letter in self.day)
        if self.time:
            text += f"{self.gap}{value.hour:02}:{value.minute:02}"
            if self.time == 3:
                text += f":{value.second:02}"
            if digits := _digits(self.fractions[0], value.microsecond):
                text += "." + f"{value.microsecond:06}"[:digits]
        return text + self.zone


def _digits(way: int, microsecond: int) -> int:
    """The digits of a second that one of the ways writes."""
    if way >= 0:
        return way
    if microsecond == 0:
        return 0
    return 3 if way == _THREES and microsecond % 1000 == 0 else 6


def _ways(fraction: str) -> tuple[int, ...]:
    """The ways that write these digits of a second so."""
    microsecond = int(fraction.ljust(6, "0")) if fraction else 0
    return tuple(way for way in (len(fraction), _THREES, _ALL_OR_NONE) if _digits(way, microsecond) == len(fraction))


def _zone(text: str) -> dt.timezone:
    """Raises ValueError for an invalid offset."""
    if text in ("", "Z"):
        return dt.UTC
    hours, minutes = int(text[1:3]), int(text[-2:])
    if minutes > 59:
        raise ValueError(text)
    offset = dt.timedelta(hours=hours, minutes=minutes)
    return dt.timezone(-offset if text[0] == "-" else offset)


def _value(match: re.Match[str], kind: str) -> Any:
    """Raises ValueError for the 30th of February and the like, OverflowError for an instant beyond the years 1 to 9999."""
    found = match.groupdict()
    clock = dt.time(
        int(found["hour"] or 0), int(found["minute"] or 0), int(found["second"] or 0),
        int((found["fraction"] or "").ljust(6, "0")),
    )  # fmt: skip
    if kind == "time":
        return clock
    word = found["word"] or found["word2"]
    month = (_SHORT if word in _SHORT else _MONTHS).index(word) + 1 if word else int(found["month"])
    date = dt.date(
        int(found["year"] or found["year1"] or found["year2"]), month, int(found["day"] or found["day1"] or found["day2"])
    )
    return date if kind == "date" else dt.datetime.combine(date, clock, _zone(found["zone"] or "")).astimezone(dt.UTC)


def _day(found: dict[str, str]) -> str:
    """The pattern of a day; empty without one."""
    if found["sign"]:
        return found["sign"]
    word, day = found["word"] or found["word2"], found["day1"] or found["day2"]
    if not word:
        return ""
    month = "m" if word == "May" else "b" if len(word) == 3 else "B"
    digits = "e" if len(day) == 1 else "d" if day[0] == "0" else "2"
    return f"{month} {digits}{found['comma']} Y" if found["word"] else f"{digits} {month} Y"


def _common_day(one: str, other: str) -> str | None:
    """The pattern in which the days of both are written, if there is one."""
    letters = []
    for here, there in zip(one, other, strict=False):
        if here == there or here in _EITHER.get(there, ""):
            letters.append(here)
        elif there in _EITHER.get(here, ""):
            letters.append(there)
        else:
            return None
    return "".join(letters) if len(one) == len(other) else None


def common_form(one: Form | None, other: Form | None) -> Form | None:
    """The form in which the texts of both are written, if there is one."""
    if one is None or other is None or one == other:
        return one and other
    day = _common_day(one.day, other.day)
    ways = tuple(way for way in one.fractions if way in other.fractions)
    if day is None or not ways or replace(one, day=other.day, fractions=other.fractions) != other:
        return None
    return replace(one, day=day, fractions=ways)


def form_of(text: str) -> Form | None:
    """The form of one string; None if it has none."""
    if not 3 <= len(text) <= _LONGEST:
        return None
    if len(text) == 36 and _UUID.fullmatch(text):
        return Form("uuid")
    if (number := _DECIMAL.fullmatch(text)) is not None:
        return None if text[0] == "-" and float(text) == 0 else Form("decimal", fractions=(len(number["places"]),))
    if not ("0" <= text[0] <= "9" or text[:3] in _SHORT):
        return None
    match = _TIME.fullmatch(text)
    if match is None:
        return None
    found = match.groupdict()
    day, gap, zone = _day(found), found["gap"] or "", found["zone"] or ""
    time = 0 if not found["hour"] else 3 if found["second"] else 2
    # A gap stands exactly between a day and a time; only an instant has a zone.
    if bool(gap) != bool(day and time) or (zone and not gap) or not (day or time):
        return None
    kind = "timestamp" if gap else "date" if day else "time"
    try:
        _value(match, kind)
    except (ValueError, OverflowError):
        return None
    return Form(kind, day, gap, time, _ways(found["fraction"] or ""), zone)
