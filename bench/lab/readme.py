"""What documents show of the stored runs: tables, kept between two marks in each file, and the README's chart.

``python -m bench.lab.readme`` writes them; a test fails if they were edited by hand.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from bench.lab import extract, front, store
from bench.lab.places import RESULTS, ROOT
from bench.lab.record import Run
from bench.lab.refusal import Refusal
from bench.lab.store import StoreError

BEGIN = "<!-- made by `make readme-table` from stored runs; not to be edited -->"
END = "<!-- end of the made part -->"


def stored(root: Path = RESULTS) -> list[Run]:
    """The committed runs, the oldest first."""
    return sorted(map(store.read, store.kept(root)), key=lambda run: run.header.started)


def text(runs: Sequence[Run]) -> str:
    """What stands between the marks of RESULTS.md: everything."""
    return "\n".join(filter(None, (extract.sizes(runs), extract.options() if runs else "", extract.speeds(runs))))


#: By file, what stands between its marks.
DOCUMENTS = {
    ROOT / "README.md": front.table,
    ROOT / "docs/figures.md": extract.shortest,
    ROOT / "bench/RESULTS.md": text,
}
CHART = ROOT / "docs/bytes.svg"


def between(document: str) -> str:
    """What stands between the marks of a document now. Raises Refusal."""
    if document.count(BEGIN) != 1 or document.count(END) != 1:
        raise Refusal("each document needs one pair of marks for its tables (bench/lab/readme.py names both)")
    return document.partition(BEGIN)[2].partition(END)[0].strip("\n") + "\n"


def replaced(document: str, made: str) -> str:
    """The document with another text between its marks. Raises Refusal."""
    between(document)
    before, _, rest = document.partition(BEGIN)
    return f"{before}{BEGIN}\n{made.strip(chr(10))}\n{END}{rest.partition(END)[2]}"


def main() -> None:
    """Writes the documents and the chart."""
    try:
        runs = stored()
        for path, make in DOCUMENTS.items():
            path.write_text(replaced(path.read_text("utf-8"), make(runs)), "utf-8")
        CHART.write_text(front.chart(runs), "utf-8")
    except (Refusal, StoreError) as why:
        sys.exit(f"readme-table: {why}")


if __name__ == "__main__":
    main()
