"""A lock that processes and machines share, for asyncio."""

from __future__ import annotations

import asyncio
from typing import Self

from ..lock import LockSteps
from ..scripts import AsyncScript
from ..steps import Awaiting, run_async


class Lock(LockSteps, Awaiting):
    __doc__ = LockSteps.__doc__

    _script = AsyncScript

    # By the module's own names: programs' tests put a clock of their own in their place.
    async def _sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    async def __aenter__(self) -> Self:
        await run_async(self._enter())
        return self

    async def __aexit__(self, *_: object) -> None:
        await run_async(self._exit())

    async def acquire(
        self, blocking: bool | None = None, blocking_timeout: float | None = None, token: str | bytes | None = None
    ) -> bool:
        """Whether the lock is now the caller's. Waits for it as `blocking` and `blocking_timeout` say.

        token: who owns the lock; random if None.
        """
        return await run_async(self._acquire(None, blocking, blocking_timeout, token))
