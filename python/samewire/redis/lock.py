"""A lock that processes and machines share, for blocking callers: a key that holds its owner's token."""

from __future__ import annotations

import logging
import time as mod_time
from typing import Literal, Self

from .exceptions import LockError, LockNotOwnedError
from .lock_state import LockState, milliseconds
from .scripts import Script

logger = logging.getLogger(__name__)


class Lock(LockState):
    """A lock with a name; `LockState` has the options."""

    _script = Script

    def __enter__(self) -> Self:
        if self.acquire():
            return self
        raise self._not_acquired()

    def __exit__(self, *_: object) -> None:
        try:
            self.release()
        except LockError:
            if self.raise_on_release_error:
                raise
            logger.warning("the lock %r was not held any more at the end of its block", self.name)

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
        sleep = self.sleep if sleep is None else sleep
        blocking = self.blocking if blocking is None else blocking
        blocking_timeout = self.blocking_timeout if blocking_timeout is None else blocking_timeout
        chosen = self._token_for(token)
        until = None if blocking_timeout is None else mod_time.monotonic() + blocking_timeout
        while not self.do_acquire(chosen):
            if not blocking or (until is not None and mod_time.monotonic() + sleep > until):
                return False
            mod_time.sleep(sleep)
        self.local.token = chosen
        return True

    def do_acquire(self, token: str | bytes) -> bool:
        """One attempt."""
        return bool(self.redis.set(self.name, token, nx=True, px=milliseconds(self.timeout)))

    def locked(self) -> bool:
        """Whether anybody has the lock."""
        return self.redis.get(self.name) is not None

    def owned(self) -> bool:
        """Whether this lock has it: in this thread, if it is `thread_local`."""
        return self._holds(self.redis.get(self.name))

    def release(self) -> None:
        """Gives the lock back. Raises LockError if it is not held, LockNotOwnedError if another has it by now.

        A release that loses its connection can be repeated: the lock forgets its token at the end.
        """
        token = self._token_to_release()
        try:
            self.do_release(token)
        except LockNotOwnedError:
            self.local.token = None
            raise
        self.local.token = None

    def do_release(self, expected_token: str | bytes) -> None:
        """Deletes the key if the token is the lock's. Raises LockNotOwnedError if it is not."""
        if not self.lua_release(**self._call_of(expected_token)):
            raise self._not_owned()

    def extend(self, additional_time: float, replace_ttl: bool = False) -> Literal[True]:
        """Adds seconds to the time that is left, or sets it to them if `replace_ttl`.

        Raises LockError if the lock is not held or has no timeout, LockNotOwnedError if another has it by now.
        """
        self._must_have_time()
        return self.do_extend(additional_time, replace_ttl)

    def do_extend(self, additional_time: float, replace_ttl: bool) -> Literal[True]:
        """Extends the key's time if the token is the lock's. Raises LockNotOwnedError if it is not."""
        added = milliseconds(additional_time) or 0
        if not self.lua_extend(**self._call_of(self._token(), added, int(replace_ttl))):
            raise self._not_owned()
        return True

    def reacquire(self) -> Literal[True]:
        """Sets the time that is left to `timeout` again. Raises the errors of `extend`."""
        self._must_have_time()
        return self.do_reacquire()

    def do_reacquire(self) -> Literal[True]:
        """Sets the key's time if the token is the lock's. Raises LockNotOwnedError if it is not."""
        if not self.lua_reacquire(**self._call_of(self._token(), milliseconds(self.timeout) or 0)):
            raise self._not_owned()
        return True
