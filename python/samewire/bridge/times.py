"""Converts Python's `datetime` to and from values of pack, with nanoseconds."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any

from samewire import pack
from samewire._native import Value
from samewire.errors import SamewireError

_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
_SECOND = 10**9
_DAY = 86_400 * _SECOND
#: Days from the year 1 to 1970, plus 1: `date.fromordinal`.
_FIRST = datetime.date(1970, 1, 1).toordinal()

_NANOSECONDS: dict[str, Any] = {
    "time": Annotated[int, pack.TIME],
    "timestamp": Annotated[int, pack.TIMESTAMP],
    "duration": Annotated[int, pack.DURATION],
    "tuple<date, time>": tuple[datetime.date, Annotated[int, pack.TIME]],
}

_PLAIN: dict[str, Any] = {
    "date": datetime.date,
    "time": datetime.time,
    "timestamp": datetime.datetime,
    "duration": datetime.timedelta,
    "tuple<date, time>": tuple[datetime.date, datetime.time],
}


class Datetime(datetime.datetime):
    """A `datetime` from Java with nanoseconds: `nanosecond`, from 0 to 999, is the part below `microsecond`.

    Equality and texts include it, and it crosses back to Java; order and arithmetic are those of `datetime`, without
    it.
    """

    nanosecond = 0

    @classmethod
    def of(cls, value: datetime.datetime, nanosecond: int) -> Datetime:
        """Makes one of a datetime, and the nanoseconds beyond its microseconds."""
        day = (value.year, value.month, value.day)
        time = (value.hour, value.minute, value.second, value.microsecond)
        made = cls(*day, *time, tzinfo=value.tzinfo, fold=value.fold)
        made.nanosecond = nanosecond
        return made

    def isoformat(self, sep: str = "T", timespec: str = "auto") -> str:
        """The text, with nine digits of a second unless others are asked for."""
        return _finer(super().isoformat(sep, _digits(timespec)), timespec, self.nanosecond)

    def __str__(self) -> str:
        return self.isoformat(" ")

    def __repr__(self) -> str:
        return f"Datetime({self.isoformat()!r})"

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other) is True and self.nanosecond == getattr(other, "nanosecond", 0)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = datetime.datetime.__hash__

    def __reduce_ex__(self, protocol: object) -> Any:
        day = (self.year, self.month, self.day)
        plain = datetime.datetime.combine(datetime.date(*day), self.timetz())
        return Datetime.of, (plain, self.nanosecond)


class Time(datetime.time):
    """A `time` from Java with nanoseconds: `nanosecond`, from 0 to 999, is the part below `microsecond`."""

    nanosecond = 0

    @classmethod
    def of(cls, value: datetime.time, nanosecond: int) -> Time:
        """Makes one of a time, and the nanoseconds beyond its microseconds."""
        made = cls(value.hour, value.minute, value.second, value.microsecond)
        made.nanosecond = nanosecond
        return made

    def isoformat(self, timespec: str = "auto") -> str:
        """The text, with nine digits of a second unless others are asked for."""
        return _finer(super().isoformat(_digits(timespec)), timespec, self.nanosecond)

    def __str__(self) -> str:
        return self.isoformat()

    def __repr__(self) -> str:
        return f"Time({self.isoformat()!r})"

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other) is True and self.nanosecond == getattr(other, "nanosecond", 0)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = datetime.time.__hash__

    def __reduce_ex__(self, protocol: object) -> Any:
        return Time.of, (datetime.time(self.hour, self.minute, self.second, self.microsecond), self.nanosecond)


class Timedelta(datetime.timedelta):
    """A `timedelta` from Java with nanoseconds: `nanoseconds`, from 0 to 999, is the part below `microseconds`."""

    nanoseconds = 0

    @classmethod
    def of(cls, value: datetime.timedelta, nanoseconds: int) -> Timedelta:
        """Makes one of a timedelta, and the nanoseconds beyond its microseconds."""
        made = cls(value.days, value.seconds, value.microseconds)
        made.nanoseconds = nanoseconds
        return made

    def __repr__(self) -> str:
        parts = f"days={self.days}, seconds={self.seconds}, microseconds={self.microseconds}"
        return f"Timedelta({parts}, nanoseconds={self.nanoseconds})"

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other) is True and self.nanoseconds == getattr(other, "nanoseconds", 0)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = datetime.timedelta.__hash__

    def __reduce_ex__(self, protocol: object) -> Any:
        return Timedelta.of, (datetime.timedelta(self.days, self.seconds, self.microseconds), self.nanoseconds)


def _digits(timespec: str) -> str:
    return "microseconds" if timespec in ("auto", "nanoseconds") else timespec


def _finer(text: str, timespec: str, nanosecond: int) -> str:
    """Appends the nanoseconds to a text with microseconds."""
    if _digits(timespec) == timespec:
        return text
    end = text.index(".") + 7
    return f"{text[:end]}{nanosecond:03}{text[end:]}"


# --- to Java -------------------------------------------------------------------------------------------------------


@cache
def _codec(kind: Any) -> pack.Codec[Any]:
    return pack.codec(kind, check=False)


def _value(schema: str, kind: Any, value: Any) -> Value:
    return Value(schema, _codec(kind).encode(value))


def packed_datetime(value: datetime.datetime) -> Value:
    """An Instant if it has a time zone, else a LocalDateTime; with the nanoseconds of classes that have them, as pandas' do."""
    finer = getattr(value, "nanosecond", 0)
    if value.tzinfo is None:
        if finer:
            return local(_since_midnight(value) + finer, value.toordinal() - _FIRST)
        return _value("tuple<date, time>", _PLAIN["tuple<date, time>"], (value.date(), value.time()))
    if not finer:
        return _value("timestamp", datetime.datetime, value)
    utc = value.astimezone(datetime.UTC)
    days = utc.toordinal() - _FIRST
    return _value("timestamp", _NANOSECONDS["timestamp"], days * _DAY + _since_midnight(utc) + finer)


