"""The circuit breaker, back-offs and the times of blocking commands: what needs no server."""

from __future__ import annotations

import copy
import pickle

import pytest
from samewire.redis import backoff
from samewire.redis.breaker import CircuitBreaker
from samewire.redis.exceptions import AuthenticationError, ConnectionError, TimeoutError
from samewire.redis.retry import Retry
from samewire.redis.waiting import server_waits


def test_opens_after_failures_in_a_row_and_lets_one_try_at_a_time() -> None:
    breaker = CircuitBreaker(failures=2, reset_after=10)
    assert breaker.refuses(0) == 0
    assert not breaker.failed(0)
    breaker.succeeded()
    assert not breaker.failed(0)
    assert breaker.failed(0)
    left = breaker.refuses(0)
    assert 5 <= left <= 15
    assert breaker.refuses(left - 0.1) > 0
    # One caller may try, and the others wait for what becomes of it.
    assert breaker.refuses(left) == 0
    assert breaker.refuses(left) > 0
    assert not breaker.failed(left + 1)
    assert breaker.refuses(left + 2) > 0
    breaker.succeeded()
    assert breaker.refuses(left + 2) == 0


def test_its_copies_begin_closed() -> None:
    breaker = CircuitBreaker(failures=1, reset_after=3)
    breaker.failed(0)
    for made in (copy.deepcopy(breaker), pickle.loads(pickle.dumps(breaker))):
        assert (made.failures, made.reset_after, made.open) == (1, 3, False)
    with pytest.raises(ValueError, match="at least 1 failure"):
        CircuitBreaker(failures=0)


@pytest.mark.parametrize(
    ("policy", "least", "most"),
    [
        (backoff.NoBackoff(), 0, 0),
        (backoff.ConstantBackoff(2), 2, 2),
        (backoff.ExponentialBackoff(cap=10, base=1), 8, 8),
        (backoff.FullJitterBackoff(cap=10, base=1), 0, 8),
        (backoff.EqualJitterBackoff(cap=10, base=1), 4, 8),
        (backoff.ExponentialWithJitterBackoff(cap=10, base=1), 0, 8),
        (backoff.DecorrelatedJitterBackoff(cap=10, base=1), 1, 3),
    ],
)
def test_backoffs_stay_in_their_bounds(policy: backoff.AbstractBackoff, least: float, most: float) -> None:
    for _ in range(50):
        policy.reset()
        assert least <= policy.compute(3) <= most
        assert policy.compute(10_000) <= 10
    assert policy == copy.deepcopy(policy)
    assert hash(policy) == hash(copy.deepcopy(policy))


def test_attempts_end_and_final_errors_are_not_tried_again() -> None:
    calls: list[int] = []

    def fail(error: Exception) -> None:
        def do() -> None:
            calls.append(1)
            raise error

        with pytest.raises(type(error)):
            Retry(backoff.NoBackoff(), 3).call_with_retry(do, lambda _: None)

    fail(ConnectionError("lost"))
    assert len(calls) == 4
    fail(AuthenticationError("wrong"))
    assert len(calls) == 5
    fail(ValueError("other"))
    assert len(calls) == 6
    retry = Retry(backoff.NoBackoff(), -1)
    counted: list[int] = []

    def until_ten() -> int:
        if len(counted) < 10:
            raise TimeoutError("late")
        return len(counted)

    assert retry.call_with_retry(until_ten, lambda _, failures: counted.append(failures), with_failure_count=True) == 10
    assert counted == list(range(1, 11))
    retry.update_supported_errors([ValueError])
    assert retry.supports(ValueError())
    assert retry != Retry(backoff.NoBackoff(), -1)


@pytest.mark.parametrize(
    ("args", "seconds"),
    [
        (("BLPOP", "a", "b", 5), 5.0),
        (("BLPOP", "a", 0), None),
        (("BLMPOP", "1.5", 1, "k", "LEFT"), 1.5),
        (("WAIT", 1, 100), 0.1),
        (("XREAD", "COUNT", 1, "BLOCK", 200, "STREAMS", "block", "$"), 0.2),
        (("XREAD", "BLOCK", 0, "STREAMS", "s", "$"), None),
        (("XREAD", "STREAMS", "block", "$"), 0.0),
        (("XREADGROUP", "GROUP", b"g", b"c", b"block", b"7", "STREAMS", "s", ">"), 0.007),
        (("BLPOP", "a", "soon"), 0.0),
        (("BLMPOP",), 0.0),
    ],
)
def test_how_long_a_server_may_wait(args: tuple[object, ...], seconds: float | None) -> None:
    assert server_waits(str(args[0]), args) == seconds
