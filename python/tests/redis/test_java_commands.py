"""Java's commands are generated from their forms by the build: all of the table, and what the table says of each."""

from __future__ import annotations

import os
import re
from pathlib import Path

import java_examples
import pytest
from samewire.redis.commands.facts import READONLY
from samewire.redis.modules.facts import FACTS

from codegen.redis.facts import blocking, keys, repeatable
from codegen.redis.java import generate
from codegen.redis.java.choices import choices
from codegen.redis.java.forms import groups
from codegen.redis.java.source import MARK
from codegen.redis.java.tree import Option, Word
from codegen.redis.table import Table

SOURCES = generate.written()
TESTS = java_examples.written()
TABLE = Table(modules=True)
ROOT = Path(__file__).parents[3]
BY_HAND = ROOT / "java/redis/src/main/java" / generate.FOLDER

#: What Java knows of each command, by its name: the calls that declare it.
KNOWN = {
    name: (constant, facts)
    for constant, name, facts in re.findall(
        r'static final Facts (\w+) = known\(Facts\.named\("([^"]+)"\)(.*?)\);$',
        SOURCES["KnownCommands.java"],
        re.MULTILINE | re.DOTALL,
    )
}


def test_facts_are_those_of_the_table() -> None:
    assert list(KNOWN) == list(TABLE.rows)
    again = repeatable(TABLE)
    for name, row in TABLE.rows.items():
        facts = KNOWN[name][1]
        assert (".reads()" in facts) == ("readonly" in row["flags"]), name
        assert (".repeats()" in facts) == (name in again and "readonly" not in row["flags"]), name
        assert (".waits(" in facts) == ("blocking" in row["flags"]), name
        assert (".at(" in facts) == bool(keys(name, row)), name
        assert (".policy(" in facts) == any(":" in tip for tip in row["tips"]), name


def test_every_command_of_the_table_has_a_factory() -> None:
    titles = {group.title for group in groups(TABLE, choices())}
    made = {name for title in titles for name in re.findall(r"KnownCommands\.(\w+)", SOURCES[f"{title}.java"])}
    names = {name for name, (constant, _) in KNOWN.items() if constant in made}
    # COMMAND is one by itself, besides its subcommands.
    assert names == TABLE.names - (TABLE.containers() - {"COMMAND"})


#: Words of the pinned server's commands that only Redis knows.
ONLY_REDIS = {"XREAD": {"MAXCOUNT", "MAXSIZE"}, "XREADGROUP": {"CLAIM", "MAXCOUNT", "MAXSIZE"}}


def test_words_of_forms_are_those_of_the_table() -> None:
    for form in (form for group in groups(TABLE, choices()) for form in group.forms if form.command in TABLE.pinned):
        pieces = [inner for piece in form.pieces for inner in (piece.pieces if isinstance(piece, Option) else (piece,))]
        sent = {word for piece in pieces if isinstance(piece, Word) for word in piece.text.split(" ")}
        assert sent <= TABLE.tokens(form.command) | ONLY_REDIS.get(form.command, set()), form.where


def test_a_file_that_is_right_is_not_written_again(tmp_path: Path) -> None:
    folder = tmp_path / generate.FOLDER
    assert sorted(generate.generate(tmp_path)) == sorted(SOURCES) == sorted(path.name for path in folder.iterdir())
    for path in folder.iterdir():
        os.utime(path, (1, 1))
    assert generate.generate(tmp_path) == []
    assert {path.stat().st_mtime for path in folder.iterdir()} == {1}
    (folder / "Strings.java").write_text(f"{MARK}another program`\n")
    (folder / "Gone.java").write_text(f"{MARK}another program`\n")
    (folder / "Mine.java").write_text("final class Mine { }\n")
    assert generate.generate(tmp_path) == ["Gone.java", "Strings.java"]
    assert {path.name for path in folder.iterdir()} == SOURCES.keys() | {"Mine.java"}


def test_a_file_that_was_written_by_hand_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / generate.FOLDER / "Strings.java"
    path.parent.mkdir(parents=True)
    path.write_text("final class Strings { }\n")
    with pytest.raises(SystemExit, match=r"Strings\.java was not generated"):
        generate.generate(tmp_path)
    assert path.read_text() == "final class Strings { }\n"


def test_what_is_generated_is_not_among_the_files_written_by_hand() -> None:
    written = {path.name: path.read_text(encoding="utf-8") for path in BY_HAND.glob("*.java")}
    assert "Command.java" in written
    assert not written.keys() & SOURCES.keys()
    assert not [name for name, text in written.items() if text.startswith(MARK)]


def test_commands_of_modules_are_those_of_python() -> None:
    rows = TABLE.modules
    of_rows = {name.split(" ")[0] for name in rows}
    assert of_rows == set(FACTS)
    for name, row in rows.items():
        flags, waits, places, _ = FACTS[name.split(" ")[0]]
        assert ("readonly" in row["flags"]) == bool(flags & READONLY), name
        assert keys(name, row) in (places, ()) if " " in name else keys(name, row) == places, name
        assert blocking(name, row) == waits, name


@pytest.mark.parametrize("name", sorted(TESTS))
def test_tests_are_those_that_are_generated(name: str) -> None:
    found = (java_examples.FOLDER / name).read_text(encoding="utf-8")
    assert found == TESTS[name], "run `python python/tests/redis/java_examples.py`"
