"""Watching keys, which a client cannot do: its commands may go over several connections."""

from __future__ import annotations

import warnings

from samewire.redis.commands.executes import Executes
from samewire.redis.typing import KeyT


def warn(method: str) -> None:
    """Says that only pipelines have this method."""
    warnings.warn(f"a client does not watch keys: call {method}() of a pipeline", DeprecationWarning, stacklevel=3)


def watch(self: Executes, *names: KeyT) -> None:
    """Pipelines watch keys. Warns, and sends nothing."""
    warn("watch")


def unwatch(self: Executes) -> None:
    """Pipelines watch keys. Warns, and sends nothing."""
    warn("unwatch")
