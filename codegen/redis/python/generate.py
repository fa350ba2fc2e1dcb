"""Writes the methods of Python's clients, their types and the routing facts, from the definitions and the table of commands."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from codegen.redis.files import write
from codegen.redis.python.check import violations
from codegen.redis.python.code import HEADER, MARK, module
from codegen.redis.python.definitions import Group, groups
from codegen.redis.python.facts import facts
from codegen.redis.python.stubs import stub
from codegen.redis.table import Table

ROOT = Path(__file__).parents[3]
COMMANDS = ROOT / "python/samewire/redis/commands"

#: What the two kinds of clients have of their own.
OWN = (
    "from samewire.redis.commands.iterate import AsyncIterators, Iterators",
    "from samewire.redis.commands.mapping import AsyncMapping, SyncMapping",
    "from samewire.redis.commands.watch import AsyncWatch",
)


def core(all_groups: list[Group]) -> str:
    """The file that puts the groups together."""
    lines = [HEADER, '"""All commands as methods."""', ""]
    lines += ["from __future__ import annotations", "", "from types import GenericAlias", ""]
    lines += [f"from samewire.redis.commands.{group.file} import {group.title}" for group in all_groups]
    lines += [*OWN, ""]
    titles = ",\n    ".join(group.title for group in all_groups)
    for name, first, own in (
        ("Commands", "", "Iterators, SyncMapping"),
        ("AsyncCommands", "AsyncWatch, ", "AsyncIterators, AsyncMapping"),
    ):
        lines += ["", f"class {name}(\n    {first}{titles},\n    {own},\n):", '    """Every command as a method."""', ""]
        lines += ["    __class_getitem__ = classmethod(GenericAlias)", ""]
    lines += ["", "PipelineCommands = Commands", ""]
    return "\n".join(lines)


def core_stub(all_groups: list[Group]) -> str:
    """The types of that file."""
    lines = [HEADER, "from samewire.redis.typing import Text", ""]
    prefixes = ("", "Async", "Pipeline")
    for group in all_groups:
        names = ", ".join(sorted(prefix + group.title for prefix in prefixes))
        lines += [f"from samewire.redis.commands.{group.file} import {names}"]
    lines += [*OWN, ""]
    own = {"": ["Iterators[Text]", "SyncMapping[Text]"], "Async": ["AsyncIterators[Text]", "AsyncMapping"], "Pipeline": []}
    for prefix, base in own.items():
        generic = "" if prefix == "Pipeline" else "[Text]"
        first = ["AsyncWatch"] if prefix == "Async" else []
        bases = ", ".join(first + [f"{prefix}{group.title}{generic}" for group in all_groups] + base)
        lines.append(f"class {prefix}Commands({bases}): ...")
    return "\n".join([*lines, ""])


def written(all_groups: list[Group], table: Table) -> dict[str, str]:
    """Every file by its name."""
    found = {"core.py": core(all_groups), "core.pyi": core_stub(all_groups), "facts.py": facts(table)}
    for group in all_groups:
        found[f"{group.file}.py"] = module(group, table)
        found[f"{group.file}.pyi"] = stub(group)
    return found


def formatted(folder: Path) -> None:
    """Puts the files into the form that the linter wants."""
    options = ["--config", str(ROOT / "python/pyproject.toml"), "--quiet", str(folder)]
    for command in (["check", "--fix-only", "--select", "I", "--no-cache"], ["format", "--no-cache"]):
        subprocess.run([sys.executable, "-m", "ruff", *command, *options], check=True)


def generate(out: Path) -> list[str]:
    """Makes a folder hold all files. Returns the names of those that it wrote or removed.

    Exits with the faults of the definitions if there are any.
    """
    table, all_groups = Table(), groups()
    if broken := violations(all_groups, table):
        sys.exit("\n".join(broken))
    # Formatted in a folder of their own, so that nothing else is touched; with the package's path, which decides on imports.
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary, COMMANDS.relative_to(ROOT / "python"))
        folder.mkdir(parents=True)
        write(folder, written(all_groups, table), MARK)
        formatted(folder)
        return write(out, {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.iterdir())}, MARK)
