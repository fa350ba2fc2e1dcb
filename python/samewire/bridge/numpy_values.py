"""Converts values of numpy and pandas. Neither is imported: if a value of theirs exists, they have been imported."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from .times import duration, local

#: Units of times by how many nanoseconds they have, and how many of them a nanosecond has.
_UNITS = {
    "h": (3_600_000_000_000, 1),
    "m": (60_000_000_000, 1),
    "s": (1_000_000_000, 1),
    "ms": (1_000_000, 1),
    "us": (1_000, 1),
    "ns": (1, 1),
    "ps": (1, 1_000),
    "fs": (1, 1_000_000),
    "as": (1, 1_000_000_000),
}
_DAYS = {"D": 1, "W": 7}


def of_numpy(kind: type) -> Callable[[Any], Any] | None:
    """The conversion for a class of numpy; None for other classes."""
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return None
    if issubclass(kind, numpy.ma.MaskedArray):
        return _masked
    if issubclass(kind, numpy.ndarray):
        return _array
    if issubclass(kind, numpy.datetime64):
        return _moment
    if issubclass(kind, numpy.timedelta64):
        return _span
    if issubclass(kind, numpy.generic):
        return _number
    return None


def _number(value: Any) -> Any:
    plain = value.item()
    if type(plain) is type(value):
        raise TypeError(f"a numpy.{type(value).__name__} cannot be passed to Java, which has no such number: convert it first")
    return plain


def _nanoseconds(value: Any, unit: str, step: int) -> int:
    """The nanoseconds of a time whose unit has a fixed length."""
    count = int(value.astype("int64")) * step
    if unit in _DAYS:
        return count * _DAYS[unit] * 86_400 * 1_000_000_000
    many, part = _UNITS[unit]
    whole, rest = divmod(count * many, part)
    if rest:
        raise TypeError(f"{value!r} is finer than a nanosecond, and Java's times are not: round it, value.astype('M8[ns]')")
    return whole


def _moment(value: Any) -> Any:
    """A LocalDateTime, since it has no time zone; a LocalDate if the unit is days or longer; None for NaT."""
    numpy = sys.modules["numpy"]
    if numpy.isnat(value):
        return None
    unit, step = numpy.datetime_data(value.dtype)
    if unit in ("Y", "M", "W", "D"):
        date = value.astype("M8[D]").item()
        if isinstance(date, int):
            raise _outside(value)
        return date
    try:
        return local(_nanoseconds(value, unit, step))
    except (ValueError, OverflowError):
        raise _outside(value) from None


def _outside(value: Any) -> TypeError:
    return TypeError(f"{value!r} cannot be passed to Java: years from 1 to 9999 are expected")


def _span(value: Any) -> Any:
    """A Duration; None for NaT; a number if there is no unit."""
    numpy = sys.modules["numpy"]
    if numpy.isnat(value):
        return None
    unit, step = numpy.datetime_data(value.dtype)
    if unit == "generic":
        return int(value.astype("int64"))
    if unit in ("Y", "M"):
        raise TypeError(f"{value!r} has no fixed length: pass days, or a java.time.Period")
    return duration(_nanoseconds(value, unit, step))


def _array(values: Any) -> Any:
    """A numpy array that cannot be copied as a row: of several dimensions, strided, unsigned or of other types."""
    values = sys.modules["numpy"].asarray(values)
    return (
        values.item() if values.ndim == 0 and values.dtype.kind not in "mM" else values[()] if values.ndim == 0 else _row(values)
    )


def _row(values: Any) -> Any:
    if values.ndim > 1:
        return [_row(row) for row in values]
    numpy = sys.modules["numpy"]
    wider = {"u1": "<i2", "u2": "<i4", "u4": "<i8", "f2": "<f4"}.get(values.dtype.str[1:])
    if wider is not None:
        return values.astype(wider)
    if values.dtype.kind in "bif" and values.dtype.itemsize <= 8:
        return numpy.ascontiguousarray(values, values.dtype.newbyteorder("<"))
    if values.dtype.kind in "mM":
        return list(values)
    if values.dtype.kind in "uOSU":
        return values.tolist()
    raise TypeError(f"a numpy array of {values.dtype} cannot be passed to Java: convert it to numbers first")


def _masked(values: Any) -> Any:
    """A masked array: a plain array if nothing is masked, else a list with None for masked values."""
    numpy = sys.modules["numpy"]
    if not numpy.ma.is_masked(values):
        return _array(values.data)
    if values.ndim == 0:
        return None
    if values.ndim > 1:
        return [_masked(row) for row in values]
    return [None if element is numpy.ma.masked else element for element in values]


def of_missing(kind: type) -> Callable[[Any], Any] | None:
    """pandas' missing values (NaT, NA) are None; None for other classes."""
    if kind.__name__ in ("NaTType", "NAType") and kind.__module__.partition(".")[0] == "pandas":
        return lambda value: None
    return None


def of_pandas(kind: type) -> Callable[[Any], Any] | None:
    """The conversion for a class of pandas, and for tables of any library; None for other classes."""
    if hasattr(kind, "__dataframe__") or all(hasattr(kind, name) for name in ("columns", "dtypes", "to_dict")):
        return _table
    missing = of_missing(kind)
    if missing is not None:
        return missing
    pandas = sys.modules.get("pandas")
    series = getattr(pandas, "Series", None)
    return _series if isinstance(series, type) and issubclass(kind, series) else None


def _table(value: Any) -> Any:
    """Refuses a table: iterating over one yields the names of its columns, not its values."""
    kind = type(value)
    raise TypeError(
        f"a {kind.__module__.partition('.')[0]}.{kind.__name__} cannot be passed to Java: pass its rows, df.to_dict('records') "
        f"(a List of Maps), its columns, df.to_dict('list') (a Map of Lists), or one column, df['name'].to_numpy()"
    )


def _series(value: Any) -> Any:
    """The values of a series. Refuses a series whose labels are not row numbers, since they would be lost."""
    if value.index.dtype.kind not in "iu":
        raise TypeError(
            f"a pandas.Series with an index of {value.index.dtype} cannot be passed to Java, where it would lose its labels: "
            f"pass series.to_dict() (a Map), or list(series) for the values alone"
        )
    return list(value)
