"""A lock that processes and machines share, for blocking callers."""

from __future__ import annotations

import time as mod_time
from typing import Self

from .lock_steps import LockSteps
from .scripts import Script
from .steps import Blocking, run


class Lock(LockSteps, Blocking):
    __doc__ = LockSteps.__doc__

    _script = Script

    # By redis-py's name of the module: programs' tests put a clock of their own in its place.
    def _sleep(self, seconds: float) -> None:
        mod_time.sleep(seconds)

    def _now(self) -> float:
        return mod_time.monotonic()

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
