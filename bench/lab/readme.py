"""The README's tables, made from the stored runs and kept between two marks.

``python -m bench.lab.readme`` writes them; a test fails if somebody else did.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from bench.lab import extract, store
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
    """What stands between the marks."""
    return "\n".join(filter(None, (extract.sizes(runs), extract.speeds(runs))))


def between(readme: str) -> str:
    """What stands between the marks of a README now. Raises Refusal."""
    if readme.count(BEGIN) != 1 or readme.count(END) != 1:
        raise Refusal("the README needs one pair of marks for the tables (bench/lab/readme.py names them)")
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
