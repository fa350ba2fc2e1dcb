"""Reads the groups of commands (groups/*.txt): how each command is called from each language, and what it returns.

    Commands on lists.
    python ListCommands
    java Lists

    LPOP
      python lpop(name, count=None) -> Text | None
        sends name [count]
        when count=int -> list[Text] | None
      java key:k -> text?: the element, empty if there is no key
      java key:k count:i -> list<text>?: the elements, empty if there is no key

The first line says what the group is; then each language that has it names its class, and may say something else (`python
CLASS: …`). A command stands at the start of a line. Below it are its calls, each behind the name of its language; the lines of a
call that are indented once more belong to it. What a call and its lines mean, python/definitions.py and java/forms.py say. A line
that starts with `#` is a comment.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parent / "groups"

LANGUAGES = ("python", "java")

#: Commands without a row in the table: those of which it has not even subcommands.
UNLISTED = frozenset({"DEBUG"})


@dataclass
class Call:
    """One way to call a command in one language; `where` is its file and line."""

    language: str
    command: str
    text: str
    where: str
    details: list[str] = field(default_factory=list)


@dataclass
class Group:
    """The calls of one file, in its order, and the names of its classes with what they are, by language."""

    file: str
    summary: str
    titles: dict[str, tuple[str, str]] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)

    def of(self, language: str) -> list[Call]:
        """The calls of a language."""
        return [call for call in self.calls if call.language == language]


LINE = re.compile(r"( *)(\S+) ?(.*)")


def read(path: Path, commands: set[str]) -> Group:
    """The group of one file. Exits where a line is none of those above, or names a command that the table does not have."""
    summary, *lines = path.read_text(encoding="utf-8").splitlines()
    group = Group(path.stem, summary)
    command = ""
    for number, line in enumerate(lines, 2):
        where = f"{path.name}:{number}"
        found = LINE.fullmatch(line.rstrip())
        if not found or line.lstrip().startswith("#"):
            continue
        indent, word, rest = found.groups()
        match len(indent):
            case 0 if word in LANGUAGES and not command:
                title, _, says = rest.partition(": ")
                group.titles[word] = title, says or summary
            case 0 if line in commands or line in UNLISTED:
                command = line
            case 0:
                raise SystemExit(f"{where}: the table has no command {line}")
            case 2 if command and word in group.titles:
                group.calls.append(Call(word, command, rest, where))
            case 4 if group.calls and group.calls[-1].command == command:
                group.calls[-1].details.append(line.strip())
            case _:
                raise SystemExit(
                    f"{where}: expected a command, or `  LANGUAGE CALL` with one of {', '.join(group.titles)}: {line}"
                )
    return group


def groups(commands: set[str], modules: bool = False) -> list[Group]:
    """Every group in the order of their files; modules: then those of modules' commands."""
    paths = sorted(FOLDER.glob("*.txt")) + (sorted((FOLDER / "modules").glob("*.txt")) if modules else [])
    return [read(path, commands) for path in paths]
