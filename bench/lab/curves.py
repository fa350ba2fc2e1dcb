"""The chart of latency: how long the slower calls take, a line for each peer."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from bench.lab import svg
from bench.lab.cells import Row
from bench.lab.suite import Suite
from bench.lab.svg import Log
from bench.lab.words import duration

WIDTH, HEIGHT = 400.0, 270.0
LEFT, TOP, BOTTOM = 62.0, 16.0, 40.0
"""Pixels around the plane; to the right of it stand the names of the peers."""
LINE, LETTER, GAP = 12.0, 6.8, 6.0
"""Pixels between two names, of a letter in one, and between a line's end and its name."""

Curve = Mapping[float, float]
"""Nanoseconds by percentile."""


def curves(found: Sequence[Row], area: Suite) -> Mapping[str, Curve]:
    """Of every peer whose single calls were timed."""
    made: dict[str, dict[float, float]] = {}
    for row in found:
        if (share := area.operation(row.op).percentile) is not None and row.time:
            made.setdefault(row.peer, {})[share] = row.time
    return made


def latencies(found: Sequence[Row], area: Suite, language: str, label: str) -> str:
    """Percentiles across, one nine more a step; time upwards, logarithmic. Empty under two percentiles."""
    some = curves(found, area)
    shares = sorted({share for curve in some.values() for share in curve})
    if len(shares) < 2:
        return ""
    right = WIDTH - GAP - LETTER * max(map(len, some))
    x = Log(_rarity(shares[0]), _rarity(shares[-1]), LEFT, right)
    y = svg.spanning([time for curve in some.values() for time in curve.values()], HEIGHT - BOTTOM, TOP)
    ours = {row.peer for row in found if row.ours}
    parts = [_grid(shares, x, y)]
    parts += [_curve(peer, curve, peer in ours, x, y) for peer, curve in some.items()]
    parts += _names(some, ours, right + GAP, y)
    return svg.document(WIDTH, HEIGHT, label, parts, f"chart latency {language}")


def _rarity(share: float) -> float:
    """One of how many calls takes longer: 2 at the median, 1,000 at 99.9 %."""
    return 100.0 / (100.0 - share)


def _grid(shares: Sequence[float], x: Log, y: Log) -> str:
    bottom, right = HEIGHT - BOTTOM, x.end
    parts = []
    for share in shares:
        at = x.at(_rarity(share))
        parts.append(svg.element("line", x1=at, x2=at, y1=TOP, y2=bottom, class_="grid"))
        parts.append(svg.text(f"{share:g}", x=at, y=bottom + 15, class_="axis", text_anchor="middle"))
    for tick in y.ticks(5):
        parts.append(svg.element("line", x1=LEFT, x2=right, y1=y.at(tick), y2=y.at(tick), class_="grid"))
        text = duration(tick).replace(".00", "").replace(".0 ", " ")
        parts.append(svg.text(text, x=LEFT - 6, y=y.at(tick) + 4, class_="axis", text_anchor="end"))
    parts.append(svg.text("so many of 100 take no longer →", x=right, y=HEIGHT - 8, class_="axis", text_anchor="end"))
    return "".join(parts)


def _curve(peer: str, curve: Curve, ours: bool, x: Log, y: Log) -> str:
    places = [f"{x.at(_rarity(share)):.1f} {y.at(time):.1f}" for share, time in sorted(curve.items())]
    told = ", ".join(f"p{share:g} {duration(time)}" for share, time in sorted(curve.items()))
    line = svg.element("path", d=f"M{'L'.join(places)}", class_="curve")
    return svg.element("g", svg.title(f"{peer}: {told}") + line, class_="ours" if ours else None)


def _names(some: Mapping[str, Curve], ours: set[str], left: float, y: Log) -> list[str]:
    """Beside the end of each line, the slowest at the top, moved down where two would cover each other."""
    last = -math.inf
    parts = []
    for peer, curve in sorted(some.items(), key=lambda each: -each[1][max(each[1])]):
        last = max(y.at(curve[max(curve)]) + 4, last + LINE)
        parts.append(svg.text(peer, x=left, y=last, class_="name ours" if peer in ours else "name"))
    return parts
