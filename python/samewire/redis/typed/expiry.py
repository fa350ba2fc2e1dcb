"""Times to live."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from samewire.errors import SamewireError

#: Milliseconds: about 146,000 years. Servers refuse times that overflow 64 bits when the clock is added.
LONGEST = 1 << 52


def milliseconds(ttl: Any) -> int | None:
    """A time to live (seconds, a timedelta, None) in whole milliseconds, rounded up. Raises SamewireError `misuse` unless it is positive."""
    if ttl is None:
        return None
    seconds = ttl.total_seconds() if isinstance(ttl, timedelta) else ttl
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds * 1000 <= LONGEST:
        raise SamewireError("misuse", text=f"ttl={ttl!r}: expected seconds above 0 or a timedelta")
    return -int(-seconds * 1000 // 1)
