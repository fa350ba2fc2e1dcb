"""Fills the page's template."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from bench.lab import charts, reference, suite, words
from bench.lab.answer import sentences
from bench.lab.cells import Row
from bench.lab.curves import latencies
from bench.lab.languages import TITLES
from bench.lab.losses import larger, slower
from bench.lab.protocol import LIMIT, Peer
from bench.lab.record import OK, Run
from bench.lab.suite import Operation, Suite, Workload
from bench.lab.summary import command, lead, sentence, troubles, warnings
from bench.lab.verdict import WORDS, counted, verdicts

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Line:
    """One peer in a table. cells: by operation, what was measured."""

    peer: str
    ours: bool
    version: str
    about: Peer
    bytes: int | None
    gz: int | None
    memory: str
    cells: dict[str, Row]


@dataclass(frozen=True)
class Section:
    """One language on one workload: a table and a chart."""

    language: str
    workload: Workload
    operations: list[Operation]
    lines: list[Line]
    commands: list[str]
    chart: Markup
    curve: Markup
    anchor: str
    best: str
    prominent: bool


@dataclass(frozen=True)
class Area:
    """One suite of the run."""

    suite: Suite
    sentence: str
    charts: list[tuple[str, Markup]]
    sections: dict[str, list[Section]]
    slower: list[Any]
    larger: list[Any]
    once: list[Row]


def html(run: Run, found: Sequence[Row]) -> str:
    """The whole page. found: the run's rows in the order in which tables show them."""
    suites = [suite.load(name) for name in run.header.areas]
    every = verdicts(run)
    context = {
        "run": run,
        "head": run.header,
        "warnings": warnings(run),
        "answers": sentences(run, found, run.header.data["workload"]) if run.header.data else [],
        "areas": [_area(run, found, each) for each in suites],
        "troubles": _grouped(troubles(found)),
        "verdicts": every,
        "verdict_words": WORDS,
        "verdict_counts": counted(every),
        "references": [
            (name, reference.sections(run, area)) for name, area in reference.areas().items() if area.name in run.header.areas
        ],
        "titles": TITLES,
        "raw": _embedded([row.as_json() for row in found]),
        "record": _embedded(run.header.as_json()),
        "style": Markup(_file("style.css")),
        "script": Markup(_file("page.js")),
        "charts": charts,
        "words": words,
    }
    return _environment().get_template("page.html.jinja").render(context)


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )


def _file(name: str) -> str:
    return (HERE / name).read_text("utf-8")


def _embedded(value: object) -> Markup:
    """JSON that is safe inside a script element, with any texts."""
    return Markup(json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"))


def _area(run: Run, found: Sequence[Row], each: Suite) -> Area:
    mine = [row for row in found if row.area == each.name]
    leading = lead(mine, each)
    drawn = [
        (operation.name, Markup(charts.ratios(leading, each, operation.name))) for operation in each.operations if operation.whole
    ]
    sections: dict[str, list[Section]] = {}
    for language in run.languages():
        names = dict.fromkeys(row.workload for row in mine if row.language == language and row.status == OK)
        sections[language] = [_section(run, mine, each, language, name) for name in names]
    once = [row for row in mine if row.status == OK and each.operation(row.op).once]
    return Area(
        suite=each,
        sentence=sentence(run, mine, each),
        charts=[(op, chart) for op, chart in drawn if chart],
        sections={language: some for language, some in sections.items() if some},
        slower=slower(mine, each),
        larger=larger(mine, each),
        once=once,
    )


def _section(run: Run, found: Sequence[Row], each: Suite, language: str, name: str) -> Section:
    mine = [row for row in found if (row.language, row.workload, row.status) == (language, name, OK)]
    repeated = [row for row in mine if not each.operation(row.op).once]
    ops = sorted({row.op for row in repeated}, key=each.rank)
    lines = [_line(run, [row for row in repeated if row.peer == peer]) for peer in dict.fromkeys(row.peer for row in repeated)]
    # Ours first, then from the fastest to decode.
    lines.sort(key=lambda line: (not line.ours, _time(line, "decode") or _time(line, ops[-1] if ops else "")))
    workload = each.workloads.get(name) or Workload(name, name, "the user's own file", 0)
    chart = charts.scatter(
        charts.points([row for row in mine if run.peer(row.key).kind != LIMIT], language, name, each.leads(language)),
        language,
        f"{TITLES.get(language, language)}, {workload.title}: time and size",
    )
    curve = latencies(mine, each, language, f"{TITLES.get(language, language)}, {workload.title}: latency by percentile")
    leading = [row for row in lead(mine, each) if row.ratio]
    return Section(
        language=language,
        workload=workload,
        operations=[each.operation(op) for op in ops],
        lines=lines,
        commands=[command(run, list(line.cells.values())) for line in lines],
        chart=Markup(chart),
        curve=Markup(curve),
        anchor=f"{each.name}-{language}-{name}",
        best=", ".join(f"{row.op} {words.verdict(row)}" for row in leading),
        prominent=workload.summary or name not in each.workloads,
    )


def _time(line: Line, op: str) -> float:
    row = line.cells.get(op)
    return row.time if row and row.time else 0.0


def _line(run: Run, some: Sequence[Row]) -> Line:
    first = some[0]
    memory = [(row.op, words.allocated(run.cells[row.key].heap, run.cells[row.key].allocs)) for row in some]
    return Line(
        peer=first.peer,
        ours=first.ours,
        version=first.version,
        about=run.peer(first.key),
        bytes=first.bytes,
        gz=first.gz,
        memory=", ".join(f"{op} {text}" for op, text in memory if text),
        cells={row.op: row for row in some},
    )


def _grouped(some: Sequence[Row]) -> list[tuple[Row, list[str]]]:
    """Rows of one peer with one reason together, with the workloads that they stand for."""
    groups: dict[tuple[str, str, str, str], tuple[Row, list[str]]] = {}
    for row in some:
        groups.setdefault((row.language, row.peer, row.status, row.note), (row, []))[1].append(row.workload)
    return list(groups.values())
