"""Listens to sentinels for asyncio: one task for each sentinel, of each event loop of a pool."""

from __future__ import annotations

import asyncio
from typing import Any

from ..sentinel.master_locator import LISTEN_SECONDS
from ..sentinel.switching import SwitchSteps
from ..steps import Awaiting, run_async


class SwitchListener(SwitchSteps, Awaiting):
    __doc__ = SwitchSteps.__doc__

    _task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begins to listen, in the event loop that runs."""
        self._task = asyncio.get_running_loop().create_task(run_async(self._listen()))

    def stop(self) -> None:
        """Ends the task. Any thread may call it."""
        task = self._task
        if task is not None and not task.get_loop().is_closed():
            task.get_loop().call_soon_threadsafe(task.cancel)

    async def _pause(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def _next(self) -> Any:
        return await self._connection.read_response(timeout=LISTEN_SECONDS, disconnect_on_error=False, push_request=True)
