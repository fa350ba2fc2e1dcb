"""Commands of Redis and Valkey as methods.

Most are generated: spec/redis/methods defines them, `python -m spec.redis.generate` writes this folder's files that say
so. by_hand holds the others.
"""

from __future__ import annotations

from .core import AsyncCommands, Commands, PipelineCommands

#: redis-py's names.
CoreCommands = Commands
AsyncCoreCommands = AsyncCommands

__all__ = ["AsyncCommands", "AsyncCoreCommands", "Commands", "CoreCommands", "PipelineCommands"]
