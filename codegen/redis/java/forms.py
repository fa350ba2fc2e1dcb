"""Reads the forms of commands: the calls of `java` in the groups of commands (notation.py), with what they return.

    GET
      java -> text?: the value, empty if there is no key
    LPOP
      java key:k count:i -> list<text>?: the elements, empty if there is no key
    LCS
      java lcsLen = key1:k key2:k LEN -> int: the length of the longest common subsequence

The arguments are the table's unless the form has some (tree.py), or its command has several forms. `name =` names the
method; without it the command's name does. `as COMMAND` takes the arguments of another command. `by hand` is written in
Java. Replies are those of replies.py.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from codegen.redis import notation
from codegen.redis.java.choices import Choice
from codegen.redis.java.tree import Form, FromTable, camel, parse
from codegen.redis.notation import Call
from codegen.redis.table import Table


@dataclass
class Group:
    """The forms of one file."""

    file: str
    title: str
    summary: str
    forms: list[Form]


BY_HAND = "by hand"

# An option may have a reply of its own: the form's is behind the last bracket.
FORM = re.compile(r"(?:([a-z]\w*) = )?(?:((?:.*\])?.*?) ?-> (\S+?)(?:: (.*))?|by hand)")


def form(call: Call, alone: bool, table: Table, reader: FromTable) -> Form:
    """The form of a call; alone: its command has no other one."""
    found = FORM.fullmatch(call.text)
    if not found or call.details:
        raise SystemExit(f"{call.where}: expected ARGUMENTS -> REPLY: MEANING, or `{BY_HAND}`")
    name, sent, reply, says = found.groups()
    by_hand = reply is None
    if by_hand:
        pieces = []
    elif sent.startswith("as "):
        pieces = reader.pieces(call.command, table.rows[sent[3:]]["arguments"])
    elif sent or not alone:
        pieces = parse(sent, call.where)
    else:
        pieces = reader.pieces(call.command, table.rows[call.command]["arguments"])
    return Form(call.command, name or camel(call.command), pieces, reply or BY_HAND, says or "", call.where, by_hand)


def forms(group: notation.Group, table: Table, reader: FromTable) -> Group:
    """The forms of one group."""
    title, summary = group.titles["java"]
    calls = group.of("java")
    commands = [call.command for call in calls]
    return Group(group.file, title, summary, [form(call, commands.count(call.command) == 1, table, reader) for call in calls])


def groups(table: Table, choices: dict[str, Choice]) -> list[Group]:
    """Every group that Java has, the modules' last. Each command of the table must have a form."""
    reader = FromTable(choices)
    read = notation.groups(table.names, bool(table.modules))
    found = [forms(group, table, reader) for group in read if "java" in group.titles]
    named = {form.command for group in found for form in group.forms}
    containers = table.containers() - {"COMMAND"}
    if missing := sorted(table.names - named - containers):
        raise SystemExit(f"codegen/redis/groups: no form of Java's for {', '.join(missing)}")
    return found
