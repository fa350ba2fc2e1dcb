"""A circle of imports in TypeScript, Python, Rust or Java is found for every form of import."""

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
    "closing",
    [
        "from .one import name\n",
        "from samewire import one\n",
        "if TYPE_CHECKING:\n    import samewire.one\n",
        "def late():\n    from . import one\n",
        "class A:\n    def late(self):\n        if self:\n            import samewire.one\n",
    ],
)
def test_a_circle_of_modules_is_found(tmp_path: Path, closing: str) -> None:
    (line,) = in_python(tmp_path, PYTHON | {"three.py": closing})
    assert line.startswith("python/samewire/one.py: imports in a circle with ")


RUST = {"lib.rs": "mod one;\nmod two;\n", "one.rs": "use super::two::Two;\n", "two.rs": "pub struct Two;\n"}


def in_rust(tmp_path: Path, texts: dict[str, str]) -> list[str]:
    crate = tmp_path / "rust/any"
    (crate / "src").mkdir(parents=True)
    (crate / "Cargo.toml").write_text("")
    for name, text in texts.items():
        (crate / "src" / name).write_text(text)
    return violations(tmp_path, files(tmp_path))


def test_a_line_of_files_of_a_crate_is_no_circle(tmp_path: Path) -> None:
    assert in_rust(tmp_path, RUST) == []


@pytest.mark.parametrize("closing", ["use crate::one;\n", "use super::{one::One};\n", "fn two() { super::one::one() }\n"])
def test_a_circle_of_files_of_any_crate_is_found(tmp_path: Path, closing: str) -> None:
    (line,) = in_rust(tmp_path, RUST | {"two.rs": closing})
    assert line == "rust/any/src/one.rs: imports in a circle with rust/any/src/two.rs"


JAVA = {
    "a/One.java": "package org.a;\nimport org.b.Two;\nclass One {}\n",
    "b/Two.java": 'package org.b;\n/** See {@link org.a.One}. */\nclass Two { String text = "org.a.One"; Three three; }\n',
    "b/Three.java": "package org.b;\nclass Three { Two two; }\n",
}


def in_java(tmp_path: Path, texts: dict[str, str]) -> list[str]:
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return violations(tmp_path, files(tmp_path))


def test_neither_comments_nor_classes_of_one_package_import(tmp_path: Path) -> None:
    assert in_java(tmp_path, JAVA) == []


@pytest.mark.parametrize("closing", ["import org.a.One;\nclass Two {}\n", "class Two { org.a.One one; }\n"])
def test_a_circle_between_packages_is_found(tmp_path: Path, closing: str) -> None:
    (line,) = in_java(tmp_path, JAVA | {"b/Two.java": "package org.b;\n" + closing})
    assert line == "a/One.java: imports in a circle with b/Two.java"


def test_a_known_circle_that_is_opened_is_to_be_struck_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("house.circles.KNOWN", {"src/a.ts": (3, "inherent")})
    assert found(tmp_path, LINE | {"c.ts": CLOSING["a value"]}) == []
    (line,) = found(tmp_path, LINE)
    assert line == "src/a.ts: its circle has 0 files, not 3: change KNOWN in house/circles.py"
