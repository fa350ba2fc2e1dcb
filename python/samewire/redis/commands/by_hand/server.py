"""Methods on the server that are written by hand."""

from __future__ import annotations

from collections.abc import Awaitable
from inspect import isawaitable
from typing import Any

from samewire.redis.commands.executes import Executes
from samewire.redis.commands.values import exclusive, together
from samewire.redis.exceptions import ConnectionError, DataError, RedisError
from samewire.redis.typing import KeyT, Number


def bgsave(self: Executes, schedule: bool = True, **kwargs: Any) -> Any:
    """Saves the data in the background, after a rewrite of the log that is under way (BGSAVE)."""
    return self.execute_command("BGSAVE", *(("SCHEDULE",) if schedule else ()), **kwargs)


def debug_object(self: Executes, key: KeyT, **kwargs: Any) -> Any:
    """Returns how the server holds a key (DEBUG OBJECT; servers refuse it unless they are configured to allow it)."""
    return self.execute_command("DEBUG OBJECT", key, **kwargs)


def failover(
    self: Executes,
    host: str | None = None,
    port: int | None = None,
    force: bool = False,
    abort: bool = False,
    timeout: int | None = None,
) -> Any:
    """Makes a replica the primary and this server its replica (FAILOVER).

    host, port: which replica; else the one that has most of the data.
    timeout: milliseconds for the replica to catch up; with `force` it takes over nevertheless when they are over.
    """
    if (host is None) != (port is None):
        raise together("host", "port")
    pieces: list[Any] = ["FAILOVER"]
    if host is not None:
        pieces += ("TO", host, port)
        if force:
            pieces.append("FORCE")
    elif force:
        raise DataError("force needs host and port: the server forces a failover to a certain replica only")
    if abort:
        pieces.append("ABORT")
    if timeout is not None:
        pieces += ("TIMEOUT", timeout)
    return self.execute_command(*pieces)


def info(self: Executes, section: str | None = None, *args: str, **kwargs: Any) -> Any:
    """Returns what the server tells of itself: all of it, or some sections (INFO)."""
    if section is None:
        return self.execute_command("INFO", **kwargs)
    return self.execute_command("INFO", section, *args, **kwargs)


def lolwut(self: Executes, *version_numbers: Number, **kwargs: Any) -> Any:
    """Returns a piece of computer art and the server's version (LOLWUT)."""
    if version_numbers:
        return self.execute_command("LOLWUT VERSION", *version_numbers, **kwargs)
    return self.execute_command("LOLWUT", **kwargs)


def replicaof(self: Executes, *args: Any, **kwargs: Any) -> Any:
    """Makes the server a replica of the one with this host and port; after "NO", "ONE" a primary (REPLICAOF)."""
    return self.execute_command("REPLICAOF", *args, **kwargs)


def shutdown(
    self: Executes,
    save: bool = False,
    nosave: bool = False,
    now: bool = False,
    force: bool = False,
    abort: bool = False,
    **kwargs: Any,
) -> Any:
    """Ends the server (SHUTDOWN). Raises RedisError if it replies instead."""
    if save and nosave:
        raise exclusive("save", "nosave")
    flags = {"SAVE": save, "NOSAVE": nosave, "NOW": now, "FORCE": force, "ABORT": abort}
    try:
        reply = self.execute_command("SHUTDOWN", *(word for word, wanted in flags.items() if wanted), **kwargs)
    except ConnectionError:
        return None
    if isawaitable(reply):
        return _ended(reply)
    raise _goes_on()


async def _ended(reply: Awaitable[Any]) -> None:
    """Waits for the connection's end."""
    try:
        await reply
    except ConnectionError:
        return
    raise _goes_on()


def _goes_on() -> RedisError:
    return RedisError("SHUTDOWN: the server replied instead of ending: it goes on")


def slaveof(self: Executes, host: str | None = None, port: int | None = None, **kwargs: Any) -> Any:
    """Makes the server a replica of another one; without arguments a primary (SLAVEOF)."""
    if host is None and port is None:
        return self.execute_command("SLAVEOF", "NO", "ONE", **kwargs)
    return self.execute_command("SLAVEOF", host, port, **kwargs)
