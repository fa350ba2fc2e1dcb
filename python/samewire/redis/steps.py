"""Operations that a blocking class and its asyncio twin share: each is written once, as a generator of steps.

A step is what a method of the twin's own kind returned: `reply = yield self.redis.get(name)`. A blocking method has waited by
then, so its result is sent back as it is. The coroutine of an asyncio method is awaited first; its error is raised where it was
yielded. So steps read like a coroutine with `yield` in the place of `await`; `yield from` runs other steps within.

    class CounterSteps(Operations):
        @operation
        def next(self) -> Steps[int]:
            reply: int = yield self.redis.incr(self.name)
            return reply

    class Counter(CounterSteps, Blocking): ...       # next() returns an int
    class AsyncCounter(CounterSteps, Awaiting): ...  # next() is a coroutine function

What is called for each command or message is not an operation: a class of either kind has it directly, and leaves to steps what
follows a failure. The kind is the last base: a class that is a client besides has its own methods before those of its kind.
"""

from __future__ import annotations

import functools
import inspect
import time
from collections.abc import Callable, Coroutine, Generator, Iterable
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeAlias, TypeVar, overload

from samewire._native import run_steps

P = ParamSpec("P")
R = TypeVar("R")

Steps: TypeAlias = Generator[Any, Any, R]


def run(steps: Steps[R]) -> R:
    """Returns what steps return whose methods block."""
    try:
        return run_steps(steps)
    except RuntimeError as error:
        # What a program's own function raised: generators turn it into this (PEP 479).
        if isinstance(error.__cause__, StopIteration):
            raise error.__cause__ from None
        raise


async def run_async(steps: Steps[R]) -> R:
    """Awaits each step, and returns what the steps return."""
    started: Any = steps
    resume: Callable[[Any], Any] = steps.send
    given: Any = None
    while True:
        try:
            while True:
                given = await resume(given)
                resume = steps.send
        except StopIteration as done:
            result: R = done.value
            return result
        except BaseException as error:
            # The error's traceback leads to this frame.
            given = None
            if started.gi_frame is None:
                # The steps have ended with it.
                raise
            # A cancellation, and what a handler of signals raised here, too: what the steps end with must happen.
            resume, given = steps.throw, error


class Operation(Generic[P, R]):
    """An operation of a class that is of neither kind. `Blocking` and `Awaiting` classes have a method in its place."""

    def __init__(self, steps: Callable[Concatenate[Any, P], Steps[R]]) -> None:
        self.steps = steps

    @overload
    def __get__(self, one: None, owner: type) -> Callable[Concatenate[Any, P], Any]: ...
    @overload
    def __get__(self, one: Blocking, owner: type) -> Callable[P, R]: ...
    @overload
    def __get__(self, one: Awaiting, owner: type) -> Callable[P, Coroutine[Any, Any, R]]: ...
    @overload
    def __get__(self, one: object, owner: type) -> Callable[P, Any]: ...
    def __get__(self, one: object, owner: type) -> Callable[..., Any]:
        """The steps; for the type checker the method that stands in its place."""
        return self.steps if one is None else functools.partial(self.steps, one)


def operation(steps: Callable[Concatenate[Any, P], Steps[R]]) -> Operation[P, R]:
    """Makes an operation of a generator function."""
    return Operation(steps)


class Operations:
    """What has operations, of whichever kind it will be."""

    def _sleep(self, seconds: float) -> Any:
        """A step that takes so many seconds."""
        raise NotImplementedError

    def _outcome(self, value: Any) -> Any:
        """A step: what a program's own function returned, which may have to be awaited."""
        raise NotImplementedError

    def _together(self, calls: Iterable[Callable[[], Any]]) -> Any:
        """A step: what calls return, made at the same time by asyncio. Raises the first error."""
        raise NotImplementedError

    def _now(self) -> float:
        """Seconds of the clock that steps wait by."""
        raise NotImplementedError


class Blocking(Operations):
    """Its operations are methods that wait."""

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        _replace_operations(cls, cls._method_of)

    @staticmethod
    def _method_of(steps: Callable[..., Steps[R]]) -> Callable[..., R]:
        """The method in the place of an operation."""

        @functools.wraps(steps)
        def method(*args: Any, **kwargs: Any) -> R:
            return run(steps(*args, **kwargs))

        return method

    def _sleep(self, seconds: float) -> Any:
        time.sleep(seconds)

    def _outcome(self, value: Any) -> Any:
        return value

    def _together(self, calls: Iterable[Callable[[], Any]]) -> list[Any]:
        return [call() for call in calls]

    def _now(self) -> float:
        return time.monotonic()


class Awaiting(Operations):
    """Its operations are coroutine functions."""

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        _replace_operations(cls, cls._method_of)

    @staticmethod
    def _method_of(steps: Callable[..., Steps[R]]) -> Callable[..., Coroutine[Any, Any, R]]:
        """The coroutine function in the place of an operation."""

        @functools.wraps(steps)
        async def method(*args: Any, **kwargs: Any) -> R:
            return await run_async(steps(*args, **kwargs))

        return method

    async def _sleep(self, seconds: float) -> Any:
        # Blocking clients do not load asyncio.
        from asyncio import sleep

        await sleep(seconds)

    async def _outcome(self, value: Any) -> Any:
        return await value if inspect.isawaitable(value) else value

    async def _together(self, calls: Iterable[Callable[[], Any]]) -> list[Any]:
        from asyncio import gather

        return await gather(*(call() for call in calls))

    def _now(self) -> float:
        from asyncio import get_running_loop

        return get_running_loop().time()


class Closing:
    """What the end of a `with` block closes."""

    close: Callable[[], Any]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClosing:
    """What the end of an `async with` block closes."""

    aclose: Callable[[], Coroutine[Any, Any, None]]

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


def _replace_operations(cls: type, method: Callable[[Callable[..., Steps[Any]]], Callable[..., Any]]) -> None:
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        found.update(vars(base))
    for name, value in found.items():
        if isinstance(value, Operation):
            setattr(cls, name, method(value.steps))
