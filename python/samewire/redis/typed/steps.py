"""Operations without I/O: a generator yields commands and is sent their replies.

One definition of an operation serves blocking and asyncio clients. A step is one command (a tuple; its reply is sent back) or
several (a list; all replies are sent back, in order), which go out together. An error of a command is raised where it was yielded.
`OnClient` and `OnAsyncClient` are to such operations what `Blocking` and `Awaiting` are to others.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine, Generator, Iterable, Iterator
from typing import Any, Protocol, TypeAlias, TypeVar

from ..exceptions import RedisError
from ..steps import Awaiting, Blocking

R = TypeVar("R")

Command: TypeAlias = tuple[Any, ...]
Steps: TypeAlias = Generator[Command | list[Command], Any, R]


class Client(Protocol):
    """What typed values need of a blocking client: replies are bytes."""

    def execute_command(self, *args: Any, **options: Any) -> Any: ...
    def pipeline(self, transaction: bool = ..., shard_hint: Any = ...) -> Any: ...
    def pubsub(self, **options: Any) -> Any: ...
    def scan_iter(self, match: Any = ..., count: Any = ..., _type: Any = ...) -> Iterator[Any]: ...


class AsyncClient(Protocol):
    """What typed values need of an asyncio client: replies are bytes."""

    async def execute_command(self, *args: Any, **options: Any) -> Any: ...
    def pipeline(self, transaction: bool = ..., shard_hint: Any = ...) -> Any: ...
    def pubsub(self, **options: Any) -> Any: ...
    def scan_iter(self, match: Any = ..., count: Any = ..., _type: Any = ...) -> Any: ...


def integer(*command: Any) -> Steps[int]:
    """One command whose reply is an integer."""
    reply: int = yield command
    return reply


def run(client: Client, steps: Steps[R]) -> R:
    """Returns what an operation returns. Raises what its commands raise."""
    try:
        step = next(steps)
        while True:
            try:
                reply = client.execute_command(*step) if type(step) is tuple else _together(client, step)
            except RedisError as error:
                step = steps.throw(error)
            else:
                step = steps.send(reply)
    except StopIteration as done:
        result: R = done.value
        return result


def _together(client: Client, commands: Iterable[Command]) -> list[Any]:
    with client.pipeline(transaction=False) as pipe:
        for command in commands:
            pipe.execute_command(*command)
        replies: list[Any] = pipe.execute()
    return replies


async def run_async(client: AsyncClient, steps: Steps[R]) -> R:
    """As `run`, with an asyncio client."""
    try:
        step = next(steps)
        while True:
            try:
                reply = await (client.execute_command(*step) if type(step) is tuple else _together_async(client, step))
            except RedisError as error:
                step = steps.throw(error)
            else:
                step = steps.send(reply)
    except StopIteration as done:
        result: R = done.value
        return result


async def _together_async(client: AsyncClient, commands: Iterable[Command]) -> list[Any]:
    async with client.pipeline(transaction=False) as pipe:
        for command in commands:
            pipe.execute_command(*command)
        replies: list[Any] = await pipe.execute()
    return replies


class OnClient(Blocking):
    """Its operations send their commands with a blocking client."""

    _client: Client

    @staticmethod
    def _method_of(steps: Callable[..., Steps[R]]) -> Callable[..., R]:
        @functools.wraps(steps)
        def method(self: OnClient, *args: Any, **kwargs: Any) -> R:
            return run(self._client, steps(self, *args, **kwargs))

        return method


class OnAsyncClient(Awaiting):
    """Its operations send their commands with an asyncio client."""

    _client: AsyncClient

    @staticmethod
    def _method_of(steps: Callable[..., Steps[R]]) -> Callable[..., Coroutine[Any, Any, R]]:
        @functools.wraps(steps)
        async def method(self: OnAsyncClient, *args: Any, **kwargs: Any) -> R:
            return await run_async(self._client, steps(self, *args, **kwargs))

        return method
