"""Listens to what sentinels publish of a change of master. Blocking and asyncio pools share it."""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Callable
from typing import Any

from ..exceptions import RedisError, TimeoutError
from ..steps import Operations, Steps
from .master_locator import LISTEN_SECONDS, SWITCHED, pause_before, switch_of


class SwitchSteps(Operations):
    """Tells a pool of a switch of its master as soon as a sentinel publishes it. It ends with the pool, or with `stop`."""

    # What each kind has of its own; what may wait is a step.

    #: The next message; None if there is none for LISTEN_SECONDS.
    _next: Callable[[], Any]
    #: Waits so many seconds, less if it is stopped.
    _pause: Callable[[float], Any]
    stop: Callable[[], None]

    def __init__(self, pool: Any, sentinel: Any) -> None:
        self._pool = weakref.ref(pool)
        self._service = pool.service_name
        source = sentinel.connection_pool
        self._connection = source.connection_class(**source.connection_kwargs)
        weakref.finalize(pool, self.stop)

    def _ended(self) -> bool:
        """Whether nobody is to be told any more."""
        return self._pool() is None

    def _listen(self) -> Steps[None]:
        """Listens until it has ended, again after the sentinel was lost."""
        failures = 0
        while not self._ended():
            try:
                yield self._connection.connect_once()
                failures = 0
                yield from self._messages()
            except (RedisError, OSError):
                failures += 1
            finally:
                yield self._connection._cut()
            yield self._pause(pause_before(failures))

    def _messages(self) -> Steps[None]:
        """Hears messages until it has ended. Raises TimeoutError if the sentinel is silent."""
        connection = self._connection
        yield connection.send_command("SUBSCRIBE", SWITCHED, check_health=False)
        asked = False
        while not self._ended():
            message = yield self._next()
            if message is not None:
                asked = False
                yield from self._tell(message)
            elif asked:
                raise TimeoutError(f"{connection._host_error()} did not reply to PING within {LISTEN_SECONDS} seconds")
            else:
                # A sentinel that is silent may be gone: its reply says that it is not.
                yield connection.send_command("PING", check_health=False)
                asked = True

    def _tell(self, message: Any) -> Steps[None]:
        # The pool is not kept alive by whoever waits for the next message.
        pool = self._pool()
        switch = switch_of(message, self._service)
        if pool is None:
            return
        if switch is not None:
            pool.switched(*switch)
        elif isinstance(message, list) and message and message[0] in (b"subscribe", "subscribe"):
            # What was published before is not heard.
            with contextlib.suppress(RedisError, OSError):
                yield pool.get_master_address()
