"""The vectors of gRPC."""

from __future__ import annotations

from spec.oracle.core.vector_file import VectorFile
from spec.oracle.grpc import cases_connection, cases_hpack, cases_recorded

LANGUAGES = ("typescript",)


def files() -> list[VectorFile]:
    """Returns all vector files, by name."""
    found: list[VectorFile] = [*cases_hpack.topics(), *cases_recorded.topics(), *cases_connection.topics()]
    return sorted(found, key=lambda file: file.name)
