"""A lock that processes and machines share: a key that holds its owner's token.

The lock is a key whose value is its holder's token. A script changes the key only if it has that token, so that a holder
whose time is over cannot touch the lock of the next one.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time as mod_time
import uuid
from types import SimpleNamespace
from typing import Any, ClassVar, Literal, Self

from .exceptions import LockError, LockNotOwnedError, RedisError
from .scripts import Script, ScriptText
from .steps import Blocking, Operations, Steps, operation, run

logger = logging.getLogger("samewire.redis.lock")

# KEYS[1] is the lock's name, ARGV[1] the token. Each script returns 1, or 0 if the lock has another token or no time.
HELD = "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end\n"

RELEASE = HELD + "return redis.call('DEL', KEYS[1])"

# ARGV[2]: milliseconds from now.
REACQUIRE = HELD + "return redis.call('PEXPIRE', KEYS[1], ARGV[2])"

# ARGV[2]: milliseconds. ARGV[3]: "0" counts them from the end of the time that is left, "1" from now.
EXTEND = (
    HELD
    + """local from = redis.call('PTTL', KEYS[1])
if from < 0 then return 0 end
if ARGV[3] == '1' then from = 0 end
return redis.call('PEXPIRE', KEYS[1], from + ARGV[2])"""
)


class LockSteps(Operations):
    """A lock with a name.

    timeout: seconds after which the lock is free again even if its holder does nothing; None for never.
    sleep: seconds between attempts.
    blocking: whether `acquire` waits for the lock; blocking_timeout: for how many seconds at most, None for no limit.
    thread_local: whether each thread has its own token. Pass False if one thread acquires and another releases.
    raise_on_release_error: False logs it if the lock is lost at the end of a `with` block, instead of raising.
    """

    LUA_RELEASE_SCRIPT = RELEASE
    LUA_EXTEND_SCRIPT = EXTEND
    LUA_REACQUIRE_SCRIPT = REACQUIRE

    #: The class of the scripts.
    _script: ClassVar[type[ScriptText]]

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
        self.redis, self.name = redis, name
        self.timeout, self.sleep = timeout, sleep
        self.blocking, self.blocking_timeout = blocking, blocking_timeout
        self.thread_local, self.raise_on_release_error = thread_local, raise_on_release_error
        self.local: Any = threading.local() if thread_local else SimpleNamespace()
        self.local.token = None
        self.register_scripts()

    def register_scripts(self) -> None:
        """Makes the scripts. Each lock has its own: those of a class would keep the first lock's client for ever."""
        self.lua_release: Any = self._script(self.redis, self.LUA_RELEASE_SCRIPT)
        self.lua_extend: Any = self._script(self.redis, self.LUA_EXTEND_SCRIPT)
        self.lua_reacquire: Any = self._script(self.redis, self.LUA_REACQUIRE_SCRIPT)

    # --- what a lock can do ---

    def _acquire(
        self, sleep: float | None, blocking: bool | None, blocking_timeout: float | None, token: str | bytes | None
    ) -> Steps[bool]:
        sleep = self.sleep if sleep is None else sleep
        blocking = self.blocking if blocking is None else blocking
        blocking_timeout = self.blocking_timeout if blocking_timeout is None else blocking_timeout
        chosen = self._token_for(token)
        until = None if blocking_timeout is None else self._now() + blocking_timeout
        # A token that was given may be that of a holder elsewhere.
        while not (yield self._attempt(chosen, own=token is None)):
            if not blocking or (until is not None and self._now() + sleep > until):
                return False
            yield self._sleep(sleep)
        self.local.token = chosen
        return True

    def _attempt(self, token: bytes, own: bool) -> Any:
        """A step: one attempt. Interrupted while the server has not replied, it gives back what it may have got.

        own: whether nobody else has the token.
        """
        raise NotImplementedError

    @operation
    def do_acquire(self, token: str | bytes) -> Steps[bool]:
        """One attempt."""
        return bool((yield self.redis.set(self.name, token, nx=True, px=milliseconds(self.timeout))))

    @operation
    def _give_back(self, token: bytes) -> Steps[None]:
        """Releases what an attempt got that nobody waits for any more. Its caller has an error already."""
        try:
            yield self.do_release(token)
        except LockNotOwnedError:
            pass
        except RedisError as error:
            logger.warning("the lock %r may be taken by an attempt that was interrupted: %s", self.name, error)

    def _enter(self) -> Steps[None]:
        if not (yield self.acquire()):
            raise self._error("the lock was not acquired: another holder has it")

    def _exit(self) -> Steps[None]:
        try:
            yield self.release()
        except LockError:
            if self.raise_on_release_error:
                raise
            logger.warning("the lock %r was not held any more at the end of its block", self.name)

    def acquire(self) -> Any:
        """A step: whether the lock is now the caller's."""
        raise NotImplementedError

    @operation
    def locked(self) -> Steps[bool]:
        """Whether anybody has the lock."""
        return (yield self.redis.get(self.name)) is not None

    @operation
    def owned(self) -> Steps[bool]:
        """Whether this lock has it: in this thread, if it is `thread_local`."""
        stored = yield self.redis.get(self.name)
        if isinstance(stored, str):
            stored = self.redis.get_encoder().encode(stored)
        return stored is not None and stored == self._token()

    @operation
    def release(self) -> Steps[None]:
        """Gives the lock back. Raises LockError if it is not held, LockNotOwnedError if another has it by now.

        A release that is cancelled or loses its connection can be repeated: the lock forgets its token at the end.
        """
        token = self._token()
        if token is None:
            raise self._error("the lock is not held: acquire it before you release it")
        try:
            yield self.do_release(token)
        except LockNotOwnedError:
            self.local.token = None
            raise
        self.local.token = None

    @operation
    def do_release(self, expected_token: str | bytes) -> Steps[None]:
        """Deletes the key if the token is the lock's. Raises LockNotOwnedError if it is not."""
        yield from self._changed_by(self.lua_release, expected_token)

    @operation
    def extend(self, additional_time: float, replace_ttl: bool = False) -> Steps[Literal[True]]:
        """Adds seconds to the time that is left, or sets it to them if `replace_ttl`.

        Raises LockError if the lock is not held or has no timeout, LockNotOwnedError if another has it by now.
        """
        self._must_have_time()
        yield self.do_extend(additional_time, replace_ttl)
        return True

    @operation
    def do_extend(self, additional_time: float, replace_ttl: bool) -> Steps[Literal[True]]:
        """Extends the key's time if the token is the lock's. Raises LockNotOwnedError if it is not."""
        return (yield from self._changed_by(self.lua_extend, self._token(), milliseconds(additional_time) or 0, int(replace_ttl)))

    @operation
    def reacquire(self) -> Steps[Literal[True]]:
        """Sets the time that is left to `timeout` again. Raises the errors of `extend`."""
        self._must_have_time()
        yield self.do_reacquire()
        return True

    @operation
    def do_reacquire(self) -> Steps[Literal[True]]:
        """Sets the key's time if the token is the lock's. Raises LockNotOwnedError if it is not."""
        return (yield from self._changed_by(self.lua_reacquire, self._token(), milliseconds(self.timeout) or 0))

    def _changed_by(self, script: Any, *args: Any) -> Steps[Literal[True]]:
        if not (yield script(keys=[self.name], args=args, client=self.redis)):
            name = self._plain_name()
            raise LockNotOwnedError(f"the lock {name!r} is another holder's, or nobody's, by now", lock_name=name)
        return True

    # --- its holder ---

    def _token(self) -> bytes | None:
        # A thread that has not acquired the lock has no attribute.
        return getattr(self.local, "token", None)

    def _token_for(self, given: str | bytes | None) -> bytes:
        """The bytes of a token that was given, or a random one."""
        return uuid.uuid4().hex.encode() if given is None else bytes(self.redis.get_encoder().encode(given))

    def _must_have_time(self) -> None:
        if self._token() is None:
            raise self._error("the lock is not held: acquire it first")
        if self.timeout is None:
            raise self._error("the lock has no timeout that could be changed: pass one to lock()")

    def _plain_name(self) -> str | bytes:
        return self.name.tobytes() if isinstance(self.name, memoryview) else self.name

    def _error(self, text: str) -> LockError:
        name = self._plain_name()
        return LockError(f"{text} (lock {name!r})", lock_name=name)


