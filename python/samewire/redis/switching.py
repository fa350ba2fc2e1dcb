"""Listens to what sentinels say of a change of master, for blocking callers: one thread for each sentinel of a pool."""

from __future__ import annotations

import contextlib
import threading
import weakref
from typing import Any

from .exceptions import RedisError, TimeoutError
from .watching import LISTEN_SECONDS, SWITCHED, pause_before, switch_of


class SwitchListener(threading.Thread):
    """Tells a pool of a switch of its master as soon as a sentinel publishes it. It ends with the pool, or with `stop`."""

    def __init__(self, pool: Any, sentinel: Any) -> None:
        super().__init__(name=f"samewire-sentinel-{pool.service_name}", daemon=True)
        self._pool = weakref.ref(pool)
        self._service = pool.service_name
        source = sentinel.connection_pool
        self._connection = source.connection_class(**source.connection_kwargs)
        self._ended = threading.Event()
        weakref.finalize(pool, self.stop)

    def stop(self) -> None:
        """Ends the thread."""
        self._ended.set()
        with contextlib.suppress(Exception):
            # Wakes it where it waits for the sentinel.
            self._connection.disconnect()

    def run(self) -> None:
        failures = 0
        while not self._ended.is_set():
            try:
                self._connection.connect_once()
                failures = 0
                self._listen()
            except (RedisError, OSError):
                failures += 1
            self._connection.disconnect()
            self._ended.wait(pause_before(failures))

    def _listen(self) -> None:
        connection = self._connection
        connection.send_command("SUBSCRIBE", SWITCHED)
        asked = False
        while not self._ended.is_set():
            try:
                message = connection.read_response(timeout=LISTEN_SECONDS, disconnect_on_error=False, push_request=True)
            except TimeoutError:
                if asked or not connection.is_connected:
                    raise
                # A sentinel that is silent may be gone: its reply says that it is not.
                connection.send_command("PING", check_health=False)
                asked = True
                continue
            asked = False
            self._tell(message)

    def _tell(self, message: Any) -> None:
        pool = self._pool()
        if pool is None:
            self._ended.set()
            return
        switch = switch_of(message, self._service)
        if switch is not None:
            pool.switched(*switch)
        elif isinstance(message, list) and message and message[0] in (b"subscribe", "subscribe"):
            # What was published before is not heard.
            with contextlib.suppress(RedisError, OSError):
                pool.get_master_address()
