"""The result as one HTML page: no network, no script, readable in light and dark."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from samewire.schema.emit.definitions import LANGUAGES, file_for

from tour.datasets import DataSet
from tour.results import HOPS, Refused, Report, Row
from tour.summary import Mean, means
from tour.table import duration, note, times

_STYLE = """
:root { color-scheme: light dark; --ink: #1c2330; --soft: #5b6577; --paper: #fbfbf9; --line: #d9dce2; --bar: #c9cfda;
  --ours: #2c7a5b; --card: #f1f2ef; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8ec; --soft: #9aa4b5; --paper: #15181e; --line: #333a46;
  --bar: #3b4454; --ours: #4fb38a; --card: #1d2129; } }
* { box-sizing: border-box; }
body { font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0 auto; max-width: 68rem;
  padding: 2.5rem 1.25rem 5rem; }
h1 { font-size: 1.9rem; margin: 0 0 .4rem; } h2 { font-size: 1.3rem; margin: 3rem 0 .4rem; }
p { max-width: 46rem; } .soft { color: var(--soft); }
.chain { display: flex; flex-wrap: wrap; gap: .5rem; padding: 0; list-style: none; margin: 1.2rem 0; }
.chain li { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .25rem .8rem; }
.chain li + li::before { content: "→ "; color: var(--soft); }
.wide { overflow-x: auto; margin-bottom: .8rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .92rem; }
th, td { text-align: right; padding: .28rem .6rem; white-space: nowrap; }
th { font-weight: 600; color: var(--soft); } thead tr, tbody tr:first-child { border-bottom: 1px solid var(--line); }
td:first-child, th:first-child { text-align: left; position: sticky; left: 0; background: var(--paper); }
tbody th { color: var(--ink); font-size: 1rem; padding-top: .9rem; }
tr.refused td { color: var(--soft); white-space: normal; }
tr.ours td { font-weight: 600; } tr.ours td:first-child { color: var(--ours); }
td.bar { min-width: 11rem; background: linear-gradient(var(--bar), var(--bar)) no-repeat left center;
  background-size: calc((100% - 5.5rem) * var(--share)) 62%; }
@media (max-width: 40rem) { table { font-size: .8rem; } th, td { padding: .28rem .3rem; }
  td.bar { min-width: 0; background-image: none !important; } }
@media print { .wide, pre { overflow: visible; max-height: none; } }
tr.ours td.bar { background-image: linear-gradient(color-mix(in srgb, var(--ours) 38%, transparent),
  color-mix(in srgb, var(--ours) 38%, transparent)); }
pre { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .8rem 1rem; overflow: auto;
  font-size: .82rem; line-height: 1.45; max-height: 30rem; white-space: pre-wrap; overflow-wrap: anywhere; }
summary { cursor: pointer; color: var(--soft); margin: .4rem 0; }
"""


def page(sets: Sequence[DataSet], reports: Sequence[Report], rounds: int) -> str:
    """The whole page."""
    runtimes = ", ".join(f"{HOPS[report.language]} ({escape(report.runtime)})" for report in reports)
    chain = "".join(f"<li>{name}</li>" for name in ("Python", "bridge", "Java", "TypeScript", "gRPC", "Valkey", "Rust", "Python"))
    sections = "".join(_section(each, reports) for each in sets)
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width">\n'
        f"<title>Samewire: the tour</title>\n<style>{_STYLE}</style>\n"
        "<h1>Samewire: the tour</h1>\n"
        f"<p>{len(sets)} data sets, read into typed values and carried through every language and a server. Each hop is a process that "
        "decodes to its own typed objects and encodes them again.</p>\n"
        f'<ol class="chain">{chain}</ol>\n'
        "<p>The bytes are the same after every hop; the values that came back equal those that went out.</p>\n"
        f'<p class="soft">{note(rounds)} Measured with {runtimes}.</p>\n'
        f"{_summary(reports)}{sections}</html>\n"
    )


def _summary(reports: Sequence[Report]) -> str:
    found = means(reports)
    largest = max(mean.size for mean in found)
    bodies = ""
    for language in HOPS:
        bodies += _body(language, [_mean(mean, largest) for mean in found if mean.language == language])
    return (
        "<h2>All data sets</h2>\n<p class='soft'>Geometric means beside Samewire compact; above 1× is larger or slower.</p>\n"
        + _table(("format", "bytes", "encode", "decode", "data sets"), bodies)
    )


def _table(heads: Sequence[str], bodies: str) -> str:
    cells = "".join(f"<th>{name}</th>" for name in heads)
    return f"<div class='wide'><table><thead><tr>{cells}</tr></thead>{bodies}</table></div>\n"


def _body(language: str, lines: Sequence[str]) -> str:
    return f'<tbody><tr><th scope="rowgroup">{HOPS[language]}</th></tr>{"".join(lines)}</tbody>'


def _row(name: str, ours: bool, share: float, cells: Sequence[str]) -> str:
    """share: of the largest size, which the bar behind the first cell shows."""
    first, *others = cells
    return (
        f'<tr class="{"ours" if ours else "peer"}"><td>{escape(name)}</td><td class="bar" style="--share: {share:.3f}">{first}</td>'
        + "".join(f"<td>{cell}</td>" for cell in others)
        + "</tr>"
    )


def _mean(mean: Mean, largest: float) -> str:
    cells = (times(mean.size), times(mean.encode), times(mean.decode), str(mean.sets))
    return _row(mean.name, mean.ours, mean.size / largest, cells)


def _section(each: DataSet, reports: Sequence[Report]) -> str:
    largest = max(row.bytes for report in reports for row in report.sets[each.id] if isinstance(row, Row))
    bodies = "".join(_body(report.language, _lines(report, each.id, largest)) for report in reports)
    definitions = "".join(_definitions(each, language) for language in LANGUAGES)
    return (
        f"<h2>{escape(each.title)}</h2>\n<p class='soft'>{each.items:,} items</p>\n"
        f"{_table(('format', 'bytes', 'gzipped', 'encode', '×', 'decode', '×'), bodies)}"
        f"<details><summary>schema and digest</summary><pre>{escape(each.inferred.schema.text)}\n\n"
        f"{each.inferred.schema.digest.hex()}</pre></details>\n{definitions}"
    )


def _definitions(each: DataSet, language: str) -> str:
    name, text = file_for(each.inferred.schema, language, f"{each.id} types")
    return f"<details><summary>{escape(name)}</summary><pre>{escape(text)}</pre></details>\n"


def _lines(report: Report, name: str, largest: int) -> list[str]:
    first = report.ours(name)
    return [_line(row, first, largest) for row in report.sets[name]]


def _line(row: Row | Refused, first: Row, largest: int) -> str:
    if isinstance(row, Refused):
        reason = escape(row.reason[:120])
        return f'<tr class="refused"><td>{escape(row.name)}</td><td colspan="6">refuses: {reason}</td></tr>'
    encode, decode = row.encode_median, row.decode_median
    cells = (
        *(f"{row.bytes:,}", f"{row.gzipped:,}"),
        *(duration(encode), times(encode / first.encode_median)),
        *(duration(decode), times(decode / first.decode_median)),
    )
    return _row(row.name, row.ours, row.bytes / largest, cells)


def write_page(path: Path, sets: Sequence[DataSet], reports: Sequence[Report], rounds: int) -> None:
    """Writes the page."""
    path.write_text(page(sets, reports, rounds), "utf-8")
