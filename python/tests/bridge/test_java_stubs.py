"""Type stubs of Java's classes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from samewire.cli import main

PROGRAM = """
from gateway.java.util import ArrayList, HashMap, Map
from gateway.java.io import IOException
from gateway.tested import Names

names = ArrayList(["b", "a"])
names.add("c")
reveal_type(names.size())
reveal_type(names.isEmpty())
reveal_type(Names.CONSTANT)
reveal_type(Names.Colour.RED.next())
reveal_type(Names().from_())
ages = HashMap({"Ann": 30})
entry: Map.Entry | None = None
for name in names:
    print(name, names[0], names[1:], len(ages), ages["Ann"])
try:
    Names.with_("x")
except IOException as error:
    print(error.message)
names.vanish()
"""


@pytest.mark.long
def test_mypy_knows_what_stubs_say(classes: Path, tmp_path: Path) -> None:
    out = tmp_path / "typings"
    code = main(["bridge", "stubs", "java.util", "java.io", "tested", "--out", str(out), "--classpath", str(classes)])
    assert code == 0
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    python = Path(__file__).parents[2]
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir", str(tmp_path / "cache"), str(program)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={"MYPYPATH": f"{out}:{python}", "PATH": "/usr/bin:/bin"},
        cwd=tmp_path,
    )
    lines = [line for line in run.stdout.splitlines() if "program.py" in line]
    assert [line.partition("Revealed type is ")[2].replace("builtins.", "") for line in lines if "Revealed" in line] == [
        '"int"',
        '"bool"',
        '"str"',
        '"gateway.tested.Names.Colour"',
        '"str"',
    ], run.stdout
    errors = [line for line in run.stdout.splitlines() if ": error:" in line]
    assert len(errors) == 1, run.stdout
    assert "vanish" in errors[0]


def test_a_name_that_is_nothing_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bridge", "stubs", "no.such.thing", "--out", str(tmp_path)]) == 1
    assert "no.such.thing" in capsys.readouterr().err
