"""Pipelines of a cluster for blocking callers: commands go to all their nodes at once, and replies come in order."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self

from .batch import Queued, queued
from .calls import Calls
from .clustering import annotated
from .exceptions import RedisClusterException


class ClusterPipeline:
    """Commands that are kept until `execute`. Each goes to the node of its keys, those of one node in order, together.

    It is no transaction: commands of other clients may run in between, and a redirected command runs after others.
    """

    def __init__(self, client: Calls) -> None:
        self._client = client
        self.command_stack: list[Queued[Any]] = []

    def __len__(self) -> int:
        return len(self.command_stack)

    def __bool__(self) -> bool:
        # An empty pipeline is a pipeline all the same.
        return True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.reset()

    def __repr__(self) -> str:
        return f"<{type(self).__module__}.{type(self).__name__}({len(self)} commands)>"

    def reset(self) -> None:
        """Forgets the commands."""
        self.command_stack = []

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Adds a command."""
        self.command_stack.append(Queued(args, options))
        return self

    pipeline_execute_command = execute_command

    def execute(self, raise_on_error: bool = True) -> list[Any]:
        """Sends the commands and returns their replies in order.

        raise_on_error: raises the first error; otherwise errors stand in their commands' places. The other commands have run
        in both cases.
        """
        stack, self.command_stack = self.command_stack, []
        client = self._client
        planned = [queued(client, command.args, command.options) for command in stack]
        client._run([job for command in planned for job in command.jobs])
        replies = [command.reply() for command in planned]
        if raise_on_error:
            for number, (command, reply) in enumerate(zip(planned, replies, strict=True), 1):
                if isinstance(reply, Exception):
                    raise annotated(reply, number, command.args)
        return replies

    def _no_transaction(self, name: str) -> RedisClusterException:
        return RedisClusterException(
            f"method {name}() is not supported outside of transactional context: make the pipeline with transaction=True"
        )

    def watch(self, *names: Any) -> Any:
        """Raises RedisClusterException: this needs a transaction."""
        raise self._no_transaction("watch")

    def unwatch(self) -> Any:
        """Raises RedisClusterException: this needs a transaction."""
        raise self._no_transaction("unwatch")

    def multi(self) -> None:
        """Raises RedisClusterException: this needs a transaction."""
        raise self._no_transaction("multi")

    def discard(self) -> None:
        """Raises RedisClusterException: this needs a transaction."""
        raise self._no_transaction("discard")
