"""Attempts of an asyncio caller after a failure."""

from __future__ import annotations

from ..backoff import AbstractBackoff
from ..exceptions import BusyLoadingError, CircuitOpenError, ConnectionError, ResponseError, TimeoutError
from ..retry import DEFAULT_RETRY_COUNT, AbstractRetry, default_pauses
from ..steps import Awaiting

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


def default_retry() -> Retry:
    """A client's attempts where it was given none."""
    return Retry(default_pauses(), DEFAULT_RETRY_COUNT)
