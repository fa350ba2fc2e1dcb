"""The vectors of pack: every topic of cases/, expanded."""

from __future__ import annotations

import importlib
from pathlib import Path

from spec.oracle.core.errors import SamewireError
from spec.oracle.core.vector_file import VectorFile
from spec.oracle.pack import cases
from spec.oracle.pack.cases.table import Topic
from spec.oracle.pack.expand import WrongCaseError, expand

LANGUAGES: tuple[str, ...] = ()


def topics() -> list[Topic]:
    """Returns all topics, by name."""
    folder = Path(cases.__path__[0])
    names = sorted(path.stem for path in folder.glob("*.py") if path.stem not in ("__init__", "table"))
    return [importlib.import_module(f"spec.oracle.pack.cases.{name}").TOPIC for name in names]


def expanded(topic: Topic) -> VectorFile:
    """Returns the vectors of a topic. Raises `WrongCaseError` if the oracle disagrees with a case."""
    made = VectorFile(topic.name, topic.spec)
    for case in topic.cases:
        try:
            made.cases.append(expand(case))
        except SamewireError as error:
            raise WrongCaseError(f"{topic.name}: {case['name']}: {error}") from error
    return made


def files() -> list[VectorFile]:
    """Returns all vector files, by name."""
    return [expanded(topic) for topic in topics()]
