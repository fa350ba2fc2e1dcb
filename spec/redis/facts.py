"""Writes what clients must know of a command to send it to the right node, and to send it again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from spec.redis.code import HEADER
from spec.redis.table import Table

FOLDER = Path(__file__).parent


def repeatable(table: Table) -> set[str]:
    """Commands that may be sent again although they may have run."""
    lines = (FOLDER / "repeatable.txt").read_text(encoding="utf-8").splitlines()
    listed = {name.strip() for line in lines if not line.startswith("#") for name in line.split(",")}
    if unknown := listed - table.names:
        raise SystemExit(f"repeatable.txt: the table has no command {', '.join(sorted(unknown))}")
    return listed | {name for name, row in table.rows.items() if "readonly" in row["flags"]}


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
            raise SystemExit(f"{name}: {spec} is not known to spec/redis/facts.py")
    return tuple(found)


def blocking(name: str, row: dict[str, Any]) -> str:
    """When a command makes its connection wait: "", "always", or the word that makes it so."""
    if "blocking" not in row["flags"]:
        return ""
    return "BLOCK" if name in ("XREAD", "XREADGROUP", "TS.READ") else "always"


def facts(table: Table) -> str:
    """The file of facts."""
    again = repeatable(table)
    lines = [HEADER, '"""What is known of each command: flags, when it waits, where its keys are, how a cluster runs it."""', ""]
    lines += ["from __future__ import annotations", "", "from typing import Any", ""]
    lines += ["READONLY = 1", "REPEATABLE = 2", ""]
    lines += ["#: By name: flags, what makes it wait, places of keys, (request policy, response policy)."]
    lines += ["FACTS: dict[str, tuple[int, str, tuple[Any, ...], tuple[str, str]]] = {"]
    for name, row in table.rows.items():
        flags = ("readonly" in row["flags"]) + 2 * (name in again)
        policy = dict.fromkeys(("request_policy", "response_policy"), "")
        for kind, colon, value in (tip.partition(":") for tip in row["tips"]):
            if colon:
                policy[kind] = value
        what = (flags, blocking(name, row), keys(name, row), tuple(policy.values()))
        lines.append(f'    "{name}": {what},')
    lines += ["}", "", f"CONTAINERS = frozenset({sorted(table.containers())})", ""]
    return "\n".join(lines)
