"""Attempts of an asyncio caller after a failure."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from ..exceptions import BusyLoadingError, CircuitOpenError, ConnectionError, ResponseError, TimeoutError
from ..session.backoff import AbstractBackoff
from ..session.retry import DEFAULT_RETRY_COUNT, AbstractRetry, default_pauses
from ..steps import Awaiting, run_async

T = TypeVar("T")

#: Errors before whose repetition a caller of the shared connection waits. Connecting again has a back-off of its own.
PAUSED = (BusyLoadingError, CircuitOpenError, TimeoutError, ResponseError)


class Retry(AbstractRetry, Awaiting):
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
        try:
            return await do()
        except Exception as error:
            result: T = await run_async(self._after(error, do, fail, is_retryable, with_failure_count))
            return result


def default_retry() -> Retry:
    """A client's attempts where it was given none."""
    return Retry(default_pauses(), DEFAULT_RETRY_COUNT)
