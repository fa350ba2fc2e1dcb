"""Lua scripts that are called by their digest, and by their text where the server does not know them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

from .exceptions import NoScriptError
from .steps import Awaiting, Blocking, Operations, Steps, operation


class ScriptText(Operations):
    """A script's text and the digest by which the server knows it."""

    def __init__(self, registered_client: Any, script: str | bytes) -> None:
        self.registered_client = registered_client
        self.script = script
        encoded = registered_client.get_encoder().encode(script)
        self.sha = hashlib.sha1(encoded, usedforsecurity=False).hexdigest()

    def get_encoder(self) -> Any:
        """The encoder of the client that the script is registered with."""
        return self.registered_client.get_encoder()

    @operation
    def __call__(self, keys: Sequence[Any] | None = None, args: Iterable[Any] | None = None, client: Any = None) -> Steps[Any]:
        """Runs the script with KEYS and ARGV and returns its reply. With a pipeline the call is queued: it returns itself."""
        client = self.registered_client if client is None else client
        keys = tuple(keys or ())
        arguments = (*keys, *(args or ()))
        waiting = getattr(client, "scripts", None)
        if waiting is not None:
            # A pipeline: it sees to it that the server knows the script before it executes.
            waiting.add(self)
            texts = client.script_texts()
            if texts is not None and self.sha not in texts:
                queued = yield self._outcome(client.execute_command("EVAL", self.script, len(keys), *arguments))
                texts.add(self.sha)
                return queued
        try:
            return (yield self._outcome(client.execute_command("EVALSHA", self.sha, len(keys), *arguments)))
        except NoScriptError:
            # EVAL runs the script and has the server keep it. After SCRIPT LOAD another could flush it before EVALSHA comes.
            return (yield self._outcome(client.execute_command("EVAL", self.script, len(keys), *arguments)))


class Script(ScriptText, Blocking):
    """A script of a blocking client. Calling it runs it, in a pipeline when `client` is one."""


class AsyncScript(ScriptText, Awaiting):
    """A script of an asyncio client. Calling it returns an awaitable; with a pipeline it only queues the call."""
