"""Writes the file of facts: what clients must know of each command."""

from __future__ import annotations

from codegen.redis.facts import blocking, keys, repeatable
from codegen.redis.python.code import HEADER
from codegen.redis.table import Table


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
