"""The command `samewire emit`: types of a schema that is text, a file or a record file."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from samewire import pack
from samewire.cli import main
from samewire.pack import RecordWriter
from test_emit_python import define

TEXT = "struct Book { title: string, genre: enum Genre { crime, horror }, year: option<i32> }"


@pytest.fixture
def sources(tmp_path: Path) -> dict[str, str]:
    """Each kind of argument, for one schema."""
    spread = tmp_path / "book.schema"
    spread.write_text(TEXT.replace(", ", ",\n\t") + "\n")
    types = define(emitted(TEXT, tmp_path / "first"), "command")
    with RecordWriter(tmp_path / "shelf.records", types.Book) as out:
        out.write(types.Book("Carrie", types.Genre.horror, 1974))
    return {"text": TEXT, "file": str(spread), "records": str(tmp_path / "shelf.records"), "standard input": "-"}


def emitted(argument: str, out: Path) -> str:
    assert main(["emit", argument, "--emit", "python", "--out", str(out)]) == 0
    return (out / "book_types.py").read_text()


@pytest.mark.parametrize("kind", ["text", "file", "records", "standard input"])
def test_types_have_the_schema(kind: str, sources: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    types = define(emitted(sources[kind], tmp_path / "types"), "command")
    assert pack.codec(types.Root).schema.text == TEXT


def test_writes_a_file_a_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["emit", f"list<{TEXT}>", "--emit", "rust,python,java,typescript,rust", "--package", "com.example"]
    assert main([*arguments, "--out", str(tmp_path)]) == 0
    names = ["BookTypes.java", "book_types.py", "book_types.rs", "book_types.ts"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    assert (tmp_path / "BookTypes.java").read_text().startswith("package com.example;\n")
    assert capsys.readouterr().err.count("wrote ") == 4
    assert main([*arguments, "--name", "shelf"]) == 0
    shown = capsys.readouterr().out
    assert [line for line in shown.splitlines() if line.startswith("=====")] == [
        f"===== {name}" for name in ("shelf_types.rs", "shelf_types.py", "ShelfTypes.java", "shelf_types.ts")
    ]


def test_a_default_that_no_language_is_told_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    schema = "struct Book { title: string @default, genre: enum Genre { crime } @default, pair: tuple<i8, i8> @default }"
    assert main(["emit", schema, "--emit", "rust"]) == 0
    assert capsys.readouterr().err.splitlines() == [
        f"samewire: emit: Book.{field} has no default in the emitted types: {kind} has no zero; "
        "make it an option if messages may lack it"
        for field, kind in (("genre", "Genre"), ("pair", "tuple<i8, i8>"))
    ]


def test_a_schema_names_no_path(tmp_path: Path) -> None:
    out = tmp_path / "types"
    assert main(["emit", 'struct "../../Etc" { x: i8 }', "--emit", "python,java", "--out", str(out)]) == 0
    assert sorted(path.name for path in tmp_path.rglob("*.*")) == ["EtcTypes.java", "etc_types.py"]


def test_a_schema_without_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["emit", "i32", "--emit", "java"]) == 0
    assert "===== RecordTypes.java" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("argument", "says"),
    [
        ("absent.schema", "absent.schema: No such file"),
        ("struct Book { title: string", "malformed"),
        ("absent", "malformed"),
        ("latin.schema", "bad_utf8"),
        ("broken.records", "truncated"),
        (".", ".: Is a directory"),
    ],
)
def test_what_is_no_schema_is_said(
    argument: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("latin.schema").write_bytes(b'struct "\xe9" { x: i8 }')
    Path("broken.records").write_bytes(b"\x89SWR")
    assert main(["emit", argument, "--emit", "python"]) == 1
    assert says in capsys.readouterr().err


def test_a_folder_that_cannot_be_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert main(["emit", TEXT, "--emit", "python", "--out", str(tmp_path / "file")]) == 1
    assert "book_types.py: " in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], [TEXT], [TEXT, "--emit", ""], [TEXT, "--emit", "cobol"]])
def test_wrong_command_lines(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["emit", *arguments])
    assert caught.value.code == 2
    assert "usage" in capsys.readouterr().err


def test_help_says_how_a_codec_prints_its_schema(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["emit", "--help"])
    shown = capsys.readouterr().out
    for word in ("schema.text", "schema().text()", "Codec::<Book>", "records", "samewire diff"):
        assert word in shown
