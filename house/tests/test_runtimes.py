"""A runtime counts only if it is the one meant and executed every case; what is missing is said in one line."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from house.quickstart import DOCUMENTS
from house.runtimes import __main__ as runtimes
from house.runtimes import debian
from house.runtimes.__main__ import Failed, Runtime, judge
from house.runtimes.copies import copy
from house.runtimes.debian import Unavailable
from house.tests.trees import plant

ROOT = Path(__file__).parents[2]
FILES = {"pack/a.json": 3}
MAKEFILE = """
quick-typescript test-typescript:
	@mkdir -p build/executed
	@echo '{"language": "typescript", "vectors": {"pack/a.json": %d}, "tests": %d}' > build/executed/typescript.json
"""
NODE = Runtime("node-0", "typescript", ("echo", "v0.1"), "v0.")


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree whose tests only write what they executed, and whose quick start and guides are a line of shell each."""
    root = tmp_path / "tree"
    shutil.copytree(ROOT / "house", root / "house", ignore=shutil.ignore_patterns("node_modules", "__pycache__", "tests"))
    manifest = json.dumps({"files": FILES, "cases": 3})
    readme = "## Quick start\n\n```sh\necho two\n```\n\n```text\ntwo\n```\n"
    chapter = "```sh\necho three\n```\n\n```text\nthree\n```\n"
    plant(root, {name: readme if name == "README.md" else chapter for name in DOCUMENTS})
    plant(root, {"spec/vectors/MANIFEST.json": manifest, "Makefile": MAKEFILE % (3, 7)})
    (root / "build/runtimes").mkdir(parents=True)
    monkeypatch.setattr(runtimes, "ROOT", root)
    monkeypatch.setattr(runtimes, "QUICK_STARTS", {"typescript": ["sh"]})
    return root


def test_what_ran_is_told(small: Path) -> None:
    result = judge(NODE, short=False)
    assert (result.version, result.vectors, result.tests, result.quick_starts) == ("v0.1", 3, "7", len(DOCUMENTS))
    assert "make  test-typescript" in (small / "build/runtimes/node-0.log").read_text()
    assert "node-0   v0.1     3             7" in runtimes.table([result])


def test_the_short_form_needs_no_other_tests(small: Path) -> None:
    plant(small, {"Makefile": MAKEFILE % (3, 0)})
    assert judge(NODE, short=True).tests == ""
    with pytest.raises(Failed, match="no tests of its own"):
        judge(NODE, short=False)


def test_too_few_cases_fail(small: Path) -> None:
    plant(small, {"Makefile": MAKEFILE % (2, 7)})
    with pytest.raises(Failed, match="executed 2 of 3 vector cases"):
        judge(NODE, short=True)


def test_another_version_fails(small: Path) -> None:
    with pytest.raises(Failed, match=r"says v20\.1, not v0\."):
        judge(Runtime("node-0", "typescript", ("echo", "v20.1"), "v0."), short=True)


def test_a_command_that_fails_is_shown_with_its_output(small: Path) -> None:
    plant(small, {"Makefile": "quick-typescript:\n\t@echo a reason; false\n"})
    with pytest.raises(Failed, match="a reason"):
        judge(NODE, short=True)


def test_without_root_one_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(Unavailable, match=r"^needs root: [^\n]*$"):
        debian.require()


def test_without_debootstrap_one_line_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable, match=r"^needs debootstrap; type: apt-get install [^\n]*$"):
        debian.require()


def test_commands_inside_inherit_nothing_of_make_or_a_virtual_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MAKEFLAGS", "PYO3_PYTHON", "VIRTUAL_ENV", "JAVA_HOME"):
        monkeypatch.setenv(name, "outside")
    assert "outside" not in debian.inside().values()
    assert debian.inside()["PATH"].endswith(":/usr/bin:/sbin:/bin")


def test_a_copy_follows_its_source_and_keeps_what_was_built(tmp_path: Path) -> None:
    source, to = plant(tmp_path / "from", {"a.py": "1", "b/c.py": "2"}), tmp_path / "to"
    copy(source, to)
    plant(to, {"build/made": "kept"})
    before = (to / "a.py").stat().st_mtime_ns
    (source / "b/c.py").unlink()
    copy(plant(source, {"d.py": "3"}), to)
    assert sorted(path.name for path in to.rglob("*.py")) == ["a.py", "d.py"]
    assert (to / "a.py").stat().st_mtime_ns == before
    assert (to / "build/made").read_text() == "kept"
