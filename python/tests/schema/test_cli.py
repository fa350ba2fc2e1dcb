"""The command `samewire infer`."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import samewire.pack
from samewire.cli import main


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "movies.json"
    path.write_text(json.dumps([{"Title": "a", "Year": 1990, "Seen": None}, {"Title": 7, "Year": 2000, "Seen": "2020-01-01"}]))
    return path


def test_prints_the_schema(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["infer", str(rows)]) == 0
    shown = capsys.readouterr()
    assert shown.out == "list<struct Movie { Title: any, Year: i32, Seen: option<date> }>\n"
    assert shown.err.startswith("digest ")


def test_writes_definitions(rows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "a/b"
    arguments = ["infer", str(rows), "--emit", "python,java,typescript,rust", "--out", str(out), "--package", "com.example"]
    assert main(arguments) == 0
    assert sorted(path.name for path in out.iterdir()) == [
        "MovieTypes.java",
        "movie_types.py",
        "movie_types.rs",
        "movie_types.ts",
    ]
    assert (out / "MovieTypes.java").read_text().startswith("package com.example;\n")
    assert "wrote" in capsys.readouterr().err


def test_says_which_field_a_union_lacks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "shapes.ndjson"
    file.write_text('{"type": "point", "at": [1, 2]}\n{"type": "line", "at": [[1, 2], [3, 4]]}\n')
    assert main(["infer", str(file)]) == 0
    shown = capsys.readouterr()
    assert shown.out == "list<union { struct Line { at: list<list<i32>> }, struct Point { at: list<i32> } }>\n"
    assert shown.err.startswith("union of Line, Point: the field 'type' is left out, the member says it ('line' is Line, ")
    assert main(["infer", str(file), "--no-unions"]) == 0
    assert capsys.readouterr().out == "list<struct Shape { type: string, at: list<any> }>\n"


def test_prints_definitions(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["infer", str(rows), "--emit", "rust", "--name", "film", "--ints", "tight", "--texts", "--enums", "0"]) == 0
    shown = capsys.readouterr().out
    assert "===== film_types.rs" in shown
    assert "pub year: u16," in shown
    assert "pub seen: Option<String>," in shown


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("bad.json", "[1,", "line 1"),
        ("bad.csv", "a\n1,2\n", "line 2"),
        ("bad.ndjson", '"\\ud800"\n', "bad_utf8"),
        ("bad.json", "\xff", "line 1"),
    ],
)
def test_bad_files(name: str, text: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    assert main(["infer", str(tmp_path / name)]) == 1
    assert says in capsys.readouterr().err


def test_unreadable_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["infer", str(tmp_path / "absent.json")]) == 1
    assert "No such file" in capsys.readouterr().err
    (tmp_path / "latin.csv").write_bytes(b"a\n\xe9\n")
    assert main(["infer", str(tmp_path / "latin.csv")]) == 1
    assert "not valid UTF-8 (byte 2)" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["infer"],
        ["infer", "x", "--emit", "cobol"],
        ["infer", "x", "--enums", "256"],
        ["infer", "x", "--enums", "-1"],
        ["infer", "x", "--package", "com.class"],
        ["infer", "x", "--package", "com.1x"],
        ["infer", "x", "--package", "com."],
    ],
)
def test_wrong_command_lines(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert "usage" in capsys.readouterr().err


def test_packages_may_hold_words_that_are_keywords_elsewhere(rows: Path, tmp_path: Path) -> None:
    assert main(["infer", str(rows), "--emit", "java", "--out", str(tmp_path), "--package", "com.record.x_1"]) == 0
    assert (tmp_path / "MovieTypes.java").read_text().startswith("package com.record.x_1;\n")


def test_says_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out == f"samewire {samewire.__version__}\n"


def test_help_says_what_becomes_of_what(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["infer", "--help"])
    shown = capsys.readouterr().out
    for word in ("option", "enum", "any", "map<string", "examples", "--emit", "NDJSON"):
        assert word in shown


@pytest.mark.parametrize("module", ["samewire", "samewire.cli"])
def test_runs_as_a_program(module: str, rows: Path) -> None:
    run = subprocess.run([sys.executable, "-m", module, "infer", str(rows)], capture_output=True, text=True, check=False)
    assert run.returncode == 0
    assert run.stdout.startswith("list<struct Movie")


@pytest.mark.parametrize("name", ["movies.json.gz", "movies.gz"])
def test_reads_compressed_files(rows: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = rows.parent / name
    file.write_bytes(gzip.compress(rows.read_bytes()))
    assert main(["infer", str(file)]) == 0
    assert capsys.readouterr().out.startswith("list<struct Movie {")
    file.write_bytes(file.read_bytes()[:30])
    assert main(["infer", str(file)]) == 1
    assert f"{file} is broken" in capsys.readouterr().err


def test_zstd_that_is_broken_or_cannot_be_read_is_no_traceback(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "movies.json.zst"
    file.write_bytes(b"\x28\xb5\x2f\xfd broken")
    assert main(["infer", str(file)]) == 1
    # Without a module for zstd the text says what to do.
    assert f"{file} is " in capsys.readouterr().err


def test_reads_standard_input(rows: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(rows.read_bytes())))
    assert main(["infer", "-"]) == 0
    assert capsys.readouterr().out.startswith("list<struct Record {")


def test_errors_call_standard_input_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b'{"a": 1}\n{"a": }\n')))
    assert main(["infer", "-"]) == 1
    assert capsys.readouterr().err == "samewire: standard input, line 2, column 7: Expecting value\n"


def test_a_file_of_records_is_named_as_such(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with samewire.pack.RecordWriter(tmp_path / "n.records", int) as out:
        out.write(1)
    assert main(["infer", str(tmp_path / "n.records")]) == 1
    assert "samewire schema" in capsys.readouterr().err


def test_a_folder_without_languages_is_refused(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["infer", str(rows), "--out", str(rows.parent / "types")]) == 2
    assert "--emit" in capsys.readouterr().err
    assert not (rows.parent / "types").exists()


def test_an_interrupt_is_no_traceback(rows: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("samewire.schema.infer.command.read", interrupted)
    assert main(["infer", str(rows)]) == 130
    assert capsys.readouterr().err == ""


def test_an_interrupt_while_modules_load_is_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\n"
        "class Interrupt:\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        if name == 'samewire.pack':\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupt())\n"
    )
    path = os.pathsep.join([str(tmp_path), *sys.path])
    command = [sys.executable, "-c", "import sys; from samewire.cli import main; sys.exit(main(['cat', 'x']))"]
    run = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (130, "")


@pytest.mark.parametrize("command", [["infer", "-"], ["diff", "i32", "i64"]])
def test_a_file_that_takes_no_more_is_no_traceback(command: list[str], tmp_path: Path) -> None:
    # As on a full disk, on any system: the file is longer than the limit already. New ones may have some kilobytes.
    limited = ["sh", "-c", 'ulimit -f 8; exec "$@"', "sh", sys.executable, "-m", "samewire", *command]
    out = tmp_path / "out"
    out.write_bytes(bytes(1 << 16))
    with out.open("ab") as full:
        run = subprocess.run(limited, input=b"[1]", stdout=full, stderr=subprocess.PIPE, check=False)
    assert (run.returncode, run.stderr) == (1, b"samewire: standard output: File too large\n")


@pytest.mark.parametrize(
    "command",
    [
        ["samewire", "emit", "i32", "--emit", "python"],
        ["samewire", "infer", "-", "--emit", "python"],
        ["samewire", "diff", "i32", "i64"],
        ["samewire.redis", "--help"],
        ["samewire.bridge", "--help"],
    ],
)
def test_a_closed_output_is_no_error(command: list[str]) -> None:
    reads, writes = os.pipe()
    os.close(reads)
    with os.fdopen(writes, "wb") as closed:
        run = subprocess.run([sys.executable, "-m", *command], input=b"[1]", stdout=closed, stderr=subprocess.PIPE, check=False)
    assert run.returncode != 0
    assert [line for line in run.stderr.splitlines() if not line.startswith(b"digest ")] == []


SHELL = ["sh", "-c"]


@pytest.mark.parametrize(
    ("redirect", "command", "says"),
    [
        (">&-", "emit i32 --emit python", "samewire: standard output is closed: "),
        ("<&-", "infer -", "samewire: standard input is closed: "),
        ("<&-", "pack - -o x", "samewire: standard input is closed: "),
        ("<&-", "emit - --emit python", "samewire: standard input is closed: "),
        ("2>&-", "infer no-such-file", ""),
    ],
)
def test_a_closed_stream_is_no_traceback(redirect: str, command: str, says: str) -> None:
    line = f'"{sys.executable}" -m samewire {command} {redirect}'
    run = subprocess.run([*SHELL, line], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout, run.stderr[: len(says) or None]) == (1, "", says)


def test_data_are_utf_8_in_every_locale(tmp_path: Path) -> None:
    file = tmp_path / "a.ndjson"
    file.write_text('{"größe": "1 €"}\n', "utf-8")
    assert main(["pack", str(file)]) == 0
    ascii_only = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "samewire", "cat", "--json", str(tmp_path / "a.records")]
    run = subprocess.run(command, env=ascii_only, capture_output=True, check=False)
    assert (run.returncode, run.stdout.decode()) == (0, '{"größe": "1 €"}\n')


@pytest.mark.parametrize(
    ("begin", "says"),
    [
        (b"BZh91AY&SY", "compressed by bzip2"),
        (b"\xfd7zXZ\x00\x00\x04", "compressed by xz"),
        (b"\x04\x22\x4d\x18", "compressed by LZ4"),
        (b"PK\x03\x04\x14\x00", "a ZIP archive"),
        (b"PAR1\x15\x04", "a Parquet file"),
        (b"ARROW1\x00\x00", "an Arrow file"),
        (b"Obj\x01", "an Avro file"),
        (b"SQLite format 3\x00", "a SQLite database"),
    ],
)
@pytest.mark.parametrize("command", [["infer"], ["pack"], ["cat"], ["schema"], ["emit", "--emit", "python"]])
def test_other_formats_are_named(
    begin: bytes, says: str, command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a file.data"
    file.write_bytes(begin + bytes(20))
    assert main([*command, str(file)]) > 0
    shown = capsys.readouterr().err
    assert f"{file} is {says}" in shown
    assert "iconv" not in shown


def test_an_empty_argument_is_no_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["emit", "", "--emit", "python"]) == 1
    assert "expected a file, or schema text" in capsys.readouterr().err


def test_packing_does_not_replace_its_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.ndjson"
    file.write_text('{"a": 1}\n')
    (tmp_path / "link").symlink_to(file)
    for out in (file, tmp_path / "link", tmp_path / "x/../a.ndjson"):
        (tmp_path / "x").mkdir(exist_ok=True)
        assert main(["pack", str(file), "-o", str(out)]) == 1
        assert "is the input too" in capsys.readouterr().err
    assert file.read_text() == '{"a": 1}\n'
