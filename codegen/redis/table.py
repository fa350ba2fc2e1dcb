"""The table of commands: the pinned server's (commands.json) and those that only Redis has (redis_only.json).

modules.json has those of Redis's modules, which have no definitions for Python: its methods are written by hand.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

#: The facts that are read.
FOLDER = Path(__file__).parents[2] / "spec/redis"


class Table:
    """Rows by the full name of a command in capitals. modules: with the modules' commands."""

    def __init__(self, modules: bool = False) -> None:
        pinned = json.loads((FOLDER / "commands.json").read_text(encoding="utf-8"))
        self.server: str = pinned["server"]
        self.pinned: dict[str, Any] = pinned["commands"]
        self.redis_only: dict[str, Any] = json.loads((FOLDER / "redis_only.json").read_text(encoding="utf-8"))
        twice = self.pinned.keys() & self.redis_only.keys()
        if twice:
            raise SystemExit(f"redis_only.json: the pinned server has {', '.join(sorted(twice))}: remove them")
        self.modules: dict[str, Any] = {}
        if modules:
            self.modules = json.loads((FOLDER / "modules.json").read_text(encoding="utf-8"))
        self.rows = dict(sorted((self.redis_only | self.pinned | self.modules).items()))

    @cached_property
    def names(self) -> set[str]:
        return set(self.rows)

    def containers(self) -> set[str]:
        """Commands that have subcommands."""
        return {name.split(" ")[0] for name in self.rows if " " in name}

    def summary(self, name: str) -> str:
        """The first sentence of what the server says of a command."""
        text: str = self.rows[name]["summary"]
        return re.split(r"(?<=\.)\s", text)[0].rstrip(".").replace("\\", "") + "."

    def link(self, name: str) -> str:
        """The command's name as a link to its page, in reStructuredText."""
        site = "redis.io/docs/latest" if name in self.redis_only else "valkey.io"
        return f"`{name} <https://{site}/commands/{name.lower().replace(' ', '-')}/>`_"

    def tokens(self, name: str) -> set[str]:
        """Every word that may stand in a command."""

        def walk(arguments: list[dict[str, Any]]) -> Iterator[str]:
            for given in arguments:
                if "token" in given:
                    yield from given["token"].split(" ")
                yield from walk(given.get("arguments", []))

        return set(walk(self.rows[name]["arguments"]))
