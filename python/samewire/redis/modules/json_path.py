"""A path into a JSON document of the JSON module, which redis-om imports whether or not the server has that module."""

from __future__ import annotations

__all__ = ["Path"]


class Path:
    """The text of a path."""

    strPath = ""  # noqa: N815  (redis-py's name)

    @staticmethod
    def root_path() -> str:
        """The path of the whole document."""
        return "."

    def __init__(self, path: str) -> None:
        self.strPath = path

    def __repr__(self) -> str:
        return self.strPath
