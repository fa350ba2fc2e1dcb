"""What a new part needs of the root: its folders, one row in house/arrows.py, one word in the Makefile."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from house.arrows import LANGUAGES, PARTS
from house.runtimes.copies import copy
from house.sources import files
from house.tests.trees import plant

ROOT = Path(__file__).parents[2]

CASES = {"language": "", "vectors": {"probe/empty.json": 1}, "tests": 1}
FOLDERS = {
    "spec/oracle/probe/__init__.py": "",
    "spec/matrix/probe/__init__.py": "",
    "spec/vectors/probe/empty.json": '{"cases": []}\n',
    "rust/probe/Cargo.toml": '[package]\nname = "samewire-probe"\nversion = "0.1.0"\n[dependencies]\nsamewire-pack.workspace = true\n',
    "rust/probe/src/lib.rs": "pub use samewire_pack::Codec;\n",
    "rust/python/src/probe/mod.rs": "use crate::core;\n",
    "python/samewire/probe/__init__.py": "from samewire import pack\n",
    "python/tests/probe/test_probe.py": "from samewire import probe\n",
    "java/probe/pom.xml": '<project xmlns="http://maven.apache.org/POM/4.0.0"><dependencies><dependency>'
    "<groupId>io.samewire</groupId><artifactId>samewire-pack</artifactId></dependency></dependencies></project>\n",
    "java/probe/src/main/java/io/samewire/probe/Probe.java": "package io.samewire.probe;\nimport io.samewire.pack.Codec;\n",
    "java/probe/src/test/java/io/samewire/probe/ProbeTest.java": "package io.samewire.probe;\nimport io.samewire.pack.Codec;\n",
    "java/probe/target/classpath.txt": "",
    "typescript/src/probe/index.ts": 'export { codec } from "../pack/index.js";\n',
    "typescript/test/probe/probe.test.ts": 'import { codec } from "../../src/probe/index.js";\n',
    "bench/suites/probe/suite.toml": (ROOT / "bench/suites/grpc/suite.toml").read_text(),
    "bench/suites/probe/workloads/.keep": "",
}
ROW = '    "probe": Part(("core", "pack")),\n'
MANIFESTS = ("Cargo.toml", "pom.xml", "package.json", "pyproject.toml")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This repository with an empty part `probe`."""
    root = tmp_path_factory.mktemp("tree")
    copy(ROOT, root)
    plant(root, FOLDERS)
    arrows, makefile = root / "house/arrows.py", root / "Makefile"
    text = arrows.read_text()
    head, row, rest = text.partition('    "schema": Part(')
    arrows.write_text(head + ROW + row + rest)
    makefile.write_text(re.sub(r"^(PARTS = .*)$", r"\1 probe", makefile.read_text(), count=1, flags=re.MULTILINE))
    return root


def judged(tree: Path, to: Path) -> Path:
    """The part alone, beside the rules that judge it and every manifest: nine tenths of their work are files of other parts."""
    for path in files(tree):
        if path.parts[0] == "house" or path.name in MANIFESTS or "probe" in path.parts:
            (to / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(tree / path, to / path)
    return to


def run(root: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """A command that ran in the tree, with the tree's own modules."""
    environment = {**os.environ, "PYTHONPATH": str(root)}
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)


def said(root: Path, *command: str) -> str:
    """What a command says in the tree, which must succeed."""
    ran = run(root, *command)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def python(root: Path, program: str) -> str:
    return said(root, sys.executable, "-c", program).strip()


def test_the_lists_of_parts_are_one() -> None:
    (listed,) = re.findall(r"^PARTS = (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert listed.split() == list(PARTS)


def test_every_part_is_somewhere() -> None:
    for part in PARTS:
        places = [f"{language}/{part}" for language in LANGUAGES] + [f"typescript/src/{part}", f"python/samewire/{part}"]
        assert any((ROOT / place).is_dir() for place in places), part


def test_the_root_rules_accept_it(tree: Path, tmp_path: Path) -> None:
    judged(tree, tmp_path)
    assert "in order" in said(tmp_path, sys.executable, "-m", "house.arrows")
    assert "in order" in said(tmp_path, sys.executable, "-m", "house.neatness")


def test_the_root_rules_know_what_it_may_import(tree: Path, tmp_path: Path) -> None:
    judged(tree, tmp_path)
    plant(tmp_path, {"typescript/src/probe/index.ts": 'import "../grpc/index.js";\n'})
    ran = run(tmp_path, sys.executable, "-m", "house.arrows")
    assert (ran.returncode, ran.stdout) == (1, "typescript/src/probe/index.ts: typescript/probe may not import typescript/grpc\n")


def test_without_its_row_it_is_refused(tree: Path, tmp_path: Path) -> None:
    judged(tree, tmp_path)
    arrows = tmp_path / "house/arrows.py"
    arrows.write_text(arrows.read_text().replace(ROW, ""))
    ran = run(tmp_path, sys.executable, "-m", "house.arrows")
    for place in ("python/probe", "java/probe", "typescript/probe", "rust/probe"):
        assert f"'{place}' is not a part" in ran.stdout


def test_make_builds_it_with_the_others(tree: Path) -> None:
    shown = said(tree, "make", "-n", "--eval", "show:; @echo $(RUST_PARTS) / $(JAVA_PARTS)", "show")
    rust, java = shown.removeprefix("echo ").strip().split(" / ")
    assert "probe" in rust.split() and "probe" in java.split()


def test_it_is_packaged_and_found_by_the_tour_and_the_lab(tree: Path) -> None:
    assert python(tree, "from house.packages import *; print(CRATES['samewire-probe'], 'probe' in JAVA_MODULES)") == "probe True"
    program = "from tour.places import java_libraries as found; print([one for one in found() if 'probe' in one])"
    assert python(tree, program) == str([str(tree / "java/probe/target/classes")])
    assert "probe" in python(tree, "from bench.lab.suite import names; print(names())")


def test_its_vectors_are_counted(tree: Path) -> None:
    files = {"probe/empty.json": 1}
    plant(tree, {"spec/vectors/MANIFEST.json": json.dumps({"files": files, "cases": 1})})
    plant(tree, {f"build/executed/{name}.json": json.dumps(CASES | {"language": name}) for name in LANGUAGES})
    program = "from house.counts import *; from pathlib import Path; p = Path(); print(table(manifest(p), executed(p)))"
    assert "probe/empty.json" in python(tree, program)
