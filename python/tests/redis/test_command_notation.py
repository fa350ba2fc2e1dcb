"""The groups of commands, as one parser reads them for both languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.redis import notation
from codegen.redis.table import Table

COMMANDS = {"LPOP", "CLIENT KILL"}
LISTS = """Commands on lists.
python ListCommands
java Lists: Lists, and what is in them.

LPOP
  # The first one.
  python lpop(name, count=None) -> Text | None
    sends name [count]
    when count=int -> list[Text] | None
  java key:k -> text?: the element

CLIENT KILL
  java address -> ok
"""


def read(folder: Path, text: str) -> notation.Group:
    (folder / "lists.txt").write_text(text)
    return notation.read(folder / "lists.txt", COMMANDS)


def test_calls_have_a_language_a_command_and_details(tmp_path: Path) -> None:
    group = read(tmp_path, LISTS)
    assert group.titles == {
        "python": ("ListCommands", "Commands on lists."),
        "java": ("Lists", "Lists, and what is in them."),
    }
    (pop,) = group.of("python")
    assert (pop.command, pop.text, pop.where) == ("LPOP", "lpop(name, count=None) -> Text | None", "lists.txt:7")
    assert pop.details == ["sends name [count]", "when count=int -> list[Text] | None"]
    assert [(call.command, call.text) for call in group.of("java")] == [
        ("LPOP", "key:k -> text?: the element"),
        ("CLIENT KILL", "address -> ok"),
    ]


@pytest.mark.parametrize(
    ("line", "replaced", "says"),
    [
        ("CLIENT KILL", "CLIENT KILLED", "lists.txt:12: the table has no command CLIENT KILLED"),
        ("  java address", "  rust address", "lists.txt:13: expected a command, or `  LANGUAGE CALL` with one of python, java"),
        ("  java address", "   java address", "lists.txt:13: expected a command"),
        ("java Lists", "rust Lists", "lists.txt:3: the table has no command rust"),
        ("  java address", "    sends address", "lists.txt:13: expected a command"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(tmp_path: Path, line: str, replaced: str, says: str) -> None:
    with pytest.raises(SystemExit) as raised:
        read(tmp_path, LISTS.replace(line, replaced))
    assert str(raised.value).startswith(says)


def test_a_command_stands_in_one_place_of_a_file() -> None:
    for group in notation.groups(Table(modules=True).names, modules=True):
        commands = list(dict.fromkeys(call.command for call in group.calls))
        together = [
            call.command for index, call in enumerate(group.calls) if not index or group.calls[index - 1].command != call.command
        ]
        assert together == commands, group.file
