"""The modules of a client: `client.json()` and the others."""

from __future__ import annotations

from json import JSONDecoder, JSONEncoder

from .json import JSON, AsyncJSON


class ModuleCommands:
    """The modules' methods, for blocking callers and pipelines: each returns what `execute_command` does."""

    def json(self, encoder: JSONEncoder | None = None, decoder: JSONDecoder | None = None) -> JSON:
        """Documents: the methods of JSON."""
        return JSON(self, encoder=encoder, decoder=decoder)


class AsyncModuleCommands(ModuleCommands):
    """The same for asyncio callers, who await what the methods return."""

    def json(self, encoder: JSONEncoder | None = None, decoder: JSONDecoder | None = None) -> AsyncJSON:
        """Documents: the methods of JSON."""
        return AsyncJSON(self, encoder=encoder, decoder=decoder)


#: redis-py's names.
RedisModuleCommands = ModuleCommands
AsyncRedisModuleCommands = AsyncModuleCommands
