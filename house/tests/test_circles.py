"""A circle of imports in TypeScript or Python is found, whatever form its imports have."""

from __future__ import annotations

from pathlib import Path

import pytest

from house.circles import violations
from house.sources import files

LINE = {"a.ts": 'import { b } from "./b.js";\n', "b.ts": 'import type { C } from "./c.js";\n', "c.ts": "export interface C {}\n"}

CLOSING = {
    "a value": 'import { a } from "./a.js";\n',
    "a type": 'import type { A } from "./a.js";\n',
    "a type inline": 'export type C = import("./a.js").A;\n',
    "an export": 'export * from "./a.js";\n',
    "a side effect": 'import "./a.js";\n',
    "another folder": 'import { a } from "../src/a.js";\n',
}


def found(tmp_path: Path, texts: dict[str, str]) -> list[str]:
    for name, text in texts.items():
        (tmp_path / "src").mkdir(exist_ok=True)
        (tmp_path / "src" / name).write_text(text)
    return violations(tmp_path, files(tmp_path))


def test_a_line_of_imports_is_no_circle(tmp_path: Path) -> None:
    assert found(tmp_path, LINE) == []


@pytest.mark.parametrize("form", CLOSING)
def test_a_circle_is_found(tmp_path: Path, form: str) -> None:
    lines = found(tmp_path, LINE | {"c.ts": CLOSING[form]})
    assert lines == ["src/a.ts: imports in a circle with src/b.ts, src/c.ts"]


def test_a_file_that_imports_itself_is_found(tmp_path: Path) -> None:
    assert found(tmp_path, {"a.ts": 'import { a } from "./a.js";\n'}) == ["src/a.ts: imports in a circle with itself"]


PYTHON = {"__init__.py": "", "one.py": "from . import two\n", "two.py": "import samewire.three\n", "three.py": "import os\n"}


def in_python(tmp_path: Path, texts: dict[str, str]) -> list[str]:
    package = tmp_path / "python/samewire"
    package.mkdir(parents=True)
    for name, text in texts.items():
        (package / name).write_text(text)
    return violations(tmp_path, files(tmp_path))


def test_a_line_of_modules_is_no_circle(tmp_path: Path) -> None:
    assert in_python(tmp_path, PYTHON) == []


@pytest.mark.parametrize(
    "closing", ["from .one import name\n", "from samewire import one\n", "if TYPE_CHECKING:\n    import samewire.one\n"]
)
def test_a_circle_of_modules_is_found(tmp_path: Path, closing: str) -> None:
    (line,) = in_python(tmp_path, PYTHON | {"three.py": closing})
    assert line.startswith("python/samewire/one.py: imports in a circle with ")


def test_an_import_inside_a_function_closes_no_circle(tmp_path: Path) -> None:
    assert in_python(tmp_path, PYTHON | {"three.py": "def late():\n    from . import one\n"}) == []
