"""A lock that processes and machines share, for asyncio: a key that holds its owner's token."""

from __future__ import annotations

import asyncio
import logging
from typing import Literal, Self

from ..exceptions import LockError, LockNotOwnedError
from ..lock_state import LockState, milliseconds
from ..scripts import AsyncScript

logger = logging.getLogger(__name__)


class Lock(LockState):
    """A lock with a name; `LockState` has the options."""

    _script = AsyncScript

    async def __aenter__(self) -> Self:
        if await self.acquire():
            return self
        raise self._not_acquired()

    async def __aexit__(self, *_: object) -> None:
        try:
            await self.release()
        except LockError:
            if self.raise_on_release_error:
                raise
            logger.warning("the lock %r was not held any more at the end of its block", self.name)

    async def acquire(
        self,
        blocking: bool | None = None,
        blocking_timeout: float | None = None,
        token: str | bytes | None = None,
    ) -> bool:
        """Whether the lock is now the caller's. Waits for it as `blocking` and `blocking_timeout` say.

        token: who owns the lock; random if None.
        """
        blocking = self.blocking if blocking is None else blocking
        blocking_timeout = self.blocking_timeout if blocking_timeout is None else blocking_timeout
        chosen = self._token_for(token)
        clock = asyncio.get_running_loop().time
        until = None if blocking_timeout is None else clock() + blocking_timeout
        while not await self.do_acquire(chosen):
            if not blocking or (until is not None and clock() + self.sleep > until):
                return False
            await asyncio.sleep(self.sleep)
        self.local.token = chosen
        return True

    async def do_acquire(self, token: str | bytes) -> bool:
        """One attempt."""
        return bool(await self.redis.set(self.name, token, nx=True, px=milliseconds(self.timeout)))

    async def locked(self) -> bool:
        """Whether anybody has the lock."""
        return await self.redis.get(self.name) is not None

    async def owned(self) -> bool:
        """Whether this lock has it: in this thread, if it is `thread_local`."""
        return self._holds(await self.redis.get(self.name))

    async def release(self) -> None:
        """Gives the lock back. Raises LockError if it is not held, LockNotOwnedError if another has it by now.

        A release that is cancelled or loses its connection can be repeated: the lock forgets its token at the end.
        """
        token = self._token_to_release()
        try:
            await self.do_release(token)
        except LockNotOwnedError:
            self.local.token = None
            raise
        self.local.token = None

    async def do_release(self, expected_token: str | bytes) -> None:
        """Deletes the key if the token is the lock's. Raises LockNotOwnedError if it is not."""
        if not await self.lua_release(**self._call_of(expected_token)):
            raise self._not_owned()

    async def extend(self, additional_time: float, replace_ttl: bool = False) -> Literal[True]:
        """Adds seconds to the time that is left, or sets it to them if `replace_ttl`.

        Raises LockError if the lock is not held or has no timeout, LockNotOwnedError if another has it by now.
        """
        self._must_have_time()
        return await self.do_extend(additional_time, replace_ttl)

    async def do_extend(self, additional_time: float, replace_ttl: bool) -> Literal[True]:
        """Extends the key's time if the token is the lock's. Raises LockNotOwnedError if it is not."""
        added = milliseconds(additional_time) or 0
        if not await self.lua_extend(**self._call_of(self._token(), added, int(replace_ttl))):
            raise self._not_owned()
        return True

    async def reacquire(self) -> Literal[True]:
        """Sets the time that is left to `timeout` again. Raises the errors of `extend`."""
        self._must_have_time()
        return await self.do_reacquire()

    async def do_reacquire(self) -> Literal[True]:
        """Sets the key's time if the token is the lock's. Raises LockNotOwnedError if it is not."""
        if not await self.lua_reacquire(**self._call_of(self._token(), milliseconds(self.timeout) or 0)):
            raise self._not_owned()
        return True
