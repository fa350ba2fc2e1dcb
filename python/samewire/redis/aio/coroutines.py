"""Methods of commands that redis-py writes as `async def`: those that ask `inspect.iscoroutinefunction` (mocks made after a class,
frameworks) find coroutine functions here, too. Other commands' methods return an awaitable, in both."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

C = TypeVar("C", bound=type)

#: Of every client, and of clients of clusters besides.
OF_CLIENTS = ("command_info", "debug_segfault", "memory_doctor", "memory_help", "script_debug", "shutdown")
OF_CLUSTERS = (
    "client_tracking_off",
    "client_tracking_on",
    "hotkeys_get",
    "hotkeys_reset",
    "hotkeys_start",
    "hotkeys_stop",
    "mget_nonatomic",
)


def with_coroutine_functions(*names: str) -> Callable[[C], C]:
    """Decorates a class: has coroutine functions in the place of methods that return an awaitable."""

    def decorate(cls: C) -> C:
        for name in names:
            setattr(cls, name, _coroutine_function(getattr(cls, name)))
        return cls

    return decorate


def with_methods_of(source: type, *names: str) -> Callable[[C], C]:
    """Decorates a pipeline's class: has the methods of another one, which only queue."""

    def decorate(cls: C) -> C:
        for name in names:
            setattr(cls, name, getattr(source, name))
        return cls

    return decorate


def _coroutine_function(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    async def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        return await method(self, *args, **kwargs)

    return call
