"""Methods on scripts that are written by hand."""

from __future__ import annotations

from typing import Any, Literal

from samewire.redis.commands.executes import Executes
from samewire.redis.exceptions import DataError


def script_flush(self: Executes, sync_type: Literal["SYNC", "ASYNC"] | None = None) -> Any:
    """Forgets every script (SCRIPT FLUSH)."""
    if sync_type not in ("SYNC", "ASYNC", None):
        raise DataError(f"sync_type must be 'SYNC', 'ASYNC' or None, not {sync_type!r}")
    return self.execute_command("SCRIPT FLUSH", *(() if sync_type is None else (sync_type,)))
