"""What `Retry` decides: how many attempts, after which errors, how long between them; alike for blocking and asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from samewire.redis import retry as blocking
from samewire.redis.aio import retry as aio
from samewire.redis.backoff import ConstantBackoff, ExponentialBackoff, NoBackoff
from samewire.redis.exceptions import AuthenticationError, ConnectionError, ResponseError, TimeoutError

Attempts = Callable[..., list[Exception]]


def run_blocking(policy: Any, errors: list[Exception], **options: Any) -> list[Exception]:
    failed: list[Exception] = []

    def do() -> None:
        if errors:
            raise errors.pop(0)

    blocking.Retry(*policy).call_with_retry(do, failed.append, **options)
    return failed


def run_aio(policy: Any, errors: list[Exception], **options: Any) -> list[Exception]:
    failed: list[Exception] = []

    async def do() -> None:
        if errors:
            raise errors.pop(0)

    asyncio.run(aio.Retry(*policy).call_with_retry(do, failed.append, **options))
    return failed


@pytest.fixture(params=[run_blocking, run_aio], ids=["blocking", "aio"])
def attempts(request: pytest.FixtureRequest) -> Attempts:
    made: Attempts = request.param
    return made


def test_as_many_attempts_follow_as_there_are_retries(attempts: Attempts) -> None:
    first, second = ConnectionError("first"), TimeoutError("second")
    assert attempts((NoBackoff(), 2), [first, second]) == [first, second]
    with pytest.raises(TimeoutError, match="second"):
        attempts((NoBackoff(), 1), [first, second])
    assert len(attempts((NoBackoff(), -1), [ConnectionError("lost")] * 50)) == 50


def test_other_errors_and_final_ones_are_raised_at_once(attempts: Attempts) -> None:
    for error in (ResponseError("ERR"), AuthenticationError("WRONGPASS"), ValueError("bug")):
        with pytest.raises(type(error)):
            attempts((NoBackoff(), 3), [error])
    assert len(attempts((NoBackoff(), 3, (AuthenticationError,)), [AuthenticationError("WRONGPASS")])) == 1
    with pytest.raises(ConnectionError):
        attempts((NoBackoff(), 3), [ConnectionError("lost")], is_retryable=lambda error: False)


def test_the_policy_is_asked_with_the_number_of_failures(attempts: Attempts, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []

    async def sleep(_: object, seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(blocking.Retry, "_sleep", lambda _, seconds: waited.append(seconds))
    monkeypatch.setattr(aio.Retry, "_sleep", sleep)
    attempts((ExponentialBackoff(cap=10, base=1), 3), [ConnectionError("lost")] * 3)
    assert waited == [2, 4, 8]


def test_policies_are_equal_by_what_they_decide() -> None:
    made = blocking.Retry(ConstantBackoff(1), 3)
    assert made == blocking.Retry(ConstantBackoff(1), 3)
    assert hash(made) == hash(blocking.Retry(ConstantBackoff(1), 3))
    assert made != blocking.Retry(ConstantBackoff(2), 3)
    assert made != blocking.Retry(ConstantBackoff(1), 4)
    assert made != blocking.Retry(ConstantBackoff(1), 3, (ValueError,))
    assert made != aio.Retry(ConstantBackoff(1), 3, (ConnectionError, TimeoutError))
