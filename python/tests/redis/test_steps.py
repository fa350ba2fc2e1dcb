"""Operations that a blocking class and its asyncio twin share: each kind has methods of its own kind in their place."""

from __future__ import annotations

import asyncio
import functools
import gc
import inspect
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import pytest
from samewire.redis import steps as module
from samewire.redis.steps import Awaiting, Blocking, Operations, Steps, operation


class AccountSteps(Operations):
    """Adds what a source gives."""

    def __init__(self, *gives: Any) -> None:
        self.gives: Iterator[Any] = iter(gives)
        self.seen: list[str] = []

    def _give(self) -> Any:
        raise NotImplementedError

    @operation
    def one(self, factor: int = 1) -> Steps[int]:
        """What the source gives next."""
        given: int = yield self._give()
        return given * factor

    @operation
    def total(self, least: int) -> Steps[int]:
        """Adds until the sum is large enough."""
        found = 0
        while found < least:
            found += yield self.one()
        return found

    @operation
    def safe(self) -> Steps[str]:
        """What the source gives, whatever it raises."""
        try:
            return str((yield self._give()))
        except ValueError as error:
            yield self._sleep(0)
            return f"no value: {error}"
        finally:
            self.seen.append("ended")

    @operation
    def guarded(self) -> Steps[None]:
        """Undoes what it has begun if it is interrupted."""
        self.seen.append("begun")
        try:
            yield self._give()
            yield self._give()
        except BaseException:
            yield self._give()
            self.seen.append("undone")
            raise
        finally:
            self.seen.append("ended")


class Account(AccountSteps, Blocking):
    """The blocking kind."""

    def _give(self) -> Any:
        given = next(self.gives)
        if isinstance(given, Exception):
            raise given
        return given


class AsyncAccount(AccountSteps, Awaiting):
    """The asyncio kind."""

    async def _give(self) -> Any:
        await asyncio.sleep(0)
        given = next(self.gives)
        if isinstance(given, Exception):
            raise given
        return given


class Doubled(Account):
    """Has a method of its own in the place of an operation."""

    def one(self, factor: int = 1) -> int:
        return super().one(2 * factor)


class AsyncDoubled(AsyncAccount):
    """Has a coroutine of its own in the place of an operation."""

    async def one(self, factor: int = 1) -> int:
        return await super().one(2 * factor)


def test_both_kinds_return_what_the_steps_return() -> None:
    assert Account(1, 2, 3).total(3) == 3
    assert asyncio.run(AsyncAccount(1, 2, 3).total(least=6)) == 6
    assert Account(4).one(factor=2) == 8


def test_a_method_of_a_subclass_takes_the_place_of_an_operation() -> None:
    assert Doubled(1, 2).total(6) == 6
    assert asyncio.run(AsyncDoubled(1, 2).total(6)) == 6


def test_errors_are_raised_where_the_step_was_yielded() -> None:
    blocking, awaiting = Account(ValueError("odd")), AsyncAccount(ValueError("odd"))
    assert blocking.safe() == asyncio.run(awaiting.safe()) == "no value: odd"
    assert blocking.seen == awaiting.seen == ["ended"]
    with pytest.raises(KeyError, match="other"):
        Account(KeyError("other")).safe()
    with pytest.raises(KeyError, match="other"):
        asyncio.run(AsyncAccount(KeyError("other")).safe())


def test_a_cancelled_operation_ends_its_steps() -> None:
    class Waits(AsyncAccount):
        """Never gives anything."""

        async def _give(self) -> Any:
            await asyncio.get_running_loop().create_future()

    async def main() -> None:
        account = Waits()
        task = asyncio.create_task(account.safe())
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert account.seen == ["ended"]

    asyncio.run(main())


def interrupted(at: int, call: Callable[[], object]) -> bool:
    """Calls, and interrupts it at the bytecode of that number that what runs the steps executes; False if it has fewer."""
    executed = 0

    def count(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal executed
        executed += event == "opcode"
        if executed == at:
            raise KeyboardInterrupt
        return count

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename != module.__file__:
            return None
        frame.f_trace_opcodes = True
        return count

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
        return False
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)


class AtOnce(AsyncAccount):
    """Needs no event loop."""

    async def _give(self) -> Any:
        return next(self.gives)


def without_a_loop(account: AtOnce) -> None:
    with pytest.raises(StopIteration):
        account.guarded().send(None)


# A coroutine that was made when the interrupt came is never awaited.
@pytest.mark.filterwarnings("ignore:coroutine .* was never awaited:RuntimeWarning")
@pytest.mark.parametrize(("kind", "call"), [(Account, Account.guarded), (AtOnce, without_a_loop)])
def test_an_interrupted_operation_ends_its_steps_wherever_it_is(
    kind: type[AccountSteps], call: Callable[[Any], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    unraisable: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", unraisable.append)
    for at in range(1, 1000):
        account = kind(1, 2, 3)
        again = interrupted(at, functools.partial(call, account))
        gc.collect()
        assert account.seen in (["begun", "undone", "ended"], ["begun", "ended"], []), at
        if not again:
            break
    assert at > 5
    assert not unraisable


def test_a_programs_own_stop_iteration_comes_out() -> None:
    with pytest.raises(StopIteration):
        Account().one()
    account = Account(StopIteration("mine"))
    with pytest.raises(StopIteration, match="mine"):
        account.safe()
    assert account.seen == ["ended"]
    with pytest.raises(RuntimeError, match="another"):
        Account(RuntimeError("another")).one()


def test_methods_look_like_those_that_are_written_by_hand() -> None:
    assert inspect.isfunction(Account.one)
    assert not inspect.iscoroutinefunction(Account.one)
    assert inspect.iscoroutinefunction(AsyncAccount.one)
    for kind in (Account, AsyncAccount):
        assert kind.one.__doc__ == "What the source gives next."
        assert list(inspect.signature(kind.one).parameters) == ["self", "factor"]
