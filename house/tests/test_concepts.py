"""A wrong path, a broken row and a forgotten concept are found; and the repository's own map is true."""

from __future__ import annotations

from pathlib import Path

import pytest

from house.concepts import violations
from house.tests.trees import plant

ROOT = Path(__file__).parents[2]

PAGE = """# Architecture

Bytes go through `rust/pack/src` and `samewire/pack`; `a + b / c` is not a path.

## Concepts and files

| concept | Rust | Python | Java | TypeScript |
|---|---|---|---|---|
| reader | `rust/pack/src/reader.rs` | – | `java/pack/src/main/Reader.java` | `typescript/src/pack/reader.ts`, `typescript/src/pack/rows.ts` |

## After
"""
FILES = {
    "rust/pack/src/reader.rs": "",
    "java/pack/src/main/Reader.java": "",
    "typescript/src/pack/reader.ts": "",
    "typescript/src/pack/rows.ts": "",
    "typescript/src/pack/index.ts": "",
}
ROW = {
    "rust/pack/src/bit_packing.rs": "",
    "java/pack/src/main/BitPacking.java": "",
    "typescript/src/pack/bit-packing.ts": "",
}


def found(root: Path, page: str, more: dict[str, str] | None = None) -> list[str]:
    return violations(plant(root, FILES | (more or {}) | {"ARCHITECTURE.md": page}))


def test_a_true_map_passes(tmp_path: Path) -> None:
    assert found(tmp_path, PAGE) == []


@pytest.mark.parametrize("part", ["redis", "bridge"])
def test_a_concept_of_a_part_of_two_languages_is_missed(tmp_path: Path, part: str) -> None:
    java = f"java/{part}/src/main/java/io/samewire/{part}/resp/Budget.java"
    (line,) = found(tmp_path, PAGE, {f"rust/{part}/src/budget.rs": "", java: ""})
    assert line == f"ARCHITECTURE.md: the table has no row for rust/{part}/src/budget.rs, {java}"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("`rust/pack/src`", "`rust/pack/source`", "ARCHITECTURE.md:3: `rust/pack/source` does not exist"),
        ("`typescript/src/pack/rows.ts`", "`typescript/src/pack/row.ts`", "`typescript/src/pack/row.ts` does not exist"),
        ("| – |", "| none |", "the row 'reader' has a cell that is neither – nor paths: none"),
        ("| – |", "|", "the row 'reader' has 4 cells, not 5"),
        ("| concept | Rust |", "| concept | C |", "no table with the header"),
        ("## Concepts and files", "## Concepts", "no table with the header"),
    ],
)
def test_a_wrong_map_is_found(tmp_path: Path, old: str, new: str, expected: str) -> None:
    assert any(expected in line for line in found(tmp_path, PAGE.replace(old, new)))


def test_pages_beside_the_map_are_read_too(tmp_path: Path) -> None:
    assert found(tmp_path, PAGE, {"architecture/pack.md": "# Pack\n\nSee `rust/pack/source`.\n"}) == [
        "architecture/pack.md:3: `rust/pack/source` does not exist"
    ]


def test_a_long_map_is_refused(tmp_path: Path) -> None:
    (line,) = found(tmp_path, PAGE + "\n" * 350)
    assert line.startswith("ARCHITECTURE.md: 361 lines, 350 are allowed")


def test_a_concept_of_three_languages_needs_a_row(tmp_path: Path) -> None:
    (line,) = found(tmp_path, PAGE, ROW)
    assert line.startswith("ARCHITECTURE.md: the table has no row for ") and "rust/pack/src/bit_packing.rs" in line
    assert found(tmp_path / "two", PAGE, dict(list(ROW.items())[:2])) == [], "two languages may call different things alike"


def test_the_repositorys_map_is_true() -> None:
    assert violations(ROOT) == []
