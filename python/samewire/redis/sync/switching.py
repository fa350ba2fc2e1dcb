"""Listens to sentinels for blocking callers: one thread for each sentinel of a pool."""

from __future__ import annotations

import contextlib
import threading
from typing import Any

from ..exceptions import TimeoutError
from ..sentinel.master_locator import LISTEN_SECONDS
from ..sentinel.switching import SwitchSteps
from ..steps import Blocking, run


class SwitchListener(SwitchSteps, Blocking, threading.Thread):
    __doc__ = SwitchSteps.__doc__

    def __init__(self, pool: Any, sentinel: Any) -> None:
        threading.Thread.__init__(self, name=f"samewire-sentinel-{pool.service_name}", daemon=True)
        self._stops = threading.Event()
        super().__init__(pool, sentinel)

    def run(self) -> None:
        run(self._listen())

    def stop(self) -> None:
        """Ends the thread."""
        self._stops.set()
        with contextlib.suppress(Exception):
            # Wakes it where it waits for the sentinel.
            self._connection.disconnect()

    def _ended(self) -> bool:
        return self._stops.is_set() or super()._ended()

    def _pause(self, seconds: float) -> None:
        self._stops.wait(seconds)

    def _next(self) -> Any:
        connection = self._connection
        try:
            return connection.read_response(timeout=LISTEN_SECONDS, disconnect_on_error=False, push_request=True)
        except TimeoutError:
            if not connection.is_connected:
                raise
            return None
