"""Java's commands are generated from the forms: the files in the repository are those that are written now."""

from __future__ import annotations

import java_examples
import pytest

from spec.redis.java import generate
from spec.redis.java.source import HEADER

SOURCES = generate.written()
TESTS = java_examples.written()


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_sources_are_those_that_are_generated(name: str) -> None:
    found = (generate.COMMANDS / name).read_text(encoding="utf-8")
    assert found == SOURCES[name], "run `python -m spec.redis.java.generate`"


def test_no_generated_source_is_left_over() -> None:
    generated = {path.name for path in generate.COMMANDS.glob("*.java") if path.read_text(encoding="utf-8").startswith(HEADER)}
    assert generated == set(SOURCES)


@pytest.mark.parametrize("name", sorted(TESTS))
def test_tests_are_those_that_are_generated(name: str) -> None:
    found = (java_examples.FOLDER / name).read_text(encoding="utf-8")
    assert found == TESTS[name], "run `python python/tests/redis/java_examples.py`"
