"""The Python objects that Java knows, and what gateway, client and callback server share."""

from __future__ import annotations

import os
from threading import RLock
from typing import Any

from .constants import ENTRY_POINT_OBJECT_ID, PYTHON_PROXY_PREFIX
from .log import logger


class PythonProxyPool:
    """Python objects by the identifiers that Java calls them by. All threads may use it.

    The first number is random. A JVM with Py4J's jar sends the releases of an earlier program's objects to the current
    program. An equal identifier here would release a living object, and its next call would fail.
    """

    def __init__(self) -> None:
        self.lock = RLock()
        self.dict: dict[str, Any] = {}
        self.next_id = int.from_bytes(os.urandom(6), "big")

    def put(self, object: Any, force_id: str | None = None) -> str:
        """Adds an object, and returns its identifier: a new one unless `force_id` is given."""
        with self.lock:
            identifier = force_id
            if not identifier:
                identifier = f"{PYTHON_PROXY_PREFIX}{self.next_id}"
                self.next_id += 1
            self.dict[identifier] = object
        return identifier

    def __getitem__(self, key: str) -> Any:
        with self.lock:
            return self.dict[key]

    def __delitem__(self, key: str) -> None:
        with self.lock:
            del self.dict[key]

    def clear(self) -> None:
        """Drops all."""
        with self.lock:
            self.dict.clear()

    def __contains__(self, key: object) -> bool:
        with self.lock:
            return key in self.dict

    def __len__(self) -> int:
        with self.lock:
            return len(self.dict)


class GatewayProperty:
    """What a gateway, its client and its callback server have in common."""

    def __init__(self, auto_field: bool, pool: Any, enable_memory_management: bool = True) -> None:
        self.auto_field = auto_field
        self.pool = pool
        self.enable_memory_management = enable_memory_management


def _garbage_collect_proxy(pool: Any, proxy_id: str) -> bool:
    """Removes an object from a pool, unless it is the entry point; returns whether it was there."""
    if proxy_id == ENTRY_POINT_OBJECT_ID:
        return False
    try:
        del pool[proxy_id]
    except KeyError:
        logger.warning("Tried to garbage collect non existing python proxy %s", proxy_id)
        return False
    return True
