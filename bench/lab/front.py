"""The README's first figures, from the stored runs: a line for each part, and the chart of bytes."""

from __future__ import annotations

import math
from collections.abc import Sequence

from bench.lab import extract, stats, svg
from bench.lab.cells import Row, rows
from bench.lab.languages import TITLES
from bench.lab.record import Run
from bench.lab.suite import Suite
from bench.lab.summary import clocked, lead, means
from bench.lab.tables import markdown
from bench.lab.words import listed, span, times

#: What the chart of bytes shows of the field data, the largest first: the peer's language, its name in the lab, its name in the chart.
SHOWN = (
    ("python", "orjson.plain", "JSON"),
    ("python", "ormsgpack.plain", "MessagePack, maps"),
    ("python", "pickle.plain", "pickle"),
    ("rust", "rmp-serde", "MessagePack, arrays"),
    ("jvm", "fory", "Fory"),
    ("rust", "bitcode", "bitcode"),
    ("rust", "samewire-compact", "Samewire"),
)
OURS = "samewire"
WIDTH, NAMES, ROW, BAR, EDGE = 640.0, 150.0, 24.0, 14.0, 60.0
#: An image in a page knows the reader's colours by this alone.
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#24292f}.theirs{fill:#afb8c1}.ours{fill:#1f6feb}"
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.theirs{fill:#57606a}.ours{fill:#58a6ff}}"
)


def table(runs: Sequence[Run]) -> str:
    """For each part the geometric means of its ratios: beside the peer that users come from, and beside the fastest of each line."""
    body = []
    for area, alike in extract.instead(extract.quotable(runs)):
        run = extract.merged(alike)
        leading = lead(rows(run), area)
        if leading:
            counts = [sum(getattr(row, state) for row in leading) for state in ("faster", "same", "unresolved", "slower")]
            languages = [name for name in TITLES if any(row.language == name for row in leading)]
            where = f", in {listed([TITLES[name] for name in languages])}" if len(languages) > 1 else ""
            fastest = f"{means(leading)} ({clocked(leading)})"
            body.append([f"{area.title}{where}", _incumbent(run, leading, area), fastest, " / ".join(map(str, counts))])
    if not body:
        return extract.NOTHING
    heads = ("speed", "beside the library that it replaces", "beside the fastest peer of each line")
    return markdown((*heads, "lines faster / same / not resolved / slower"), body)


def _incumbent(run: Run, leading: Sequence[Row], area: Suite) -> str:
    found = [each for row in leading if area.incumbent and (each := extract.against_incumbent(run, row, area.incumbent))]
    if not found:
        return ""
    of = stats.geometric([ratio for _, ratio in found])
    interval = f" ({span(of.low, of.high)})" if of.low is not None else ""
    return f"{times(of.middle)}{interval} {area.incumbent}"


def shares(runs: Sequence[Run]) -> list[tuple[str, float, bool]]:
    """Of each that is shown: its name, the geometric mean of its bytes as a share of JSON's, and whether it is ours.

    Over the sets of field data that all of them hold. Nothing if any of them was not measured.
    """
    bytes_of = [
        {
            key.workload: cell.bytes
            for run in runs
            for key, cell in run.cells.items()
            if (key.area, key.language, key.peer) == ("field", language, peer) and cell.bytes
        }
        for language, peer, _ in SHOWN
    ]
    shared = set.intersection(*map(set, bytes_of))
    if not shared:
        return []
    return [
        (
            title,
            math.exp(math.fsum(math.log(of[name] / bytes_of[0][name]) for name in sorted(shared)) / len(shared)),
            peer.startswith(OURS),
        )
        for of, (_, peer, title) in zip(bytes_of, SHOWN, strict=True)
    ]


def chart(runs: Sequence[Run]) -> str:
    """Those shares as bars: an image for the README, which looks well on light and on dark pages."""
    parts = [svg.element("style", STYLE)]
    found = shares(runs)
    for at, (name, share, ours) in enumerate(found):
        y = at * ROW
        width = share * (WIDTH - NAMES - EDGE)
        parts.append(svg.text(name, x=NAMES - 8, y=y + 17, text_anchor="end"))
        parts.append(svg.element("rect", x=NAMES, y=y + 5, width=width, height=BAR, rx=2, class_="ours" if ours else "theirs"))
        parts.append(svg.text(f"{share:.2f}", x=NAMES + width + 6, y=y + 17))
    label = "Bytes as a share of JSON's: " + ", ".join(f"{name} {share:.2f}" for name, share, _ in found)
    drawn = svg.document(WIDTH, len(found) * ROW + 4, label, parts)
    return drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1) + "\n"
