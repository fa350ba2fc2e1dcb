"""Pipelines of a cluster for blocking callers."""

from __future__ import annotations

import contextlib
from typing import NoReturn

from ..cluster.pipeline import ClusterPipelineSteps, ClusterTransactionSteps
from ..exceptions import DataError
from ..pipeline.queued import NO_VIEW
from .calls import Calls
from .client import Pipeline


class ClusterPipelineCalls(ClusterPipelineSteps):
    """What a pipeline does in its own way; `cluster.ClusterPipeline` is a client besides, and so blocks."""

    def __init__(self, client: Calls) -> None:
        # It has the nodes, options and conversions of its client.
        vars(self).update(vars(client))
        super().__init__(client)

    def _view(self) -> NoReturn:
        """Raises DataError: the client that makes a pipeline chooses."""
        raise DataError(NO_VIEW)

    def close(self) -> None:
        """Forgets the commands."""
        self.reset()


class ClusterTransactionCalls(ClusterTransactionSteps, ClusterPipelineCalls):  # type: ignore[misc]
    """What a transaction does in its own way."""

    _pipeline_class = Pipeline
    _pipe: Pipeline | None = None

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.reset()
