"""Attempts of an asyncio caller after a failure."""

from __future__ import annotations

from asyncio import sleep
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from ..backoff import AbstractBackoff
from ..exceptions import BusyLoadingError, CircuitOpenError, ConnectionError, ResponseError, TimeoutError
from ..retry import DEFAULT_RETRY_COUNT, AbstractRetry, Failures, default_pauses

T = TypeVar("T")

#: Errors before whose repetition a caller of the shared connection waits. Connecting again has a back-off of its own.
PAUSED = (BusyLoadingError, CircuitOpenError, TimeoutError, ResponseError)


class Retry(AbstractRetry):
    """How many attempts follow a failure, after which errors, and how long to wait between them."""

    def __init__(
        self,
        backoff: AbstractBackoff,
        retries: int,
        supported_errors: tuple[type[Exception], ...] = (ConnectionError, TimeoutError),
    ) -> None:
        super().__init__(backoff, retries, supported_errors)

    async def call_with_retry(
        self,
        do: Callable[[], Awaitable[T]],
        fail: Callable[..., Any],
        is_retryable: Callable[[Exception], bool] | None = None,
        with_failure_count: bool = False,
    ) -> T:
        """Awaits `do()` until it returns; returns what it returned.

        fail: called and awaited with each error, and with the number of failures too if `with_failure_count` says so.
        is_retryable: returns False for an error that is to be raised at once.

        Raises the last error when no attempts are left.
        """
        self._backoff.reset()
        failures = Failures()
        alike = 0
        last: Exception | None = None
        while True:
            if last is not None:
                await self.pause(alike, last)
            try:
                return await do()
            except Exception as error:
                if not self.may_follow(error, is_retryable):
                    raise
                alike = failures.add(error)
                last = error
                failed = fail(error, failures.count) if with_failure_count else fail(error)
                if hasattr(failed, "__await__"):
                    await failed
                if self.exhausted(alike):
                    raise

    async def pause(self, failures: int, error: Exception | None = None) -> None:
        """Waits before the attempt after so many failures of the kind of `error`, which was the last."""
        seconds = self.seconds_before(failures, error)
        if seconds > 0:
            await sleep(seconds)


def default_retry() -> Retry:
    """A client's attempts where it was given none."""
    return Retry(default_pauses(), DEFAULT_RETRY_COUNT)
