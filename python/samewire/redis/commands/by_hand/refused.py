"""Commands that no client sends by a method, because they do harm on a connection that others use."""

from __future__ import annotations

from typing import Any

from samewire.redis.commands.executes import Executes
from samewire.redis.typing import EncodableT


def debug_segfault(self: Executes, **kwargs: Any) -> None:
    """Raises NotImplementedError: the command ends the server."""
    raise NotImplementedError("DEBUG SEGFAULT ends the server: send it with execute_command if that is meant")


def hello(self: Executes) -> None:
    """Raises NotImplementedError: the command changes the protocol of one connection, and a client has several."""
    raise NotImplementedError("HELLO is sent when a connection is made: give protocol=, username= and password= to the client")


def script_debug(self: Executes, *args: EncodableT) -> None:
    """Raises NotImplementedError: the command turns a connection into a debugger."""
    raise NotImplementedError("SCRIPT DEBUG needs a connection of its own: use the server's own command-line client")
