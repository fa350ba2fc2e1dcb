"""What `spark` must reach, and what it aims at: shares of Py4J's time, by the clock and in CPU time, in the same rounds."""

from __future__ import annotations

from typing import NamedTuple


class Share(NamedTuple):
    """Ours takes at most ``most`` times what Py4J does."""

    workload: str
    most: float
    aim: bool = False


SHARES = (
    Share("select-50", 0.4),
    Share("agg-500", 0.3),
    Share("agg-repeated", 0.8),
    Share("create-10000", 0.8),
    Share("start", 1.0),
    Share("select-50", 0.25, aim=True),
    Share("agg-500", 0.2, aim=True),
)
