"""Steps run in order or two at a time, print in one piece, and nothing begins after a failure."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from house.steps import main


@pytest.fixture
def make(tmp_path: Path) -> str:
    """A make whose targets say their names twice, half a second apart; those named wrong fail."""
    program = tmp_path / "make"
    program.write_text(
        f"#!{shutil.which('bash')}\necho $1 >> {tmp_path}/begun; echo begin $1; sleep 0.5; echo end $1 >&2; [[ $1 != wrong* ]]\n"
    )
    program.chmod(0o755)
    return str(program)


def begun(make: str) -> list[str]:
    return (Path(make).parent / "begun").read_text().split()


def test_each_is_named_with_its_times(make: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["--make", make, "build", "--beside", "a", "b", "c"]) == 0
    printed = capfdbinary.readouterr().out.decode()
    assert begun(make)[0] == "build"
    assert sorted(begun(make)) == ["a", "b", "build", "c"]
    assert re.findall(r"== \[(\d)/4\]", printed) == ["1", "2", "3", "4"]
    assert len(re.findall(r"^== \w+: \d+ s, CPU \d+ s; \d+ s since the start$", printed, re.MULTILINE)) == 4


def test_what_runs_beside_others_prints_in_one_piece(make: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["--make", make, "--beside", "a", "b"]) == 0
    printed = capfdbinary.readouterr().out.decode()
    assert re.match(r"== \[1/2\] [ab]\n== \[2/2\] [ab]\n", printed)
    assert "begin a\nend a\n== a: " in printed
    assert "begin b\nend b\n== b: " in printed


def test_nothing_begins_after_a_failure(make: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["--make", make, "wrong", "build", "--beside", "a"]) == 1
    assert begun(make) == ["wrong"]
    assert "(make wrong repeats it alone)" in capfdbinary.readouterr().out.decode()


def test_the_one_that_runs_is_waited_for(make: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["--make", make, "--beside", "wrong", "a", "b", "c"]) == 1
    assert "a" in begun(make)
    assert "c" not in begun(make)
    assert "end a\n" in capfdbinary.readouterr().out.decode()
