"""A circuit breaker: while a server cannot be reached, callers fail at once instead of each trying it. No I/O, no clock.

After `failures` failed connects in a row it is open for about `reset_after` seconds; then one caller may try, and the others
go on failing until that one has connected.
"""

from __future__ import annotations

import random
import threading

DEFAULT_FAILURES = 30
DEFAULT_RESET_AFTER = 1.0


class CircuitBreaker:
    """The state that connections to one server share.

    failures: failed connects in a row that open it.
    reset_after: seconds that it stays open, times anything from a half to one and a half: clients shall not come back together.
    """

    def __init__(self, failures: int = DEFAULT_FAILURES, reset_after: float = DEFAULT_RESET_AFTER) -> None:
        if failures < 1 or reset_after < 0:
            raise ValueError(f"failures={failures}, reset_after={reset_after}: expected at least 1 failure and 0 seconds")
        self.failures = failures
        self.reset_after = reset_after
        self._lock = threading.Lock()
        self._failed = 0
        self._until: float | None = None

    def __reduce__(self) -> tuple[type[CircuitBreaker], tuple[int, float]]:
        # A copy, like a process's own, begins closed.
        return type(self), (self.failures, self.reset_after)

    @property
    def open(self) -> bool:
        """Whether callers fail at once."""
        return self._until is not None

    def refuses(self, now: float) -> float:
        """Seconds after which the caller may try; 0 if it may try now. Exactly one caller may try an open breaker's server."""
        if not self.open:
            return 0.0
        with self._lock:
            left = 0.0 if self._until is None else self._until - now
            if self._until is not None and left <= 0:
                self._open(now)
            return max(0.0, left)

    def succeeded(self) -> None:
        """A connect succeeded: closes the breaker."""
        if self._failed:
            with self._lock:
                self._failed = 0
                self._until = None

    def failed(self, now: float) -> bool:
        """A connect failed. Whether that opens the breaker."""
        with self._lock:
            self._failed += 1
            if self._failed < self.failures:
                return False
            opens = self._until is None
            self._open(now)
            return opens

    def _open(self, now: float) -> None:
        self._until = now + self.reset_after * random.uniform(0.5, 1.5)
