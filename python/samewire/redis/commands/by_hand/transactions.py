"""Watching keys, which a client cannot do: its commands may go over several connections."""

from __future__ import annotations

import warnings

from samewire.redis.commands.executes import Executes
from samewire.redis.typing import KeyT


def watch(self: Executes, *names: KeyT) -> None:
    """Pipelines watch keys. Warns, and sends nothing."""
    warnings.warn("a client does not watch keys: call watch() of a pipeline", DeprecationWarning, stacklevel=2)


def unwatch(self: Executes) -> None:
    """Pipelines watch keys. Warns, and sends nothing."""
    warnings.warn("a client does not watch keys: call unwatch() of a pipeline", DeprecationWarning, stacklevel=2)
