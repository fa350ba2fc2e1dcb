"""MONITOR for asyncio: every command that a server runs, as it runs it."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator
from typing import Any, Self

from ..pubsub.monitor import MonitorSteps
from ..steps import Awaiting, run_async


class Monitor(MonitorSteps, Awaiting):
    __doc__ = MonitorSteps.__doc__

    _forever = math.inf

    async def connect(self) -> None:
        """Takes a connection."""
        await run_async(self._connected())

    async def __aenter__(self) -> Self:
        await run_async(self._enter())
        return self

    async def __aexit__(self, *_: object) -> None:
        await run_async(self._exit())

    async def listen(self) -> AsyncIterator[dict[str, Any]]:
        """Commands as they come, without end."""
        while True:
            yield await self.next_command()
