"""Texts that stand for something else: dates, times, instants, UUIDs.

A field is read as one of these only if all its texts are written in the same form and can be written back exactly, so
that nothing is lost.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MOMENT = re.compile(
    r"(?:(?P<year>\d{4})(?P<sign>[-/])(?P<month>\d{2})(?P=sign)(?P<day>\d{2})"
    r"|(?P<word>[A-Z][a-z]{2}) (?P<day2>\d{1,2}) (?P<year2>\d{4}))?"
    r"(?P<gap>[T ])?"
    r"(?:(?P<hour>\d{2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:\.(?P<fraction>\d{1,6}))?)?)?"
    r"(?P<zone>Z|\+00:00)?",
    re.ASCII,
)
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


@dataclass(frozen=True)
class Form:
    """How all texts of a field are written.

    kind: the schema's scalar: `date`, `time`, `timestamp` or `uuid`. day: `-` or `/` between year, month and day, or nothing;
    `M0` for `Jun 05 1998`, `M1` for `Jun 5 1998`, `M` for `Jun 12 1998`, which both write. gap: between day and time. time: number of parts, 0, 2 or 3. fraction: digits of a
    second. zone: `Z`, `+00:00` or nothing; an instant without one is taken as UTC.
    """

    kind: str
    day: str = ""
    gap: str = ""
    time: int = 0
    fraction: int = 0
    zone: str = ""

    def parse(self, text: str) -> Any:
        """The Python value. Only for texts that `form_of` answered this form for."""
        if self.kind == "uuid":
            return UUID(text)
        match = _MOMENT.fullmatch(text)
        assert match is not None
        return _value(match, self.kind)

    def write(self, value: Any) -> str:
        """The text that `parse` took."""
        if self.kind == "uuid":
            return str(value)
        text = ""
        if self.day.startswith("M"):
            day = value.day if self.day == "M1" else f"{value.day:02}"
            text = f"{_MONTHS[value.month - 1]} {day} {value.year:04}"
        elif self.day:
            text = f"{value.year:04}{self.day}{value.month:02}{self.day}{value.day:02}"
        if self.time:
            text += f"{self.gap}{value.hour:02}:{value.minute:02}"
            if self.time == 3:
                text += f":{value.second:02}"
            if self.fraction:
                text += "." + f"{value.microsecond:06}"[: self.fraction]
        return text + self.zone


def _value(match: re.Match[str], kind: str) -> Any:
    """Raises ValueError for the 30th of February and the like."""
    found = match.groupdict()
    clock = dt.time(
        int(found["hour"] or 0), int(found["minute"] or 0), int(found["second"] or 0),
        int((found["fraction"] or "").ljust(6, "0")),
    )  # fmt: skip
    if kind == "time":
        return clock
    if found["word"]:
        date = dt.date(int(found["year2"]), _MONTHS.index(found["word"]) + 1, int(found["day2"]))
    else:
        date = dt.date(int(found["year"]), int(found["month"]), int(found["day"]))
    return date if kind == "date" else dt.datetime.combine(date, clock, dt.UTC)


def _word_day(day: str) -> str:
    """The form of a day beside a month's name."""
    return "M1" if len(day) == 1 else "M0" if day[0] == "0" else "M"


def common_form(one: Form | None, other: Form | None) -> Form | None:
    """The form in which the texts of both are written, if there is one."""
    if one is None or other is None or one == other:
        return one and other
    # A day of two digits tells of no zeros before days of one.
    if one.day == "M" and other == replace(one, day=other.day) and other.day.startswith("M"):
        return other
    if other.day == "M" and one == replace(other, day=one.day) and one.day.startswith("M"):
        return one
    return None


def form_of(text: str) -> Form | None:
    """The form of one text; None if it is just text."""
    if not 5 <= len(text) <= 36:
        return None
    if len(text) == 36:
        return Form("uuid") if _UUID.fullmatch(text) else None
    if not ("0" <= text[0] <= "9" or text[:3] in _MONTHS):
        return None
    match = _MOMENT.fullmatch(text)
    if match is None:
        return None
    found = match.groupdict()
    day = found["sign"] or (_word_day(found["day2"]) if found["word"] else "")
    time = 0 if not found["hour"] else 3 if found["second"] else 2
    gap, zone = found["gap"] or "", found["zone"] or ""
    # A gap stands exactly between a day and a time; only an instant has a zone.
    if bool(gap) != bool(day and time) or (zone and not gap) or not (day or time):
        return None
    kind = "timestamp" if gap else "date" if day else "time"
    try:
        _value(match, kind)
    except ValueError:
        return None
    return Form(kind, day, gap, time, len(found["fraction"] or ""), zone)
