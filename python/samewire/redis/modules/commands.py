"""The modules of a client: `client.json()` and the others. Each is loaded when it is first used: all take 50 ms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from json import JSONDecoder, JSONEncoder

    from .bloom import BFBloom, CFBloom, CMSBloom, TDigestBloom, TOPKBloom
    from .json import JSON, AsyncJSON
    from .search import AsyncSearch, Search
    from .timeseries import TimeSeries


class ModuleCommands:
    """The modules' methods, for blocking callers and pipelines: each returns what `execute_command` does."""

    def json(self, encoder: JSONEncoder | None = None, decoder: JSONDecoder | None = None) -> JSON:
        """Documents: the methods of JSON."""
        from .json import JSON

        return JSON(self, encoder=encoder, decoder=decoder)

    def ft(self, index_name: Any = "idx") -> Search:
        """An index: the methods of FT."""
        from .search import Search

        return Search(self, index_name)

    def ts(self) -> TimeSeries:
        """Time series: the methods of TS."""
        from .timeseries import TimeSeries

        return TimeSeries(self)

    def bf(self) -> BFBloom:
        """Bloom filters: the methods of BF."""
        from .bloom import BFBloom

        return BFBloom(self)

    def cf(self) -> CFBloom:
        """Cuckoo filters: the methods of CF."""
        from .bloom import CFBloom

        return CFBloom(self)

    def cms(self) -> CMSBloom:
        """Count-min sketches: the methods of CMS."""
        from .bloom import CMSBloom

        return CMSBloom(self)

    def topk(self) -> TOPKBloom:
        """The most frequent items: the methods of TOPK."""
        from .bloom import TOPKBloom

        return TOPKBloom(self)

    def tdigest(self) -> TDigestBloom:
        """Quantiles: the methods of TDIGEST."""
        from .bloom import TDigestBloom

        return TDigestBloom(self)


class AsyncModuleCommands(ModuleCommands):
    """Commands of modules for asyncio: the methods return awaitables."""

    def json(self, encoder: JSONEncoder | None = None, decoder: JSONDecoder | None = None) -> AsyncJSON:
        """Documents: the methods of JSON."""
        from .json import AsyncJSON

        return AsyncJSON(self, encoder=encoder, decoder=decoder)

    def ft(self, index_name: Any = "idx") -> AsyncSearch:
        """An index: the methods of FT."""
        from .search import AsyncSearch

        return AsyncSearch(self, index_name)


#: redis-py's names.
RedisModuleCommands = ModuleCommands
AsyncRedisModuleCommands = AsyncModuleCommands
