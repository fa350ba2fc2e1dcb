"""What a client of one server and one of a cluster do with several commands. Blocking and asyncio clients share it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from .exceptions import WatchError
from .steps import Operations, Steps, operation

L = TypeVar("L")


class ClientSteps(Operations, Generic[L]):
    """Transactions and locks."""

    #: The class of locks.
    _lock_class: Callable[..., L]

    @operation
    def transaction(
        self,
        func: Callable[[Any], Any],
        *watches: Any,
        shard_hint: object = None,
        value_from_callable: bool = False,
        watch_delay: float | None = None,
    ) -> Steps[Any]:
        """Calls `func` with a pipeline that watches keys, and executes what it queued; again while they are changed meanwhile.

        func: reads keys at once, calls `multi`, and queues commands. That of an asyncio client may be a coroutine function.
        value_from_callable: returns what `func` returned, instead of the replies.
        watch_delay: seconds to wait before it is called again.
        """
        client: Any = self
        pipe = client.pipeline(True, shard_hint)
        try:
            while True:
                try:
                    if watches:
                        yield pipe.watch(*watches)
                    value = yield self._outcome(func(pipe))
                    replies = yield pipe.execute()
                    return value if value_from_callable else replies
                except WatchError:
                    yield pipe.reset()
                    if watch_delay:
                        yield self._sleep(watch_delay)
        finally:
            yield pipe.reset()

    def lock(
        self,
        name: Any,
        timeout: float | None = None,
        sleep: float = 0.1,
        blocking: bool = True,
        blocking_timeout: float | None = None,
        lock_class: Callable[..., L] | None = None,
        thread_local: bool = True,
        raise_on_release_error: bool = True,
    ) -> L:
        """A lock that processes and machines share (`lock.Lock` has the arguments)."""
        return (lock_class or self._lock_class)(
            self,
            name,
            timeout=timeout,
            sleep=sleep,
            blocking=blocking,
            blocking_timeout=blocking_timeout,
            thread_local=thread_local,
            raise_on_release_error=raise_on_release_error,
        )
