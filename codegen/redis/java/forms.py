"""Reads the forms of commands (notation/java/*.txt): how they are called from Java, and what they return.

    GET -> text?: the value, empty if there is no key
    LPOP key:k count:i -> list<text>?: the elements, empty if there is no key
    lcsLen = LCS key1:k key2:k LEN -> int: the length of the longest common subsequence

The arguments are the table's unless the form has some (tree.py), or its command has several forms. `name =` names the
method; without it the command's name does. `as COMMAND` takes the arguments of another command. `by hand` is written in
Java. Replies are those of replies.py. The first line names the class.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from codegen.redis.java.choices import FORMS, Choice
from codegen.redis.java.tree import Form, FromTable, camel, parse
from codegen.redis.table import Table


@dataclass
class Group:
    """The forms of one file."""

    file: str
    title: str
    summary: str
    forms: list[Form]


@dataclass(frozen=True)
class Line:
    """A form as it is written."""

    where: str
    command: str
    method: str
    sent: str
    reply: str
    says: str


FORM = re.compile(r"(?:([a-z]\w*) = )?(.*?)(?: (by hand)| -> (\S+?)(?:: (.*))?)")


def split(text: str, names: set[str], where: str) -> Line:
    """A line's parts."""
    # An option may have a reply of its own: the form's is behind the last bracket.
    head, bracket, tail = text.rpartition("]")
    found = FORM.fullmatch(tail) if bracket else FORM.fullmatch(text)
    if not found:
        raise SystemExit(f"{where}: expected COMMAND … -> REPLY")
    sent = text if not bracket else head + bracket + found.group(2)
    sent = re.sub(r" -> \S+?(: .*)?$", "", sent) if not bracket else sent
    name = ""
    if named := re.match(r"([a-z]\w*) = ", sent):
        name = named.group(1)
        sent = sent[named.end() :]
    sent = sent.removesuffix(" by hand")
    words = sent.split()
    for length in (2, 1):
        command = " ".join(words[:length])
        if command in names:
            rest = sent[len(command) :].strip()
            return Line(where, command, name or camel(command), rest, found.group(4) or "by hand", found.group(5) or "")
    raise SystemExit(f"{where}: the table has no command {words[0]}")


def read(path: Path, table: Table, reader: FromTable) -> Group:
    """The forms of one file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    name, _, summary = lines[0].partition(": ")
    written = [
        split(text, table.names, f"{path.name}:{number}") for number, text in enumerate(lines[1:], 2) if text and text[0] != "#"
    ]
    forms = []
    for line in written:
        alone = sum(other.command == line.command for other in written) == 1
        if line.reply == "by hand":
            pieces = []
        elif line.sent.startswith("as "):
            pieces = reader.pieces(line.command, table.rows[line.sent[3:]]["arguments"])
        elif line.sent or not alone:
            pieces = parse(line.sent, line.where)
        else:
            pieces = reader.pieces(line.command, table.rows[line.command]["arguments"])
        forms.append(Form(line.command, line.method, pieces, line.reply, line.says, line.where, line.reply == "by hand"))
    return Group(path.stem, name, summary, forms)


def groups(table: Table, choices: dict[str, Choice]) -> list[Group]:
    """Every file of forms in the order of their names, the modules' last. Each command of the table must have a form."""
    reader = FromTable(choices)
    paths = sorted(FORMS.glob("*.txt")) + (sorted((FORMS / "modules").glob("*.txt")) if table.modules else [])
    found = [read(path, table, reader) for path in paths if path.stem != "choices"]
    named = {form.command for group in found for form in group.forms}
    containers = table.containers() - {"COMMAND"}
    if missing := sorted(table.names - named - containers):
        raise SystemExit(f"forms: no form for {', '.join(missing)}")
    return found
