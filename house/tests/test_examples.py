"""Examples are run, and what they say is compared with their pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from house import examples


@pytest.fixture
def one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the only example, which says what it is given as its page's text."""
    folder = tmp_path / "examples/one"
    folder.mkdir(parents=True)
    (folder / "README.md").write_text("# One\n\n```text\nas it was\n```\n")
    monkeypatch.setattr(examples, "ROOT", tmp_path)
    monkeypatch.setattr(examples, "EXAMPLES", tmp_path / "examples")
    monkeypatch.setattr(examples, "RUNS", {"one": lambda _: "as it was\n"})
    monkeypatch.setattr(examples, "APART", {})
    return folder


def test_an_example_that_says_what_its_page_does_is_counted(one: Path) -> None:
    assert examples.main([]) == 0
    assert '"tests": 1' in (examples.ROOT / "build/executed/examples.json").read_text()


def test_an_example_that_says_otherwise_fails(one: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (one / "README.md").write_text("```text\nas it will be\n```\n")
    assert examples.main([]) == 1
    assert "it said\nas it was\nbut its README has\nas it will be" in capsys.readouterr().err
    assert not (examples.ROOT / "build/executed/examples.json").exists()


def test_a_folder_that_nothing_runs_is_a_failure(one: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (one.parent / "other").mkdir()
    (one.parent / "other/README.md").touch()
    assert examples.main([]) == 1
    assert "examples/ has ['one', 'other'], but ['one'] are run" in capsys.readouterr().err


def test_an_example_of_a_target_of_its_own_runs_if_it_is_named(
    one: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(examples, "APART", {"heavy": lambda _: "42\n"})
    (one.parent / "heavy").mkdir()
    (one.parent / "heavy/README.md").write_text("```text\n42\n```\n")
    assert examples.main([]) == 0
    assert "heavy" not in capsys.readouterr().out
    assert examples.main(["heavy"]) == 0
    assert "examples/heavy: runs" in capsys.readouterr().out


def test_a_program_that_does_not_start_is_named_with_what_it_printed(one: Path) -> None:
    with (
        pytest.raises(examples.Failed, match="it did not start\nno port"),
        examples.started(["sh", "-c", "echo no port"], one, r"port (\d+)"),
    ):
        pass
