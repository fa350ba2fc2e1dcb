"""What the methods need of the object that they belong to."""

from __future__ import annotations

from typing import Any, Protocol


class Executes(Protocol):
    """A client or a pipeline."""

    def execute_command(self, *args: Any, **options: Any) -> Any: ...
