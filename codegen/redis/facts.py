"""What clients must know of a command to send it to the right node, and to send it again."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from codegen.redis.table import FOLDER, Table


def repeatable(table: Table) -> set[str]:
    """Commands that may be sent again although they may have run."""
    lines = (FOLDER / "repeatable.txt").read_text(encoding="utf-8").splitlines()
    listed = {name.strip() for line in lines if not line.startswith("#") for name in line.split(",")}
    if unknown := listed - table.names:
        raise SystemExit(f"repeatable.txt: the table has no command {', '.join(sorted(unknown))}")
    return listed | {name for name, row in table.rows.items() if "readonly" in row["flags"]}


class Option(NamedTuple):
    """An option, looked for among the words of a command from a position on, that holds unless one of others is there."""

    word: str
    start: int
    unless: tuple[str, ...]


_TAKING = re.compile(r"([A-Z. ]+): ([A-Z]+) from (\d+)(?:, unless (.+))?")


def taking(table: Table) -> dict[str, Option | None]:
    """Commands whose reply alone has what they took from the server; with the option that makes them take."""
    found: dict[str, Option | None] = {}
    for line in (FOLDER / "taking.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        if ":" not in line:
            found |= dict.fromkeys(name.strip() for name in line.split(","))
        elif match := _TAKING.fullmatch(line):
            name, word, start, unless = match.groups()
            found[name] = Option(word, int(start), tuple(unless.split(" or ")) if unless else ())
        else:
            expected = "names, or 'NAME: OPTION from 3, unless OTHER or ANOTHER'"
            raise SystemExit(f"taking.txt: expected {expected}, not {line!r}")
    if table.modules and (unknown := found.keys() - table.names):
        raise SystemExit(f"taking.txt: the table has no command {', '.join(sorted(unknown))}")
    if lost := found.keys() & repeatable(table):
        raise SystemExit(f"taking.txt: {', '.join(sorted(lost))} may be repeated: what a lost reply took is gone")
    return found


def keys(name: str, row: dict[str, Any]) -> tuple[tuple[Any, ...], ...]:
    """Where the keys of a command are, as `samewire.redis.rules.routing` reads it."""
    if name in ("SORT", "SORT_RO"):
        return ((1, "range", 0, 1, 0), *([("sort",)] if name == "SORT" else []))
    if name in ("MIGRATE", "STRALGO"):
        return ((name.lower(),),)
    found: list[tuple[Any, ...]] = []
    for spec in row["key_specs"]:
        begin, find = spec["begin"], spec["find"]
        start = begin["index"] if "index" in begin else (begin["keyword"], begin["startfrom"])
        if find["type"] == "range":
            found.append((start, "range", find["lastkey"], find["keystep"], find["limit"]))
        elif find["type"] == "keynum":
            found.append((start, "keynum", find["keynumidx"], find["firstkey"], find["keystep"]))
        else:
            raise SystemExit(f"{name}: {spec} is not known to codegen/redis/facts.py")
    return tuple(found)


def blocking(name: str, row: dict[str, Any]) -> str:
    """When a command makes its connection wait: "", "always", or the word that makes it so."""
    if "blocking" not in row["flags"]:
        return ""
    return "BLOCK" if name in ("XREAD", "XREADGROUP", "TS.READ") else "always"
