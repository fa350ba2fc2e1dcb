"""Where a user's name and password come from, under redis-py's name."""

from __future__ import annotations

from .session.credentials import *  # noqa: F403
