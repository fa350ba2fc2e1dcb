"""A lock that processes and machines share, for asyncio."""

from __future__ import annotations

import asyncio
from asyncio import CancelledError, Future, ensure_future, shield, wait
from typing import Self

from ..exceptions import RedisError
from ..lock import MOMENT, LockSteps, logger
from ..scripts import AsyncScript
from ..steps import Awaiting, run_async

#: Seconds for which a cancelled attempt waits for its reply, and then for that of its release: a server that keeps them, and
#: a client without a `socket_timeout`, must not keep its task for ever.
GIVING = 30.0

#: Attempts that were cancelled, until what they got is given back.
_giving: set[Future[None]] = set()


class Lock(LockSteps, Awaiting):
    __doc__ = LockSteps.__doc__

    _script = AsyncScript

    # By the module's own names: programs' tests put a clock of their own in their place.
    async def _sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    async def _attempt(self, token: bytes, own: bool) -> bool:
        # A task of its own still learns the reply when the caller is cancelled: a lock that was not got is left alone.
        attempt = ensure_future(self.do_acquire(token))
        try:
            return await shield(attempt)
        except CancelledError:
            giving = ensure_future(self._given_up(attempt, token, own))
            # The loop has weak references alone.
            _giving.add(giving)
            giving.add_done_callback(_giving.discard)
            await wait((giving,), timeout=MOMENT)
            raise

    async def _given_up(self, attempt: Future[bool], token: bytes, own: bool) -> None:
        """Releases the lock if an attempt that nobody waits for gets it."""
        try:
            async with asyncio.timeout(GIVING):
                taken = await attempt
        except (RedisError, TimeoutError):
            # The connection may have been lost behind the command, or the server may run it yet: the release comes after it.
            taken = own
        if not taken:
            return
        try:
            async with asyncio.timeout(GIVING):
                await self._give_back(token)
        except TimeoutError:
            why = f"no reply to its release within {GIVING} s"
            logger.warning("the lock %r may be taken by an attempt that was interrupted: %s", self.name, why)

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
