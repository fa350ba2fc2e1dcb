"""Pauses between attempts, under redis-py's name."""

from __future__ import annotations

from .session.backoff import *  # noqa: F403
