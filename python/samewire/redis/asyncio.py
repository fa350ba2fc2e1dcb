"""samewire.redis.aio under redis-py's name: `from samewire.redis.asyncio import Redis`."""

from __future__ import annotations

from .aio import *  # noqa: F403
from .aio import __all__ as __all__
