"""Connections and pools of blocking callers, under redis-py's name."""

from __future__ import annotations

from .sync.connection import *  # noqa: F403
