"""The method of HOTKEYS that is written by hand."""

from __future__ import annotations

from typing import Any

from samewire.redis.commands.choices import HotkeysMetricsTypes
from samewire.redis.commands.executes import Executes


def hotkeys_start(
    self: Executes,
    metrics: list[HotkeysMetricsTypes],
    count: int | None = None,
    duration: int | None = None,
    sample_ratio: int | None = None,
    slots: list[int] | None = None,
    **kwargs: Any,
) -> Any:
    """Starts to count which keys are in most use (HOTKEYS START of Redis 8.6).

    metrics: what is counted; count: how many keys are told; duration: seconds, for ever without it; sample_ratio: of so
    many commands one is counted; slots: only keys in these.
    """
    pieces: list[Any] = ["HOTKEYS START", "METRICS", len(metrics), *(metric.value for metric in metrics)]
    if count is not None:
        pieces += ("COUNT", count)
    if duration is not None:
        pieces += ("DURATION", duration)
    if sample_ratio is not None:
        pieces += ("SAMPLE", sample_ratio)
    if slots is not None:
        pieces += ("SLOTS", len(slots), *slots)
    return self.execute_command(*pieces, **kwargs)
