"""Circuit breakers, under the name that programs import."""

from __future__ import annotations

from .session.breaker import *  # noqa: F403
