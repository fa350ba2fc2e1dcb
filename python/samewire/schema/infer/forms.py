"""Strings that are dates, times, instants, durations, UUIDs or decimals.

A field is read as one of these only if all its texts are, in one style. Times are held exactly, to the nanosecond, but
perhaps not their notation (`Form.exact`). All others can be written back exactly.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

from .clock import INSTANT, SECOND, behind_minutes, is_fine, nanoseconds, ways_of
from .days import EXPRESSION, SHORT, common_pattern, day_of, pattern_of, write_day
from .durations import ISO_STYLE, JAVA, duration_ways, parse_duration, write_duration

_TIME: Final = re.compile(
    EXPRESSION + r"?(?P<gap>[T ])?"
    r"(?:(?P<hour>\d{2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:(?P<point>[.,])(?P<fraction>\d{1,9}))?)?)?"
    r"(?P<zone>Z|[+-]\d{2}(?::?\d{2})?)?",
    re.ASCII,
)
_LONGEST: Final = len("September 30, 2020 10:00:00.123456789+02:00")
_UUID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
#: No more digits than any language's decimal reads at once.
_DECIMAL: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,17})(?:\.(?P<places>[0-9]{1,18}))?", re.ASCII)
#: Numbers of places that the decimals of a field may have between them.
MAX_PLACES: Final = 4
_DAY: Final = 86_400 * SECOND
_EPOCH: Final = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_EPOCH_DAY: Final = dt.date(1970, 1, 1).toordinal()
_FIRST: Final = (dt.date.min.toordinal() - _EPOCH_DAY) * _DAY
_END: Final = (dt.date.max.toordinal() + 1 - _EPOCH_DAY) * _DAY
#: The zone of instants that have several, and are written in UTC.
_SEVERAL: Final = "*"


@dataclass(frozen=True)
class Form:
    """How the texts of a field are written.

    kind: the schema's scalar: `date`, `time`, `timestamp`, `duration`, `uuid` or `decimal`. day: a pattern of `days`, or
    nothing. gap: between day and time; of a duration, its style. ways: those of `clock` or `durations` that write all texts
    exactly so. zone: `Z`, an offset as in `+02:00` or `+02`, `*` for several, or nothing; an instant without one is taken as UTC. fine:
    whether a text is finer than a microsecond. places: of a decimal, ascending.
    """

    kind: str
    day: str = ""
    gap: str = ""
    ways: tuple[str, ...] = ()
    zone: str = ""
    fine: bool = False
    places: tuple[int, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether `write` returns the texts that `parse` was given."""
        return self.kind in ("date", "uuid", "decimal") or (bool(self.ways) and self.zone != _SEVERAL)

    @property
    def several_zones(self) -> bool:
        """Whether the instants are written with several offsets."""
        return self.zone == _SEVERAL

    def parse(self, text: str) -> Any:
        """Returns the Python value, an instant in UTC; if the form is fine, nanoseconds. Only for strings that have the form."""
        value = self.value(text)
        if self.fine:
            return value
        match self.kind:
            case "time":
                return _clock(value)
            case "timestamp":
                return _EPOCH + dt.timedelta(microseconds=value // 1000)
            case "duration":
                return dt.timedelta(microseconds=value // 1000)
        return value

    def value(self, text: str) -> Any:
        """As `parse`, with nanoseconds for every time."""
        match self.kind:
            case "uuid":
                return UUID(text)
            case "decimal":
                return Decimal(text)
            case "duration":
                parsed = parse_duration(text)
                assert parsed is not None
                return parsed[1]
        match = _TIME.fullmatch(text)
        assert match is not None
        return _value(match.groupdict(), self.kind)

    def write(self, value: Any) -> str:
        """Returns a string that `parse` reads as this value."""
        match self.kind:
            case "uuid":
                return str(value)
            case "decimal":
                return f"{value:f}"
            case "date":
                return write_day(value, self.day)
            case "duration":
                return write_duration(
                    _nanoseconds(value), self.ways[0] if self.ways else JAVA if self.gap == ISO_STYLE else INSTANT
                )
        zone = "Z" if self.zone == _SEVERAL else self.zone
        days, rest = divmod(_nanoseconds(value) + _offset(zone) * SECOND, _DAY)
        day = write_day(dt.date.fromordinal(_EPOCH_DAY + days), self.day) if self.day else ""
        seconds, part = divmod(rest, SECOND)
        clock = behind_minutes(seconds % 60, part, self.ways[0] if self.ways else INSTANT)
        return f"{day}{self.gap}{seconds // 3600:02}:{seconds // 60 % 60:02}{clock}{zone}"

    def canonical(self, text: str) -> str:
        """The text that `write` returns for this text's value."""
        return text if self.exact else self.write(self.value(text))


def _clock(value: int) -> dt.time:
    seconds, part = divmod(value, SECOND)
    return dt.time(seconds // 3600, seconds // 60 % 60, seconds % 60, part // 1000)


def _nanoseconds(value: Any) -> int:
    """Of a time of day, of an instant since 1970, or of a duration."""
    match value:
        case int():
            return value
        case dt.datetime():
            value -= _EPOCH
        case dt.time():
            value = dt.timedelta(hours=value.hour, minutes=value.minute, seconds=value.second, microseconds=value.microsecond)
    return ((value.days * 86_400 + value.seconds) * 10**6 + value.microseconds) * 1000  # type: ignore[no-any-return]


def _offset(zone: str) -> int:
    """Seconds of an offset. Raises ValueError for an invalid one."""
    if zone in ("", "Z"):
        return 0
    hours, minutes = int(zone[1:3]), int(zone[-2:]) if len(zone) > 3 else 0
    if hours > 23 or minutes > 59:
        raise ValueError(zone)
    seconds = hours * 3600 + minutes * 60
    return -seconds if zone[0] == "-" else seconds


def _value(found: dict[str, str], kind: str) -> Any:
    """Raises ValueError for the 30th of February and the like, and for an instant beyond the years 1 to 9999."""
    day = None if kind == "time" else day_of(found)
    if kind == "date":
        return day
    clock = dt.time(int(found["hour"]), int(found["minute"]), int(found["second"] or 0))
    value = (clock.hour * 3600 + clock.minute * 60 + clock.second) * SECOND + nanoseconds(found["fraction"] or "")
    if day is not None:
        value += (day.toordinal() - _EPOCH_DAY) * _DAY - _offset(found["zone"] or "") * SECOND
        if not _FIRST <= value < _END:
            raise ValueError(value)
    return value


def common_form(one: Form | None, other: Form | None) -> Form | None:
    """The form that the texts of both have, if there is one."""
    if one is None or other is None or one == other:
        return one and other
    if one.kind != other.kind or one.gap != other.gap or bool(one.zone) != bool(other.zone):
        return None
    places = tuple(sorted({*one.places, *other.places}))
    day = common_pattern(one.day, other.day)
    if day is None or len(places) > MAX_PLACES:
        return None
    ways = tuple(way for way in one.ways if way in other.ways)
    zone = one.zone if one.zone == other.zone else _SEVERAL
    return replace(one, day=day, ways=ways, zone=zone, fine=one.fine or other.fine, places=places)


def form_of(text: str) -> Form | None:
    """The form of one string; None if it has none."""
    if not 0 < len(text) <= _LONGEST:
        return None
    if len(text) == 36 and _UUID.fullmatch(text):
        return Form("uuid")
    first = text[0]
    if not ("0" <= first <= "9" or first in "-P" or text[:3] in SHORT):
        return None
    if (number := _DECIMAL.fullmatch(text)) is not None:
        return None if first == "-" and float(text) == 0 else Form("decimal", places=(len(number["places"] or ""),))
    if text[-1] in "HMSs":
        return _duration_form(text)
    match = _TIME.fullmatch(text)
    return None if match is None else _time_form(match.groupdict())


def _duration_form(text: str) -> Form | None:
    parsed = parse_duration(text)
    if parsed is None:
        return None
    style, total = parsed
    return Form("duration", gap=style, ways=duration_ways(style, total, text), fine=is_fine(total))


def _time_form(found: dict[str, str]) -> Form | None:
    day, gap, zone = pattern_of(found), found["gap"] or "", found["zone"] or ""
    timed = bool(found["hour"])
    # There is a gap only between a day and a time; only an instant has a zone.
    if bool(gap) != bool(day and timed) or (zone and not gap) or not (day or timed):
        return None
    kind = "timestamp" if gap else "date" if day else "time"
    try:
        value = _value(found, kind)
    except ValueError:
        return None
    if kind == "date":
        return Form(kind, day)
    return Form(kind, day, gap, ways_of(found["second"], found["fraction"] or "", found["point"] or "."), zone, is_fine(value))