def packed_time(value: datetime.time) -> Value:
    """A LocalTime."""
    finer = getattr(value, "nanosecond", 0)
    if finer:
        return _value("time", _NANOSECONDS["time"], _since_midnight(value) + finer)
    return _value("time", datetime.time, value)


def packed_timedelta(value: datetime.timedelta) -> Value:
    """A Duration."""
    finer = getattr(value, "nanoseconds", 0)
    if finer:
        return duration((value.days * 86_400 + value.seconds) * _SECOND + value.microseconds * 1000 + finer)
    return _value("duration", datetime.timedelta, value)


def packed_date(value: datetime.date) -> Value:
    """A LocalDate."""
    return _value("date", datetime.date, value)


def local(nanoseconds: int, days: int = 0) -> Value:
    """A LocalDateTime: days and nanoseconds since 1970 began. Raises ValueError or OverflowError outside of the years 1 to 9999."""
    more, rest = divmod(nanoseconds, _DAY)
    date = datetime.date.fromordinal(_FIRST + days + more)
    return _value("tuple<date, time>", _NANOSECONDS["tuple<date, time>"], (date, rest))


def duration(nanoseconds: int) -> Value:
    """A Duration of nanoseconds."""
    return _value("duration", _NANOSECONDS["duration"], nanoseconds)


def _since_midnight(value: datetime.datetime | datetime.time) -> int:
    seconds = (value.hour * 60 + value.minute) * 60 + value.second
    return seconds * _SECOND + value.microsecond * 1000


# --- from Java -----------------------------------------------------------------------------------------------------


def time_decoder(schema: str) -> Callable[[bytes], Any] | None:
    """The decoder for messages of a time's schema, or of an option of it; None for other schemas."""
    optional = schema.startswith("option<")
    inner = schema[len("option<") : -1] if optional else schema
    plain = _PLAIN.get(inner)
    if plain is None:
        return None
    decode = _codec(plain | None if optional else plain).decode
    if inner == "date":
        return decode
    nanoseconds = _NANOSECONDS[inner]
    fine = _codec(nanoseconds | None if optional else nanoseconds).decode

    def read(message: bytes) -> Any:
        try:
            value = decode(message)
        except SamewireError as error:
            if error.code != "type_mismatch":
                raise
            return _FINE[inner](fine(message))
        return datetime.datetime.combine(*value) if isinstance(value, tuple) else value

    return read


def _fine_timestamp(value: int) -> Datetime:
    microseconds, rest = divmod(value, 1000)
    return Datetime.of(_EPOCH + datetime.timedelta(microseconds=microseconds), rest)


def _fine_local(value: tuple[datetime.date, int]) -> Datetime:
    time = _fine_time(value[1])
    return Datetime.of(datetime.datetime.combine(value[0], time), time.nanosecond)


def _fine_time(value: int) -> Time:
    microseconds, rest = divmod(value, 1000)
    return Time.of((_EPOCH + datetime.timedelta(microseconds=microseconds)).time(), rest)


def _fine_duration(value: int) -> Timedelta:
    microseconds, rest = divmod(value, 1000)
    return Timedelta.of(datetime.timedelta(microseconds=microseconds), rest)


#: Functions that convert nanoseconds to the class with nanoseconds, by schema.
_FINE: dict[str, Callable[[Any], Any]] = {
    "time": _fine_time,
    "timestamp": _fine_timestamp,
    "duration": _fine_duration,
    "tuple<date, time>": _fine_local,
}
