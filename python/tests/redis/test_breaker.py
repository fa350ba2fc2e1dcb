"""The circuit breaker, back-offs and the times of blocking commands: what needs no server."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
import samewire.redis
import samewire.redis.aio
from samewire.redis import backoff
from samewire.redis.breaker import CircuitBreaker
from samewire.redis.exceptions import AuthenticationError, CircuitOpenError, ConnectionError, TimeoutError
from samewire.redis.retry import Retry
from samewire.redis.rules.blocking import server_waits


def test_it_opens_after_time_whatever_the_number_of_callers() -> None:
    breaker = CircuitBreaker(after=2, reset_after=10)
    assert breaker.refuses(0) == 0
    for _ in range(1000):
        breaker.failed("server", 0, 1)
    assert bool(breaker.open) is False
    breaker.failed("server", 1.5, 2)
    assert breaker.open
    left = breaker.refuses(2)
    assert 5 <= left <= 15
    with pytest.raises(CircuitOpenError, match=r"server could not be reached for 2\.0 s") as caught:
        breaker.check("server", 2)
    assert caught.value.retry_in == left
    # One caller may try, and no other until it has failed or succeeded.
    assert breaker.refuses(2 + left) == 0
    assert breaker.refuses(2 + left) > 0
    breaker.failed("server", 2 + left, 2 + left)
    assert breaker.refuses(2 + left) > 0
    breaker.succeeded()
    assert breaker.refuses(2 + left) == 0


def test_failures_far_apart_are_no_row() -> None:
    breaker = CircuitBreaker(after=2, reset_after=10)
    breaker.failed("server", 0, 0)
    breaker.failed("server", 100, 101)
    assert not breaker.open
    breaker.succeeded()
    breaker.failed("server", 101, 102.5)
    assert not breaker.open


def test_a_copy_begins_closed() -> None:
    breaker = CircuitBreaker(after=1, reset_after=3)
    breaker.failed("server", 0, 1)
    assert breaker.open
    for made in (copy.deepcopy(breaker), pickle.loads(pickle.dumps(breaker))):
        assert (made.after, made.reset_after, made.open) == (1, 3, False)
    for wrong in ((0, 1), (float("nan"), 1), (1, -1)):
        with pytest.raises(ValueError, match="expected more than 0 seconds"):
            CircuitBreaker(*wrong)


@pytest.mark.parametrize("package", [samewire.redis, samewire.redis.aio])
def test_there_is_none_unless_asked_for(package: Any) -> None:
    assert package.Redis().connection_pool.breaker is None
    assert package.ConnectionPool().breaker is None
    assert package.BlockingConnectionPool().breaker is None
    assert package.Redis.from_url("redis://localhost").connection_pool.breaker is None
    assert package.Redis(breaker=3).connection_pool.breaker.after == 3
    assert package.Redis.from_url("redis://localhost?breaker=2.5").connection_pool.breaker.after == 2.5
    shared = CircuitBreaker()
    assert package.Redis(breaker=shared).connection_pool.breaker is shared
    with pytest.raises(TypeError, match="breaker is True: expected seconds"):
        package.Redis(breaker=True)


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
