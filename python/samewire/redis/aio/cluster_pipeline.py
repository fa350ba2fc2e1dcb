"""Pipelines of a cluster for asyncio callers."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Self

from ..cluster.pipeline import ClusterPipelineSteps, ClusterTransactionSteps
from ..modules.commands import AsyncModuleCommands
from ..steps import Awaiting
from .client import Pipeline


class ClusterPipeline(ClusterPipelineSteps, AsyncModuleCommands, Awaiting):  # type: ignore[misc]
    __doc__ = ClusterPipelineSteps.__doc__

    @property
    def nodes_manager(self) -> Any:
        """The nodes of its client."""
        return self._client.nodes_manager

    def __await__(self) -> Generator[Any, None, Self]:
        return self._itself().__await__()

    async def _itself(self) -> Self:
        return self

    async def __aenter__(self) -> Self:
        await self._client._ready()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.reset()

    async def aclose(self) -> None:
        """Forgets the commands."""
        await self.reset()


class ClusterTransaction(ClusterTransactionSteps, ClusterPipeline):  # type: ignore[misc]
    __doc__ = ClusterTransactionSteps.__doc__

    _pipeline_class = Pipeline
    _pipe: Pipeline | None = None
