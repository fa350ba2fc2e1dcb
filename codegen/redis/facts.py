"""What clients must know of a command to send it to the right node, and to send it again."""

from __future__ import annotations

from typing import Any

from codegen.redis.table import FOLDER, Table


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
            raise SystemExit(f"{name}: {spec} is not known to codegen/redis/facts.py")
    return tuple(found)


def blocking(name: str, row: dict[str, Any]) -> str:
    """When a command makes its connection wait: "", "always", or the word that makes it so."""
    if "blocking" not in row["flags"]:
        return ""
    return "BLOCK" if name in ("XREAD", "XREADGROUP", "TS.READ") else "always"
