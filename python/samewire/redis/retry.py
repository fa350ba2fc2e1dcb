"""Attempts after a failure, under redis-py's name."""

from __future__ import annotations

from .session.retry import *  # noqa: F403
