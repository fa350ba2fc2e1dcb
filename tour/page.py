"""The result as one HTML page: no network, no script, readable in light and dark."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from samewire.pack.emit.definitions import LANGUAGES, file_for

from tour.datasets import DataSet
from tour.results import HOPS, Refused, Report, Row
from tour.summary import Mean, means
from tour.table import NOTE, duration, times

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
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .92rem; }
th, td { text-align: right; padding: .28rem .6rem; white-space: nowrap; }
th { font-weight: 600; color: var(--soft); border-bottom: 1px solid var(--line); }
td:nth-child(1), td:nth-child(2), th:nth-child(1), th:nth-child(2) { text-align: left; }
tbody tr:first-child td { border-top: 1px solid var(--line); }
tr.refused td { color: var(--soft); white-space: normal; }
@media (max-width: 40rem) { table { font-size: .8rem; } th, td { padding: .28rem .3rem; } td.bar { min-width: 4rem; } }
@media print { .wide, pre { overflow: visible; max-height: none; } }
tr.ours td { font-weight: 600; } tr.ours td:nth-child(2) { color: var(--ours); }
td.bar { min-width: 7.5rem; background: linear-gradient(var(--bar), var(--bar)) no-repeat right center; background-size: var(--w) 62%; }
tr.ours td.bar { background-image: linear-gradient(color-mix(in srgb, var(--ours) 38%, transparent),
  color-mix(in srgb, var(--ours) 38%, transparent)); }
pre { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .8rem 1rem; overflow: auto;
  font-size: .82rem; line-height: 1.45; max-height: 30rem; white-space: pre-wrap; overflow-wrap: anywhere; }
summary { cursor: pointer; color: var(--soft); margin: .4rem 0; }
"""


def page(sets: Sequence[DataSet], reports: Sequence[Report], rounds: int) -> str:
    """The whole page."""
    runtimes = ", ".join(f"{HOPS[report.language]} ({escape(report.runtime)})" for report in reports)
    chain = "".join(f"<li>{name}</li>" for name in (*HOPS.values(), "Python"))
    sections = "".join(_section(each, reports) for each in sets)
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width">\n'
        f"<title>Samewire: the tour</title>\n<style>{_STYLE}</style>\n"
        "<h1>Samewire: the tour</h1>\n"
        f"<p>{len(sets)} data sets, read into typed values and carried through every language. Each hop is a process that "
        "decodes to its own typed objects and encodes them again.</p>\n"
        f'<ol class="chain">{chain}</ol>\n'
        "<p>The bytes are the same after every hop; the values that came back equal those that went out.</p>\n"
        f'<p class="soft">{NOTE.format(rounds=rounds)} Measured with {runtimes}.</p>\n'
        f"{_summary(reports)}{sections}</html>\n"
    )


def _summary(reports: Sequence[Report]) -> str:
    found = means(reports)
    largest = max(mean.size for mean in found)
    bodies = ""
    for language in HOPS:
        rows = [mean for mean in found if mean.language == language]
        lines = "".join(_mean(HOPS[language] if mean is rows[0] else "", mean, largest) for mean in rows)
        bodies += f"<tbody>{lines}</tbody>"
    heads = "".join(f"<th>{name}</th>" for name in ("", "format", "bytes", "encode", "decode", "data sets"))
    return (
        "<h2>All data sets</h2>\n<p class='soft'>Geometric means beside Samewire compact; above 1× is larger or slower.</p>\n"
        f"<div class='wide'><table><thead><tr>{heads}</tr></thead>{bodies}</table></div>\n"
    )


def _mean(language: str, mean: Mean, largest: float) -> str:
    return (
        f'<tr class="{"ours" if mean.ours else "peer"}"><td>{language}</td><td>{escape(mean.name)}</td>'
        f'<td class="bar" style="--w: {100 * mean.size / largest:.1f}%">{times(mean.size)}</td>'
        f"<td>{times(mean.encode)}</td><td>{times(mean.decode)}</td><td>{mean.sets}</td></tr>"
    )


def _section(each: DataSet, reports: Sequence[Report]) -> str:
    largest = max(row.bytes for report in reports for row in report.sets[each.id] if isinstance(row, Row))
    bodies = "".join(_body(report, each.id, largest) for report in reports)
    heads = "".join(f"<th>{name}</th>" for name in ("", "format", "bytes", "gzipped", "encode", "×", "decode", "×"))
    definitions = "".join(_definitions(each, language) for language in LANGUAGES)
    return (
        f"<h2>{escape(each.title)}</h2>\n<p class='soft'>{each.items:,} items</p>\n"
        f"<div class='wide'><table><thead><tr>{heads}</tr></thead>{bodies}</table></div>\n"
        f"<details><summary>schema and digest</summary><pre>{escape(each.inferred.schema.text)}\n\n"
        f"{each.inferred.schema.digest.hex()}</pre></details>\n{definitions}"
    )


def _definitions(each: DataSet, language: str) -> str:
    name, text = file_for(each.inferred.schema, language, f"{each.id} types")
    return f"<details><summary>{escape(name)}</summary><pre>{escape(text)}</pre></details>\n"


def _body(report: Report, name: str, largest: int) -> str:
    first = report.ours(name)
    lines = "".join(_line(HOPS[report.language] if row is first else "", row, first, largest) for row in report.sets[name])
    return f"<tbody>{lines}</tbody>"


def _line(language: str, row: Row | Refused, first: Row, largest: int) -> str:
    if isinstance(row, Refused):
        return (
            f'<tr class="refused"><td>{language}</td><td>{escape(row.name)}</td>'
            f'<td colspan="6">refuses: {escape(row.reason[:120])}</td></tr>'
        )
    width = f"{100 * row.bytes / largest:.1f}%"
    encode, decode = row.encode_median, row.decode_median
    return (
        f'<tr class="{"ours" if row.ours else "peer"}"><td>{language}</td><td>{escape(row.name)}</td>'
        f'<td class="bar" style="--w: {width}">{row.bytes:,}</td><td>{row.gzipped:,}</td>'
        f"<td>{duration(encode)}</td><td>{times(encode / first.encode_median)}</td>"
        f"<td>{duration(decode)}</td><td>{times(decode / first.decode_median)}</td></tr>"
    )


def write_page(path: Path, sets: Sequence[DataSet], reports: Sequence[Report], rounds: int) -> None:
    """Writes the page."""
    path.write_text(page(sets, reports, rounds), "utf-8")
