"""The vectors of redis: every topic of cases/."""

from __future__ import annotations

import importlib
from pathlib import Path

from spec.oracle.core.vector_file import VectorFile
from spec.oracle.redis import cases

LANGUAGES = ("rust", "python", "java")


def files() -> list[VectorFile]:
    """All vector files, by name."""
    folder = Path(cases.__path__[0])
    names = sorted(path.stem for path in folder.glob("*.py"))
    return [importlib.import_module(f"spec.oracle.redis.cases.{name}").TOPIC for name in names]
