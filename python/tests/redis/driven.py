"""Drives what is for asyncio like what blocks, so that one test holds for both."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
from collections.abc import Callable, Iterator
from typing import Any, Self

from samewire.redis import aio
from samewire.redis.client import Client


class Driven:
    """An asyncio object whose coroutine functions wait, as do those of what they return."""

    def __init__(self, made: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._made = made
        self._loop = loop

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._made, name)
        return self._waiting(found) if callable(found) else found

    def __len__(self) -> int:
        return len(self._made)

    def __bool__(self) -> bool:
        return bool(self._made)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._waiting(self._made)(*args, **kwargs)

    def __enter__(self) -> Self:
        self._loop.run_until_complete(self._made.__aenter__())
        return self

    def __exit__(self, *error: object) -> None:
        self._loop.run_until_complete(self._made.__aexit__(*error))

    def __next__(self) -> Any:
        return self._loop.run_until_complete(anext(self._made))

    def _waiting(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            # Within the loop: some look for the one that runs.
            result = self._loop.run_until_complete(self._called(function, args, kwargs))
            ours = type(result).__module__.startswith("samewire.redis.") or inspect.isasyncgen(result)
            return Driven(result, self._loop) if ours else result

        return call

    async def _called(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        result = function(*args, **kwargs)
        return await result if inspect.isawaitable(result) else result


@contextlib.contextmanager
def client_of(kind: str, port: int, **options: Any) -> Iterator[Any]:
    """A client of either kind; what is for asyncio is driven."""
    if kind == "blocking":
        with Client[bytes](port=port, **options) as blocking:
            yield blocking
        return
    with asyncio.Runner() as runner, Driven(aio.Client(port=port, **options), runner.get_loop()) as driven:
        yield driven
