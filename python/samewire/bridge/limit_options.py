"""Limits as options of a gateway that this program starts."""

from __future__ import annotations

#: As in `__init__`: nothing slow is imported before the JVM is started.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from samewire.limits import Limits


def limit_options(limits: Limits) -> list[str]:
    """The options that give a gateway the limits of this side."""
    return [part for name in limits.__slots__ for part in ("--limit", f"{name}={getattr(limits, name)}")]
