"""A lock that processes and machines share: a key that holds its owner's token.

What reads and changes the key is one script each time, so that nobody comes between.
"""

from __future__ import annotations

import logging
import threading
import time as mod_time
import uuid
from types import SimpleNamespace
from typing import Any, ClassVar, Literal, Self

from .exceptions import LockError, LockNotOwnedError
from .scripts import Script

logger = logging.getLogger(__name__)

# KEYS[1]: the lock's name. ARGV[1]: the token. Each returns 1, or 0 if the token is not the lock's.
RELEASE = """
if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('del', KEYS[1])
return 1
"""

# ARGV[2]: milliseconds. ARGV[3]: "0" adds them to what is left, "1" sets them.
EXTEND = """
if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
local left = redis.call('pttl', KEYS[1])
if left < 0 then return 0 end
local wanted = tonumber(ARGV[2])
if ARGV[3] == '0' then wanted = wanted + left end
redis.call('pexpire', KEYS[1], wanted)
return 1
"""

# ARGV[2]: milliseconds.
REACQUIRE = """
if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('pexpire', KEYS[1], ARGV[2])
return 1
"""


class Lock:
    """A lock with a name.

    timeout: seconds after which the lock is free again whatever its owner does; None for never.
    sleep: seconds between attempts.
    blocking: whether `acquire` waits for the lock; blocking_timeout: how long at most, None for ever.
    thread_local: whether each thread has its own token. Pass False if one thread acquires and another releases.
    raise_on_release_error: False logs it if the lock is lost at the end of a `with` block, instead of raising.
    """

    lua_release: ClassVar[Script | None] = None
    lua_extend: ClassVar[Script | None] = None
    lua_reacquire: ClassVar[Script | None] = None
    LUA_RELEASE_SCRIPT = RELEASE
    LUA_EXTEND_SCRIPT = EXTEND
    LUA_REACQUIRE_SCRIPT = REACQUIRE

    def __init__(
        self,
        redis: Any,
        name: str,
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
            made.lua_release = Script(self.redis, made.LUA_RELEASE_SCRIPT)
        if made.lua_extend is None:
            made.lua_extend = Script(self.redis, made.LUA_EXTEND_SCRIPT)
        if made.lua_reacquire is None:
            made.lua_reacquire = Script(self.redis, made.LUA_REACQUIRE_SCRIPT)

    def _token(self) -> bytes | None:
        # A thread that has not acquired the lock has no attribute.
        return getattr(self.local, "token", None)

    def __enter__(self) -> Self:
        if self.acquire():
            return self
        raise LockError("Unable to acquire lock within the time specified", lock_name=self.name)

    def __exit__(self, *_: object) -> None:
        try:
            self.release()
        except LockError:
            if self.raise_on_release_error:
                raise
            logger.warning("Lock was unlocked or no longer owned when exiting context manager.")

    def acquire(
        self,
        sleep: float | None = None,
        blocking: bool | None = None,
        blocking_timeout: float | None = None,
        token: str | bytes | None = None,
    ) -> bool:
        """Whether the lock is now the caller's. Waits for it as `blocking` and `blocking_timeout` say.

        token: who owns the lock; random if None.
        """
        sleep = self.sleep if sleep is None else sleep
        blocking = self.blocking if blocking is None else blocking
        blocking_timeout = self.blocking_timeout if blocking_timeout is None else blocking_timeout
        chosen = uuid.uuid4().hex.encode() if token is None else bytes(self.redis.get_encoder().encode(token))
        until = None if blocking_timeout is None else mod_time.monotonic() + blocking_timeout
        while True:
            if self.do_acquire(chosen):
                self.local.token = chosen
                return True
            if not blocking or (until is not None and mod_time.monotonic() + sleep > until):
                return False
            mod_time.sleep(sleep)

    def do_acquire(self, token: bytes) -> bool:
        """One attempt."""
        return bool(self.redis.set(self.name, token, nx=True, px=milliseconds(self.timeout) if self.timeout else None))

    def locked(self) -> bool:
        """Whether anybody has the lock."""
        return self.redis.get(self.name) is not None

    def owned(self) -> bool:
        """Whether this lock has it: in this thread, if it is `thread_local`."""
        stored = self.redis.get(self.name)
        if isinstance(stored, str):
            stored = self.redis.get_encoder().encode(stored)
        token = self._token()
        return token is not None and stored == token

    def release(self) -> None:
        """Gives the lock back. Raises LockError if it is not held, LockNotOwnedError if another has it by now."""
        token = self._token()
        if token is None:
            raise LockError("Cannot release a lock that's not owned or is already unlocked.", lock_name=self.name)
        self.local.token = None
        self.do_release(token)

    def do_release(self, expected_token: bytes) -> None:
        """Deletes the key if the token is the lock's."""
        if not self._run(self.lua_release, expected_token):
            raise LockNotOwnedError("Cannot release a lock that's no longer owned", lock_name=self.name)

    def extend(self, additional_time: float, replace_ttl: bool = False) -> Literal[True]:
        """Adds seconds to the time that is left, or sets it to them if `replace_ttl`."""
        if self._token() is None:
            raise LockError("Cannot extend an unlocked lock", lock_name=self.name)
        if self.timeout is None:
            raise LockError("Cannot extend a lock with no timeout", lock_name=self.name)
        return self.do_extend(additional_time, replace_ttl)

    def do_extend(self, additional_time: float, replace_ttl: bool) -> Literal[True]:
        """Extends the key's time if the token is the lock's."""
        if not self._run(self.lua_extend, self._token(), milliseconds(additional_time), "1" if replace_ttl else "0"):
            raise LockNotOwnedError("Cannot extend a lock that's no longer owned", lock_name=self.name)
        return True

    def reacquire(self) -> Literal[True]:
        """Sets the time that is left to `timeout` again."""
        if self._token() is None:
            raise LockError("Cannot reacquire an unlocked lock", lock_name=self.name)
        if self.timeout is None:
            raise LockError("Cannot reacquire a lock with no timeout", lock_name=self.name)
        return self.do_reacquire()

    def do_reacquire(self) -> Literal[True]:
        """Sets the key's time if the token is the lock's."""
        if not self._run(self.lua_reacquire, self._token(), milliseconds(self.timeout or 0)):
            raise LockNotOwnedError("Cannot reacquire a lock that's no longer owned", lock_name=self.name)
        return True

    def _run(self, script: Script | None, *args: Any) -> bool:
        return script is not None and bool(script(keys=[self.name], args=args, client=self.redis))


def milliseconds(seconds: float) -> int:
    """Seconds as the server counts them."""
    return int(seconds * 1000)
