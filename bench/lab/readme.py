"""The README's table of speeds, made from the last stored full run and kept between two marks.

``python -m bench.lab.readme`` writes it; a test fails if somebody else did.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from bench.lab import store, suite
from bench.lab.cells import Row, rows
from bench.lab.languages import TITLES
from bench.lab.places import RESULTS, ROOT
from bench.lab.record import Run
from bench.lab.refusal import Refusal
from bench.lab.store import StoreError
from bench.lab.suite import Suite
from bench.lab.summary import lead, sentence
from bench.lab.tables import markdown
from bench.lab.words import count, duration, span, verdict

BEGIN = "<!-- made by `make readme-table` from a stored run; not to be edited -->"
END = "<!-- end of the made part -->"
NOTHING = "No full run is stored yet: `bench run --full`, `bench keep`, `make readme-table`.\n"


def stored(root: Path = RESULTS) -> Run | None:
    """The last full run among those that are committed, of any machine."""
    runs = [run for run in map(store.read, store.kept(root)) if run.header.mode == "full"]
    return max(runs, key=lambda run: run.header.started, default=None)


def text(run: Run | None) -> str:
    """What stands between the marks."""
    if run is None:
        return NOTHING
    found = rows(run)
    return "\n".join(_area(run, found, suite.load(name)) for name in run.header.areas)


def _area(run: Run, found: Sequence[Row], area: Suite) -> str:
    head = run.header
    made = (
        f"{sentence(run, found, area)}\n\nMeasured {head.started[:10]} at commit {head.commit}{'+' if head.dirty else ''} on "
        f"{head.machine['cpu']}, {head.machine['cores']} cores, {head.plan['rounds']} rounds of fresh processes: CPU time (Chromium: "
        "wall time), and how many times as fast as the best peer in the same rounds, with the 95 % interval; *same*: it includes 1.\n"
    )
    leading = lead(found, area)
    ops = [operation.name for operation in area.operations if operation.whole]
    body = []
    for language in (name for name in TITLES if any(row.language == name for row in leading)):
        for workload in area.workloads.values():
            mine = {row.op: row for row in leading if (row.language, row.workload) == (language, workload.name)}
            if workload.summary and mine:
                size = next(iter(mine.values())).bytes
                body.append([TITLES[language], workload.title, count(size), *(_cell(mine.get(op)) for op in ops)])
    return f"{made}\n{markdown(('', 'data', 'bytes', *ops), body, words=2)}"


def _cell(row: Row | None) -> str:
    if row is None:
        return ""
    ratio = f"{verdict(row)} ({span(row.ratio_low, row.ratio_high)})"
    return f"{duration(row.time)}, {ratio} {row.reference}"


def between(readme: str) -> str:
    """What stands between the marks of a README now. Raises Refusal."""
    if readme.count(BEGIN) != 1 or readme.count(END) != 1:
        raise Refusal("the README needs one pair of marks for the table (bench/lab/readme.py names them)")
    return readme.partition(BEGIN)[2].partition(END)[0].strip("\n") + "\n"


def replaced(readme: str, made: str) -> str:
    """The README with another text between its marks. Raises Refusal."""
    between(readme)
    before, _, rest = readme.partition(BEGIN)
    return f"{before}{BEGIN}\n{made.strip(chr(10))}\n{END}{rest.partition(END)[2]}"


def main() -> None:
    """Writes the README."""
    path = ROOT / "README.md"
    try:
        path.write_text(replaced(path.read_text("utf-8"), text(stored())), "utf-8")
    except (Refusal, StoreError) as why:
        sys.exit(f"readme-table: {why}")


if __name__ == "__main__":
    main()