#: Seconds for which an interrupted caller waits until what it may have got is given back. That goes on without it.
MOMENT = 0.5


def milliseconds(seconds: float | None) -> int | None:
    """Seconds as the server counts them; None if there are none."""
    return int(seconds * 1000) if seconds else None


class Lock(LockSteps, Blocking):
    __doc__ = LockSteps.__doc__

    _script = Script

    # By redis-py's name of the module: programs' tests put a clock of their own in its place.
    def _sleep(self, seconds: float) -> None:
        mod_time.sleep(seconds)

    def _now(self) -> float:
        return mod_time.monotonic()

    def _attempt(self, token: bytes, own: bool) -> Any:
        try:
            return self.do_acquire(token)
        except RedisError:
            raise
        except BaseException:
            # A handler of signals raised it, or a greenlet is ended. Whether the command ran is not known. Another thread
            # asks, since nothing bounds how long a server takes; the caller's error is raised again.
            if own:
                giving = threading.Thread(target=self._give_back, args=(token,), daemon=True)
                # At the end of the interpreter no thread can be started.
                with contextlib.suppress(RuntimeError):
                    giving.start()
                    giving.join(MOMENT)
            raise

    def __enter__(self) -> Self:
        run(self._enter())
        return self

    def __exit__(self, *_: object) -> None:
        run(self._exit())

    def acquire(
        self,
        sleep: float | None = None,
        blocking: bool | None = None,
        blocking_timeout: float | None = None,
        token: str | bytes | None = None,
    ) -> bool:
        """Whether the lock is now the caller's. Waits for it as `blocking` and `blocking_timeout` say.

        sleep: seconds between attempts.
        token: who owns the lock; random if None.
        """
        return run(self._acquire(sleep, blocking, blocking_timeout, token))
