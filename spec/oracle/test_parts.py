"""The stored vectors and their manifest are what the oracle makes, for every part."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from spec.oracle import vectors
from spec.oracle.core.vector_file import VectorFile

STORED = Path(__file__).resolve().parents[1] / "vectors"
FILES = {part: vectors.files(part) for part in vectors.parts()}


@pytest.mark.parametrize("part", FILES)
def test_vectors_are_up_to_date(part: str) -> None:
    made = {f"{file.name}.json": file.text(part) for file in FILES[part]}
    assert {path.name: path.read_text(encoding="utf-8") for path in (STORED / part).glob("*.json")} == made


def test_manifest_counts_every_case() -> None:
    assert json.loads((STORED / "MANIFEST.json").read_text(encoding="utf-8")) == vectors.manifest(FILES)


def test_parts_are_the_folders_that_make_vectors() -> None:
    assert {"pack", "grpc"} <= set(FILES)
    assert "core" not in FILES


def test_manifest_names_languages_of_parts_that_not_all_have(monkeypatch: pytest.MonkeyPatch) -> None:
    named = {"a": (), "b": ("rust", "java"), "c": {"t": ("rust",), "u": ()}}
    monkeypatch.setattr(vectors, "languages", lambda part: named[part])
    file, other = VectorFile("t", "a.md", [{"name": "one"}]), VectorFile("u", "b.md")
    assert vectors.manifest({"a": [file], "b": [file, other], "c": [file, other]}) == {
        "files": {"a/t.json": 1},
        "cases": 1,
        "only": {"rust": {"b/t.json": 1, "b/u.json": 0, "c/t.json": 1}, "java": {"b/t.json": 1, "b/u.json": 0}},
    }


def test_names_of_cases_are_distinct_within_a_file() -> None:
    with pytest.raises(ValueError, match="one"):
        VectorFile("t", "a.md", [{"name": "one"}, {"name": "one"}]).text("pack")
