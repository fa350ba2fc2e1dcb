"""Methods on the server's commands that are written by hand."""

from __future__ import annotations

from typing import Any

from samewire.redis.commands.executes import Executes


def command(self: Executes, **kwargs: Any) -> Any:
    """Returns the facts of each command that the server has (COMMAND)."""
    return self.execute_command("COMMAND", **kwargs)


def command_list(self: Executes, module: str | None = None, category: str | None = None, pattern: str | None = None) -> Any:
    """Returns the names of the commands of a module, of a category, or that match a pattern (COMMAND LIST)."""
    chosen = {"MODULE": module, "ACLCAT": category, "PATTERN": pattern}
    given = [part for word, value in chosen.items() if value is not None for part in (word, value)]
    return self.execute_command("COMMAND LIST", *(("FILTERBY", *given) if given else ()))


def commandlog_get(self: Executes, count: int = 10, log: str = "slow") -> Any:
    """Returns the latest commands that were slow, or large, or had a large reply; -1 for all (COMMANDLOG GET of Valkey).

    `duration` is in microseconds for slow ones, else bytes.
    """
    return self.execute_command("COMMANDLOG GET", count, log, NEVER_DECODE=[])


def commandlog_len(self: Executes, log: str = "slow") -> Any:
    """Returns the number of commands in a log (COMMANDLOG LEN of Valkey)."""
    return self.execute_command("COMMANDLOG LEN", log)


def commandlog_reset(self: Executes, log: str = "slow") -> Any:
    """Empties a log (COMMANDLOG RESET of Valkey)."""
    return self.execute_command("COMMANDLOG RESET", log)


def slowlog_get(self: Executes, num: int | None = None, **kwargs: Any) -> Any:
    """Returns the latest slow commands (SLOWLOG GET).

    Arguments may be cut in the middle of a character, so that texts are bytes also where the client decodes.
    """
    return self.execute_command("SLOWLOG GET", *(() if num is None else (num,)), NEVER_DECODE=[], **kwargs)
