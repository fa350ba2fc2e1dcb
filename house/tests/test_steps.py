"""Steps run in order or beside one another, print in one piece, and nothing begins after a failure."""

from __future__ import annotations

import re
import shutil
import time
from pathlib import Path

import pytest

from house import steps
from house.steps import main, run


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


def test_the_end_names_the_steps_that_took_the_most(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    program = tmp_path / "make"
    program.write_text(f"#!{shutil.which('bash')}\nfor ((i = 0; i < ${{1#spins-}}; i++)); do :; done\n")
    program.chmod(0o755)
    assert main(["--make", str(program), "spins-1", "spins-400000", *(f"spins-{i}" for i in range(2, 2 + steps.LONGEST))]) == 0
    end = capfdbinary.readouterr().out.decode().splitlines()[-1 - steps.LONGEST :]
    assert re.fullmatch(r"   spins-400000 +CPU +\d+ s +\d+ s", end[0])
    assert len([line for line in end if line.startswith("   spins-")]) == steps.LONGEST
    assert end[-1].startswith(f"== {2 + steps.LONGEST} steps: ")


def test_what_runs_beside_others_prints_in_one_piece(make: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["--make", make, "--beside", "a", "b"]) == 0
    printed = capfdbinary.readouterr().out.decode()
    assert re.match(r"== \[1/2\] [ab]\n== \[2/2\] [ab]\n", printed)
    assert "begin a\nend a\n== a: " in printed
    assert "begin b\nend b\n== b: " in printed


def test_those_along_run_in_turn_beside_what_makes_ready(make: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["--make", make, "build", "tools", "--along", "x", "y", "--beside", "a"]) == 0
    printed = capfdbinary.readouterr().out.decode()
    assert sorted(begun(make)[:2]) == ["build", "x"]
    assert sorted(begun(make)) == ["a", "build", "tools", "x", "y"]
    assert printed.index("== x: ") < printed.index("/5] y")


def test_nothing_begins_after_a_failure(make: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["--make", make, "wrong", "build", "--beside", "a"]) == 1
    assert begun(make) == ["wrong"]
    assert "(make wrong repeats it alone)" in capfdbinary.readouterr().out.decode()


def test_the_one_that_runs_is_waited_for(make: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["--make", make, "--beside", "wrong", "a", "b", "c"]) == 1
    assert "a" in begun(make)
    assert "c" not in begun(make)
    assert "end a\n" in capfdbinary.readouterr().out.decode()


def test_the_end_repeats_how_a_step_failed(make: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["--make", make, "--beside", "wrong", "a"]) == 1
    end = capfdbinary.readouterr().out.decode().split(" steps: ")[1]
    assert re.search(r"== wrong failed after \d+ s .*, and printed last:\nbegin wrong\nend wrong\n", end)
    assert "begin a" not in end


@pytest.mark.parametrize(("idle", "at_once"), [(0.2, 2), (0.9, 3)])
def test_another_begins_while_cores_are_idle(idle: float, at_once: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "WATCHED", 0.05)
    monkeypatch.setattr(steps, "AT_MOST", 3)
    program = tmp_path / "make"
    # The first wait until as many run as are expected to; each says how many run when it ends.
    program.write_text(
        f"#!{shutil.which('bash')}\ncd {tmp_path}; touch run.$1; for i in {{1..500}}; do [ -e seen ] && break; "
        f"[ $(ls run.* | wc -l) -ge {at_once} ] && break; sleep 0.01; done; sleep 0.3; ls run.* | wc -l >> seen; rm run.$1\n"
    )
    program.chmod(0o755)
    assert run(str(program), [], ["a", "b", "c"], idle=lambda: idle * time.monotonic()) == 0
    assert max(map(int, (tmp_path / "seen").read_text().split())) == at_once
