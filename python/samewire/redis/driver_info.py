"""What a client tells the server about itself, under redis-py's name."""

from __future__ import annotations

from .session.driver_info import *  # noqa: F403
