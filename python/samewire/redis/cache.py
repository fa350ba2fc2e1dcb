"""Where a client keeps replies, under redis-py's name."""

from __future__ import annotations

from .caching.cache import *  # noqa: F403
