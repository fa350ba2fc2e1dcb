"""The blocking client, under redis-py's name."""

from __future__ import annotations

from .sync.client import *  # noqa: F403
