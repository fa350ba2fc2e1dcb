"""A lock that processes and machines share, for asyncio: a key that holds its owner's token."""

from __future__ import annotations

import asyncio
import logging
import threading
import uuid
from types import SimpleNamespace
from typing import Any, ClassVar, Literal, Self

from ..exceptions import LockError, LockNotOwnedError
from ..lock import EXTEND, REACQUIRE, RELEASE, milliseconds
from ..scripts import AsyncScript

logger = logging.getLogger(__name__)


class Lock:
    """A lock with a name.

    timeout: seconds after which the lock is free again whatever its owner does; None for never.
    sleep: seconds between attempts.
    blocking: whether `acquire` waits for the lock; blocking_timeout: how long at most, None for ever.
    thread_local: whether each thread has its own token.
    raise_on_release_error: False logs it if the lock is lost at the end of an `async with` block, instead of raising.
    """

    lua_release: ClassVar[AsyncScript | None] = None
    lua_extend: ClassVar[AsyncScript | None] = None
    lua_reacquire: ClassVar[AsyncScript | None] = None
    LUA_RELEASE_SCRIPT = RELEASE
    LUA_EXTEND_SCRIPT = EXTEND
    LUA_REACQUIRE_SCRIPT = REACQUIRE

    def __init__(
        self,
        redis: Any,
        name: str | bytes | memoryview,
        timeout: float | None = None,
        sleep: float = 0.1,
        blocking: bool = True,
        blocking_timeout: float | None = None,
        thread_local: bool = True,
        raise_on_release_error: bool = True,
    ) -> None:
        self.redis = redis
        self.name = name
        self.timeout = timeout
        self.sleep = sleep
        self.blocking = blocking
        self.blocking_timeout = blocking_timeout
        self.thread_local = bool(thread_local)
        self.raise_on_release_error = raise_on_release_error
        self.local: Any = threading.local() if self.thread_local else SimpleNamespace()
        self.local.token = None
        self.register_scripts()

    def register_scripts(self) -> None:
        """Makes the scripts, once for all locks."""
        made = type(self)
        if made.lua_release is None:
            made.lua_release = AsyncScript(self.redis, made.LUA_RELEASE_SCRIPT)
        if made.lua_extend is None:
            made.lua_extend = AsyncScript(self.redis, made.LUA_EXTEND_SCRIPT)
        if made.lua_reacquire is None:
            made.lua_reacquire = AsyncScript(self.redis, made.LUA_REACQUIRE_SCRIPT)

    def _token(self) -> bytes | None:
        # A thread that has not acquired the lock has no attribute.
        return getattr(self.local, "token", None)

    async def __aenter__(self) -> Self:
        if await self.acquire():
            return self
        raise self._error("the lock was not acquired in time")

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
        chosen = uuid.uuid4().hex.encode() if token is None else bytes(self.redis.get_encoder().encode(token))
        clock = asyncio.get_running_loop().time
        until = None if blocking_timeout is None else clock() + blocking_timeout
        while True:
            if await self.do_acquire(chosen):
                self.local.token = chosen
                return True
            if not blocking or (until is not None and clock() + self.sleep > until):
                return False
            await asyncio.sleep(self.sleep)

    async def do_acquire(self, token: str | bytes) -> bool:
        """One attempt."""
        lifetime = milliseconds(self.timeout) if self.timeout else None
        return bool(await self.redis.set(self.name, token, nx=True, px=lifetime))

    async def locked(self) -> bool:
        """Whether anybody has the lock."""
        return await self.redis.get(self.name) is not None

    async def owned(self) -> bool:
        """Whether this lock has it: in this thread, if it is `thread_local`."""
        stored = await self.redis.get(self.name)
        if isinstance(stored, str):
            stored = self.redis.get_encoder().encode(stored)
        token = self._token()
        return token is not None and stored == token

    async def release(self) -> None:
        """Gives the lock back. Raises LockError if it is not held, LockNotOwnedError if another has it by now.

        A release that is cancelled or loses its connection can be repeated: the lock forgets its token at the end.
        """
        token = self._token()
        if token is None:
            raise self._error("the lock is not held: acquire it before you release it")
        try:
            await self.do_release(token)
        except LockNotOwnedError:
            self.local.token = None
            raise
        self.local.token = None

    async def do_release(self, expected_token: bytes) -> None:
        """Deletes the key if the token is the lock's."""
        if not await self._run(self.lua_release, expected_token):
            raise self._not_owned()

    async def extend(self, additional_time: float, replace_ttl: bool = False) -> Literal[True]:
        """Adds seconds to the time that is left, or sets it to them if `replace_ttl`."""
        self._must_have_time()
        return await self.do_extend(additional_time, replace_ttl)

    async def do_extend(self, additional_time: float, replace_ttl: bool) -> Literal[True]:
        """Extends the key's time if the token is the lock's."""
        if not await self._run(self.lua_extend, self._token(), milliseconds(additional_time), "1" if replace_ttl else "0"):
            raise self._not_owned()
        return True

    async def reacquire(self) -> Literal[True]:
        """Sets the time that is left to `timeout` again."""
        self._must_have_time()
        return await self.do_reacquire()

    async def do_reacquire(self) -> Literal[True]:
        """Sets the key's time if the token is the lock's."""
        if not await self._run(self.lua_reacquire, self._token(), milliseconds(self.timeout or 0)):
            raise self._not_owned()
        return True

    def _must_have_time(self) -> None:
        if self._token() is None:
            raise self._error("the lock is not held: acquire it first")
        if self.timeout is None:
            raise self._error("the lock has no timeout that could be changed: pass one to lock()")

    async def _run(self, script: AsyncScript | None, *args: Any) -> bool:
        return script is not None and bool(await script(keys=[self.name], args=args, client=self.redis))

    def _error(self, text: str) -> LockError:
        name = self.name.tobytes() if isinstance(self.name, memoryview) else self.name
        return LockError(f"{text} (lock {name!r})", lock_name=name)

    def _not_owned(self) -> LockNotOwnedError:
        name = self.name.tobytes() if isinstance(self.name, memoryview) else self.name
        return LockNotOwnedError(f"the lock {name!r} is another holder's, or nobody's, by now", lock_name=name)
