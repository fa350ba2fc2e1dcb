"""Commands of Redis and Valkey as methods.

Most are generated: spec/redis/methods defines them, `python -m spec.redis.generate` writes this folder's files that say
so. by_hand holds the others.
"""

from __future__ import annotations

from .core import AsyncCommands, Commands, PipelineCommands

__all__ = ["AsyncCommands", "Commands", "PipelineCommands"]
