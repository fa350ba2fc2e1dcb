"""Makes what tests replace in redis-py's modules the same in ours.

The modules under redis-py's names are facades: a test that replaces `redis.sentinel.Redis` would change the facade alone.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any

#: Names that are others in our modules.
RENAMED = {
    ("redis.sentinel", "Redis"): "Client",
    ("redis.asyncio.sentinel", "Redis"): "Client",
}


class Mirror(ModuleType):
    """A facade whose names, when they are set, are also set in the modules that they come from."""

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        inside = RENAMED.get((self.__name__, name), name)
        for source in _sources(self.__name__):
            if inside in source.__dict__:
                setattr(source, inside, value)


def _sources(facade: str) -> list[ModuleType]:
    from samewire.redis.redis_py.as_redis import FACADES

    return [sys.modules[name] for one in FACADES.get(facade, ()) if (name := f"samewire.redis.{one}") in sys.modules]


def install() -> None:
    """Makes every facade a mirror."""
    from samewire.redis.redis_py.as_redis import FACADES

    for name in FACADES:
        module = importlib.import_module(name)
        for (facade, outside), inside in RENAMED.items():
            if facade == name:
                found = (getattr(one, inside) for one in _sources(name) if hasattr(one, inside))
                module.__dict__.setdefault(outside, next(found))
        module.__class__ = Mirror
    # The common base of redis-py's two; tests look whether a client is an instance.
    clusters = tuple(importlib.import_module(name).RedisCluster for name in ("redis.cluster", "redis.asyncio.cluster"))
    setattr(sys.modules["redis.cluster"], "AbstractRedisCluster", clusters)  # noqa: B010
