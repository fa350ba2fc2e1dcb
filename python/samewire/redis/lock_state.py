"""What a lock is, without I/O: its options, its holder's token, its scripts and errors. Blocking and asyncio locks share it.

The lock is a key whose value is its holder's token. A script changes the key only if it has that token, so that a holder
whose time is over cannot touch the lock of the next one.
"""

from __future__ import annotations

import threading
import uuid
from types import SimpleNamespace
from typing import Any, ClassVar

from .exceptions import LockError, LockNotOwnedError
from .scripts import ScriptText

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


class LockState:
    """The state of a lock with a name.

    timeout: seconds after which the lock is free again whatever its holder does; None for never.
    sleep: seconds between attempts.
    blocking: whether `acquire` waits for the lock; blocking_timeout: for how many seconds at most, None for ever.
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

    def _token(self) -> bytes | None:
        # A thread that has not acquired the lock has no attribute.
        return getattr(self.local, "token", None)

    def _token_for(self, given: str | bytes | None) -> bytes:
        """The bytes of a token that was given, or a random one."""
        return uuid.uuid4().hex.encode() if given is None else bytes(self.redis.get_encoder().encode(given))

    def _holds(self, stored: str | bytes | None) -> bool:
        """Whether the key's value is this holder's token."""
        if isinstance(stored, str):
            stored = self.redis.get_encoder().encode(stored)
        return stored is not None and stored == self._token()

    def _token_to_release(self) -> bytes:
        token = self._token()
        if token is None:
            raise self._error("the lock is not held: acquire it before you release it")
        return token

    def _must_have_time(self) -> None:
        if self._token() is None:
            raise self._error("the lock is not held: acquire it first")
        if self.timeout is None:
            raise self._error("the lock has no timeout that could be changed: pass one to lock()")

    def _call_of(self, *args: Any) -> dict[str, Any]:
        """The keywords with which a script is called."""
        return {"keys": [self.name], "args": args, "client": self.redis}

    def _plain_name(self) -> str | bytes:
        return self.name.tobytes() if isinstance(self.name, memoryview) else self.name

    def _error(self, text: str) -> LockError:
        name = self._plain_name()
        return LockError(f"{text} (lock {name!r})", lock_name=name)

    def _not_acquired(self) -> LockError:
        return self._error("the lock was not acquired: another holder has it")

    def _not_owned(self) -> LockNotOwnedError:
        name = self._plain_name()
        return LockNotOwnedError(f"the lock {name!r} is another holder's, or nobody's, by now", lock_name=name)


def milliseconds(seconds: float | None) -> int | None:
    """Seconds as the server counts them; None if there are none."""
    return int(seconds * 1000) if seconds else None
