"""The vectors of columns (columns.md), a draft: those of the languages that read and write them. They become pack's."""

from __future__ import annotations

from spec.oracle.columns import reading, writing
from spec.oracle.core.vector_file import VectorFile
from spec.oracle.pack.vectors import expanded

READERS: tuple[str, ...] = ("rust", "java", "python", "typescript")
WRITERS: tuple[str, ...] = ("rust", "java", "python", "typescript")
LANGUAGES = {"reading": READERS, "writing": WRITERS}


def files() -> list[VectorFile]:
    """Returns all vector files, by name."""
    return [expanded(topic) for topic in (reading.TOPIC, writing.TOPIC)]
