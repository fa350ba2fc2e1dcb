"""Times inside `Any` whose precision or range exceeds that of `datetime`, `time` and `timedelta`.

Decoding an `Any` returns a class of `datetime` if it holds the value exactly, else one of these; encoding accepts both.
Declared types, `Annotated[int, pack.TIMESTAMP]` and its like, are plain integers instead.
"""

from __future__ import annotations


class TimestampNs(int):
    """An instant: nanoseconds since 1970-01-01T00:00:00Z."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"TimestampNs({int(self)})"


class TimeNs(int):
    """A time of day: nanoseconds since midnight."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"TimeNs({int(self)})"


class DurationNs(int):
    """A duration in nanoseconds."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"DurationNs({int(self)})"
