"""Arguments as they are sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from samewire.redis.exceptions import DataError


def in_seconds(value: Any) -> Any:
    """A duration in whole seconds; what is no timedelta as it is."""
    return int(value.total_seconds()) if isinstance(value, timedelta) else value


def in_milliseconds(value: Any) -> Any:
    """A duration in whole milliseconds; what is no timedelta as it is."""
    return int(value.total_seconds() * 1000) if isinstance(value, timedelta) else value


def unix_seconds(value: Any) -> Any:
    """A point in time in whole seconds since 1970; what is no datetime as it is."""
    return int(value.timestamp()) if isinstance(value, datetime) else value


def unix_milliseconds(value: Any) -> Any:
    """A point in time in whole milliseconds since 1970; what is no datetime as it is."""
    return int(value.timestamp() * 1000) if isinstance(value, datetime) else value


def whole(value: Any, name: str, kinds: str) -> int:
    """An integer, also one in digits. Raises DataError for anything else."""
    if isinstance(value, int):
        return value
    if isinstance(value, str) and value.isdigit():
        return int(value)
    raise DataError(f"{name} must be {kinds} or int, not {value!r}")


def whole_seconds(value: Any) -> int:
    """EX: a duration in seconds. Raises DataError for anything but a timedelta or an integer."""
    return whole(in_seconds(value), "ex", "datetime.timedelta")


def whole_milliseconds(value: Any) -> int:
    """PX: a duration in milliseconds. Raises DataError for anything but a timedelta or an integer."""
    return whole(in_milliseconds(value), "px", "datetime.timedelta")


def digits(value: Any) -> int:
    """An integer, also one in digits. Raises DataError for anything else."""
    try:
        return int(value)
    except (TypeError, ValueError):
        raise DataError(f"expected an integer, not {value!r}") from None


def listed(items: Any, more: tuple[Any, ...] = ()) -> list[Any]:
    """The items and then `more`, where `items` may also be a single one."""
    # What is usual first: to ask whether something is iterable takes longer than all the rest.
    if isinstance(items, (str, bytes)):
        return [items, *more]
    if isinstance(items, (list, tuple)):
        return [*items, *more]
    if isinstance(items, (bytearray, memoryview)) or not isinstance(items, Iterable):
        return [items, *more]
    return [*items, *more]


def flat(mapping: Mapping[Any, Any]) -> list[Any]:
    """Each key and its value."""
    return [part for pair in mapping.items() for part in pair]


class ExclusiveOptionsError(DataError, ValueError):
    """More than one of several options is given. redis-py raises DataError for some commands, ValueError for others."""


def exclusive(*names: str) -> DataError:
    """The error for parameters of which one at most may be given."""
    return ExclusiveOptionsError(f"give at most one of {', '.join(names)}: they are mutually exclusive")


def together(*names: str) -> DataError:
    """The error for parameters that are given together or not at all."""
    return DataError(f"give all of {', '.join(names)}, or none of them")


def expiry(seconds: Any, milliseconds: Any, at: Any, at_ms: Any, word: str | None) -> list[Any]:
    """EX, PX, EXAT, PXAT or `word` as they are sent. Raises DataError for more than one of them."""
    given = (seconds is not None) + (milliseconds is not None) + (at is not None) + (at_ms is not None) + (word is not None)
    if given > 1:
        raise exclusive("ex", "px", "exat", "pxat", "keepttl or persist")
    if seconds is not None:
        return ["EX", whole_seconds(seconds)]
    if milliseconds is not None:
        return ["PX", whole_milliseconds(milliseconds)]
    if at is not None:
        return ["EXAT", unix_seconds(at)]
    if at_ms is not None:
        return ["PXAT", unix_milliseconds(at_ms)]
    return [] if word is None else [word]
