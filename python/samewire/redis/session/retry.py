"""Attempts after a failure.

A client repeats a command only where that is safe (`replay`): `is_retryable` tells.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from ..exceptions import AuthenticationError, AuthorizationError, BusyLoadingError, ConnectionError, TimeoutError, TlsError
from ..steps import Blocking, Operations, Steps, operation, run
from .backoff import AbstractBackoff, EqualJitterBackoff

T = TypeVar("T")

#: The pauses are 6.6 to 13.1 seconds in all. redis-py's three are up to 14, of which chance may leave nothing: a server that is
#: away for 5 seconds outlasts a quarter of its callers' attempts.
DEFAULT_RETRY_COUNT = 10
DEFAULT_RETRY_BASE = 0.01
DEFAULT_RETRY_CAP = 4.0

#: What another attempt does not change, although it is a ConnectionError.
FINAL = (AuthenticationError, AuthorizationError, TlsError)


class Failures:
    """The failures of one operation.

    Those by LOADING count apart from all others: a server that starts refuses connects first, and then commands until it has
    read its data. Counted together, the first half of a start leaves too few attempts for the second.
    """

    __slots__ = ("_loading", "_ran", "count")

    def __init__(self) -> None:
        #: All of them.
        self.count = 0
        self._loading = 0
        #: Whether one of the attempts may have run.
        self._ran = False

    def add(self, error: Exception) -> int:
        """Counts an error; returns how many of its kind there are."""
        self.note(error)
        self.count += 1
        if isinstance(error, BusyLoadingError):
            self._loading += 1
            return self._loading
        return self.count - self._loading

    def note(self, error: Exception) -> None:
        """Notes whether any attempt so far may have run the command: the caller sees the last one's error only."""
        if isinstance(error, ConnectionError | TimeoutError):
            self._ran = self._ran or bool(error.may_have_run)
            error.may_have_run = self._ran or error.may_have_run


class AbstractRetry(Operations):
    """How many attempts follow a failure, after which errors, and how long to wait between them.

    retries: negative for no end.
    """

    def __init__(self, backoff: AbstractBackoff, retries: int, supported_errors: tuple[type[Exception], ...]) -> None:
        self._backoff = backoff
        self._retries = retries
        self._supported_errors = supported_errors

    def _after(
        self,
        error: Exception,
        do: Callable[[], Any],
        fail: Callable[..., Any],
        is_retryable: Callable[[Exception], bool] | None,
        with_failure_count: bool,
    ) -> Steps[Any]:
        """The attempts after the first one, which failed. The arguments are those of `call_with_retry`."""
        failures = Failures()
        try:
            while True:
                alike = failures.add(error)
                if not self.may_follow(error, is_retryable):
                    raise error
                yield self._outcome(fail(error, failures.count) if with_failure_count else fail(error))
                if self.exhausted(alike):
                    raise error
                yield self.pause(alike, error)
                try:
                    return (yield do())
                except Exception as failed:
                    error = failed
        finally:
            # The error's traceback leads to this frame.
            del error

    @operation
    def pause(self, failures: int, error: Exception | None = None) -> Steps[None]:
        """Waits before the attempt after so many failures of the kind of `error`, which was the last."""
        seconds = self.seconds_before(failures, error)
        if seconds > 0:
            yield self._sleep(seconds)

    def _policy(self) -> tuple[object, ...]:
        return self._backoff, self._retries, frozenset(self._supported_errors)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AbstractRetry) and type(self) is type(other) and self._policy() == other._policy()

    def __hash__(self) -> int:
        return hash(self._policy())

    def update_supported_errors(self, specified_errors: Iterable[type[Exception]]) -> None:
        """Adds errors after which another attempt is made."""
        self._supported_errors = tuple({*self._supported_errors, *specified_errors})

    def get_retries(self) -> int:
        """How many attempts follow the first one."""
        return self._retries

    def update_retries(self, value: int) -> None:
        """Sets how many attempts follow the first one."""
        self._retries = value

    def supports(self, error: Exception) -> bool:
        """Whether another attempt may follow this error."""
        return isinstance(error, self._supported_errors) and (
            not isinstance(error, FINAL) or type(error) in self._supported_errors
        )

    def may_follow(self, error: Exception, is_retryable: Callable[[Exception], bool] | None) -> bool:
        """Whether another attempt may follow this error, by this policy and by the operation's own."""
        return self.supports(error) and (is_retryable is None or is_retryable(error))

    def exhausted(self, failures: int) -> bool:
        """Whether no attempt follows so many failures of one kind (`Failures`)."""
        return 0 <= self._retries < failures

    def seconds_before(self, failures: int, error: Exception | None = None) -> float:
        """How long to wait before the attempt after so many failures of the kind of `error`, which was the last."""
        if isinstance(error, BusyLoadingError):
            # The server replies at once, and is there: a shorter wait by chance would only use up an attempt.
            return self._backoff.longest(failures)
        # Before a circuit breaker lets it try, an attempt would be none.
        return max(self._backoff.compute(failures), getattr(error, "retry_in", 0.0))


class Retry(AbstractRetry, Blocking):
    """Attempts of a blocking caller."""

    def __init__(
        self,
        backoff: AbstractBackoff,
        retries: int,
        supported_errors: tuple[type[Exception], ...] = (ConnectionError, TimeoutError, socket.timeout),
    ) -> None:
        super().__init__(backoff, retries, supported_errors)

    def call_with_retry(
        self,
        do: Callable[[], T],
        fail: Callable[..., Any],
        is_retryable: Callable[[Exception], bool] | None = None,
        with_failure_count: bool = False,
    ) -> T:
        """Calls `do` until it returns; returns what it returned.

        fail: called with each error, and with the number of failures too if `with_failure_count` says so.
        is_retryable: returns False for an error that is to be raised at once.

        Raises the last error when no attempts are left.
        """
        self._backoff.reset()
        try:
            return do()
        except Exception as error:
            result: T = run(self._after(error, do, fail, is_retryable, with_failure_count))
            return result


def default_pauses() -> AbstractBackoff:
    """Half of each pause is certain: of pauses by chance alone some rows are over before any server has started again."""
    return EqualJitterBackoff(base=DEFAULT_RETRY_BASE, cap=DEFAULT_RETRY_CAP)


def default_retry() -> Retry:
    """A client's attempts where it was given none."""
    return Retry(default_pauses(), DEFAULT_RETRY_COUNT)
