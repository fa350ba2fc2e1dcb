"""The doctor's findings of missing things, and its advice."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import pytest

from bench.lab import doctor, machine
from bench.lab.cli import main
from bench.lab.doctor import Finding, examine
from bench.lab.languages import LANGUAGES, Language
from bench.peers import building

NEED = "a compiler: apt-get install one"


def language(peers: dict[str, Any], **changes: Any) -> Language:
    """One whose runner offers these peers."""
    command = [sys.executable, "-c", f"print({json.dumps({'harness': 'watch 1.0', 'peers': peers})!r})"]
    made = Language("rust", "Rust", lambda: command, (sys.executable, "--version"), 1.0, (), NEED)
    return made._replace(**changes)


def findings(of: Language) -> dict[str, Finding]:
    """Those that speak of the language."""
    return {each.what: each for each in examine([of]) if each.what.startswith("Rust")}


def always(answer: Any) -> Callable[[], Any]:
    return lambda: answer


def broken() -> list[str]:
    raise building.BuildError("warning: old\nerror: cargo is not installed")


def test_a_language_that_runs_names_its_harness_and_peers() -> None:
    (found,) = findings(language({"one": {"version": "1"}, "two": {}})).values()
    assert found.fine and not found.stops
    assert "Python 3." in found.found and "watch 1.0; 2 peers: one, two" in found.found


def test_a_peer_that_is_missing_has_its_reason() -> None:
    found = findings(language({"one": {}, "gone": {"missing": "No module named 'gone'"}}))
    assert found["Rust"].found.endswith("1 peer: one") and found["Rust"].fine
    absent = found["Rust: gone"]
    assert (absent.fine, absent.stops, absent.found) == (False, False, "No module named 'gone'")
    assert "make bench" in absent.advice


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"build": broken}, "error: cargo is not installed"),
        ({"version": ("no-such-compiler",)}, "no-such-compiler is not installed"),
    ],
)
def test_a_language_that_cannot_run_says_what_to_get(changes: dict[str, Any], why: str) -> None:
    (found,) = findings(language({}, **changes)).values()
    assert (found.fine, found.stops, found.found) == (False, True, why)
    assert found.advice == f"get {NEED}; then make bench"


def test_a_program_that_is_not_there_is_named() -> None:
    tools = (("no-such-load-driver", "apt-get install it"), ("sh", "it comes with the system"))
    found = findings(language({}, tools=tools))
    absent, present = found["Rust: no-such-load-driver"], found["Rust: sh"]
    assert (absent.fine, absent.advice) == (False, "apt-get install it")
    assert present.fine and present.found.endswith("/sh")


def test_every_language_says_how_to_get_it() -> None:
    assert all(len(each.need) > 10 and all(get for _, get in each.tools) for each in LANGUAGES)
    assert all(source.exists() for each in LANGUAGES for source in each.sources)


def test_the_machine_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    about = {"cpu": "Some CPU", "cores": 2, "governor": "powersave", "kernel": "Linux 6", "mem": "1 kB"}
    for name, answer in (("describe", about), ("load", 3.0), ("noise", 0.3), ("resolution", 5_000.0)):
        monkeypatch.setattr(machine, name, always(answer))
    found = {each.what: each for each in examine([])}
    assert set(found) == {"machine", "governor", "load", "steadiness", "clock"}
    assert found["machine"].found == "Some CPU, 2 cores, Linux 6"
    assert not any(found[name].fine for name in ("governor", "load", "steadiness", "clock"))
    assert all(each.advice for each in found.values())


@pytest.mark.parametrize("stops", [True, False])
def test_the_command_fails_only_where_a_language_cannot_run(
    stops: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "examine", lambda _: [Finding("Rust", "not here", False, "get [it]", stops)])
    monkeypatch.setattr("sys.argv", ["bench", "doctor"])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == int(stops)
    assert "get [it]" in capsys.readouterr().out
