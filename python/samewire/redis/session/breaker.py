"""A circuit breaker: while a server cannot be reached, one caller at a time tries it, and the others wait. No I/O, no clock.

It opens once connects have failed for `after` seconds, independent of the number of callers: a restart makes all of them fail at
once, and says no more than one of them. Open, it lets one caller try about every `reset_after` seconds. Callers with attempts
left wait until then; those without raise CircuitOpenError. A server that answers, even to refuse the client, is reached.
"""

from __future__ import annotations

import random
import threading

from ..exceptions import CircuitOpenError
from ..observability import logger

DEFAULT_AFTER = 5.0
DEFAULT_RESET_AFTER = 1.0


class CircuitBreaker:
    """The state that connections to one server share.

    after: seconds for which connects must have failed to open it.
    reset_after: seconds between two tries while it is open, times anything from a half to one and a half: clients shall not
    come back together.
    """

    def __init__(self, after: float = DEFAULT_AFTER, reset_after: float = DEFAULT_RESET_AFTER) -> None:
        if not (after > 0 and reset_after >= 0):
            raise ValueError(f"after={after}, reset_after={reset_after}: expected more than 0 seconds, and at least 0")
        self.after = after
        self.reset_after = reset_after
        self._lock = threading.Lock()
        #: When the first connect of a row of failures began, and when the last one ended.
        self._since: float | None = None
        self._failed_at = 0.0
        self._until: float | None = None

    def __reduce__(self) -> tuple[type[CircuitBreaker], tuple[float, float]]:
        # A copy, like a process's own, begins closed.
        return type(self), (self.after, self.reset_after)

    @property
    def open(self) -> bool:
        """Whether only one caller at a time may try."""
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

    def check(self, address: str, now: float) -> None:
        """Raises CircuitOpenError if the caller may not try now."""
        left = self.refuses(now)
        if left:
            since = self._since
            seconds = self.after if since is None else now - since
            raise CircuitOpenError(
                f"{address} could not be reached for {seconds:.1f} s: the next try is in {left:.1f} s (circuit breaker)", left
            )

    def succeeded(self) -> None:
        """The server was reached: closes the breaker."""
        if self._since is not None:
            with self._lock:
                self._since = None
                self._until = None

    def failed(self, address: str, start: float, now: float) -> None:
        """The server was not reached by a connect that began at `start`. Logs a warning if that opens the breaker."""
        with self._lock:
            if self._since is None or start - self._failed_at > self.after:
                # Between two failures so far apart nobody knows that the server was away.
                self._since = start
            self._failed_at = max(self._failed_at, now)
            if now - self._since < self.after:
                return
            opens = self._until is None
            self._open(now)
        if opens:
            logger.warning("%s cannot be reached: one caller at a time tries it", address)

    def _open(self, now: float) -> None:
        self._until = now + self.reset_after * random.uniform(0.5, 1.5)


def breaker_of(breaker: CircuitBreaker | float | None) -> CircuitBreaker | None:
    """The breaker of an option: seconds stand for one that opens after them."""
    if breaker is None or isinstance(breaker, CircuitBreaker):
        return breaker
    if isinstance(breaker, bool) or not isinstance(breaker, int | float):
        raise TypeError(f"breaker is {breaker!r}: expected seconds, a CircuitBreaker or None")
    return CircuitBreaker(breaker)
