"""The modules of a client: `client.json()` and the others."""

from __future__ import annotations

from json import JSONDecoder, JSONEncoder
from typing import Any

from .bloom import BFBloom, CFBloom, CMSBloom, TDigestBloom, TOPKBloom
from .json import JSON, AsyncJSON
from .search import AsyncSearch, Search
from .timeseries import TimeSeries


class ModuleCommands:
    """The modules' methods, for blocking callers and pipelines: each returns what `execute_command` does."""

    def json(self, encoder: JSONEncoder | None = None, decoder: JSONDecoder | None = None) -> JSON:
        """Documents: the methods of JSON."""
        return JSON(self, encoder=encoder, decoder=decoder)

    def ft(self, index_name: Any = "idx") -> Search:
        """An index: the methods of FT."""
        return Search(self, index_name)

    def ts(self) -> TimeSeries:
        """Time series: the methods of TS."""
        return TimeSeries(self)

    def bf(self) -> BFBloom:
        """Bloom filters: the methods of BF."""
        return BFBloom(self)

    def cf(self) -> CFBloom:
        """Cuckoo filters: the methods of CF."""
        return CFBloom(self)

    def cms(self) -> CMSBloom:
        """Count-min sketches: the methods of CMS."""
        return CMSBloom(self)

    def topk(self) -> TOPKBloom:
        """The most frequent items: the methods of TOPK."""
        return TOPKBloom(self)

    def tdigest(self) -> TDigestBloom:
        """Quantiles: the methods of TDIGEST."""
        return TDigestBloom(self)


class AsyncModuleCommands(ModuleCommands):
    """The same for asyncio callers, who await what the methods return."""

    def json(self, encoder: JSONEncoder | None = None, decoder: JSONDecoder | None = None) -> AsyncJSON:
        """Documents: the methods of JSON."""
        return AsyncJSON(self, encoder=encoder, decoder=decoder)

    def ft(self, index_name: Any = "idx") -> AsyncSearch:
        """An index: the methods of FT."""
        return AsyncSearch(self, index_name)


#: redis-py's names.
RedisModuleCommands = ModuleCommands
AsyncRedisModuleCommands = AsyncModuleCommands
