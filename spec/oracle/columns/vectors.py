"""The vectors of columns (columns.md), a draft: those of the languages whose readers take them. They become pack's."""

from __future__ import annotations

from spec.oracle.columns.cases import TOPIC
from spec.oracle.core.vector_file import VectorFile
from spec.oracle.pack.vectors import expanded

LANGUAGES: tuple[str, ...] = ("typescript",)


def files() -> list[VectorFile]:
    """Returns all vector files, by name."""
    return [expanded(TOPIC)]
