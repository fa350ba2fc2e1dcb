"""Search: indexes of hashes and JSON, queries, aggregations, suggestions."""

from __future__ import annotations

from .commands import AsyncSearch, Search, SearchCommands

__all__ = ["AsyncSearch", "Search", "SearchCommands"]
