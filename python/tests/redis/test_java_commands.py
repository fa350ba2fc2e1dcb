"""Java's commands are generated from the forms: the files in the repository are those that are written now."""

from __future__ import annotations

import java_examples
import pytest
from samewire.redis.commands.facts import READONLY
from samewire.redis.modules.facts import FACTS

from spec.redis.facts import blocking, keys
from spec.redis.java import generate
from spec.redis.java.source import HEADER
from spec.redis.table import Table

SOURCES = generate.written()
TESTS = java_examples.written()


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_sources_are_those_that_are_generated(name: str) -> None:
    found = (generate.COMMANDS / name).read_text(encoding="utf-8")
    assert found == SOURCES[name], "run `python -m spec.redis.java.generate`"


def test_no_generated_source_is_left_over() -> None:
    generated = {path.name for path in generate.COMMANDS.glob("*.java") if path.read_text(encoding="utf-8").startswith(HEADER)}
    assert generated == set(SOURCES)


#: Modules' commands that Python knows and that have no factory in Java.
ONLY_PYTHON = {"FT.HYBRID", "TS.NRANGE", "TS.NREVRANGE"}


def test_commands_of_modules_are_those_of_python() -> None:
    rows = Table(modules=True).modules
    of_rows = {name.split(" ")[0] for name in rows}
    assert of_rows <= set(FACTS)
    assert set(FACTS) - of_rows == ONLY_PYTHON
    for name, row in rows.items():
        flags, waits, places, _ = FACTS[name.split(" ")[0]]
        assert ("readonly" in row["flags"]) == bool(flags & READONLY), name
        assert keys(name, row) in (places, ()) if " " in name else keys(name, row) == places, name
        assert blocking(name, row) == waits, name


@pytest.mark.parametrize("name", sorted(TESTS))
def test_tests_are_those_that_are_generated(name: str) -> None:
    found = (java_examples.FOLDER / name).read_text(encoding="utf-8")
    assert found == TESTS[name], "run `python python/tests/redis/java_examples.py`"
