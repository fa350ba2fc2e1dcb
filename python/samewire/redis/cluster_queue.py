"""Commands of a cluster's pipeline that wait to be sent. Without I/O: blocking and asyncio pipelines share it."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, Self

from .batch import Plan, plan
from .cluster_commands import ClusterOnlyCommands, flattened
from .clustering import Placing
from .commands import PipelineCommands
from .exceptions import CrossSlotTransactionError, RedisClusterException, RedisError
from .routing import may_repeat
from .sharing import name_of as may_be_shared

#: Characters of a command in an error's text.
SHOWN = 100


class ClusterQueue(ClusterOnlyCommands, PipelineCommands):  # type: ignore[misc]
    """Commands that wait for `execute`."""

    #: Whether commands run at once, because keys are watched.
    watching = False

    def __init__(self, client: Placing[Any]) -> None:
        self._placing = client
        self._forget()

    def _forget(self) -> None:
        self.command_stack: list[Plan[Any]] = []
        #: Scripts that the commands call.
        self.scripts: set[Any] = set()

    def __len__(self) -> int:
        return len(self.command_stack)

    def __bool__(self) -> bool:
        # An empty pipeline is a pipeline all the same.
        return True

    def __repr__(self) -> str:
        return f"<{type(self).__module__}.{type(self).__name__}({len(self)} commands)>"

    def get_encoder(self) -> Any:
        """The encoder of arguments and replies."""
        return self._placing.get_encoder()

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Queues a command and returns the pipeline."""
        return self.pipeline_execute_command(*args, **options)

    def pipeline_execute_command(self, *args: Any, **options: Any) -> Self:
        """Queues a command and returns the pipeline. Raises RedisError for one that would change the connection."""
        may_be_shared(args)
        self.command_stack.append(Plan(args, options))
        return self

    def mset_nonatomic(self, mapping: Mapping[Any, Any]) -> Self:
        """Sets keys in any slots."""
        return self.pipeline_execute_command("MSET", *flattened(mapping))

    def _planned(self) -> list[Plan[Any]]:
        """The commands with the jobs that they take, by the map of now."""
        return [plan(self._placing, command.args, command.options) for command in self.command_stack]


def answered(plans: Sequence[Plan[Any]], raise_on_error: bool) -> list[Any]:
    """The replies of commands; raises the first error if `raise_on_error`."""
    replies = [command.reply() for command in plans]
    if raise_on_error:
        for number, (command, reply) in enumerate(zip(plans, replies, strict=True), 1):
            if isinstance(reply, Exception):
                raise annotated(reply, number, command.args)
    return replies


def annotated(error: Exception, number: int, args: Sequence[Any]) -> Exception:
    """An error of a pipeline's command, with its number and the command in its text."""
    line = " ".join(arg.decode("utf-8", "replace") if isinstance(arg, bytes) else str(arg) for arg in args)
    shown = textwrap.shorten(line, SHOWN, placeholder="...", break_long_words=True)
    text = f"Command # {number} ({shown}) of pipeline caused error: {error.args[0] if error.args else error}"
    error.args = (text, *error.args[1:])
    return error


class TransactionQueue(ClusterQueue):
    """Commands of a transaction: their keys are in one slot. After `watch` commands run at once, until `multi`."""

    def _forget(self) -> None:
        super()._forget()
        self.watching = False
        self.explicit_transaction = False
        self._slots: set[int] = set()

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Queues a command and returns the pipeline; after `watch` sends it at once."""
        slot = None if args[0] == "UNWATCH" else self._placing.determine_slot(*args)
        if (self.watching or args[0] == "WATCH") and not self.explicit_transaction:
            if slot is not None and self._slots and slot not in self._slots:
                raise CrossSlotTransactionError("Cannot watch or send commands on different slots")
            self._note(slot)
            return self.immediate_execute_command(*args, **options)
        self._note(slot)
        return self.pipeline_execute_command(*args, **options)

    def immediate_execute_command(self, *args: Any, **options: Any) -> Any:
        """Sends a command at once."""
        raise NotImplementedError

    def _note(self, slot: int | None) -> None:
        if slot is not None:
            self._slots.add(slot)

    def _slot(self) -> int:
        """The slot of the transaction. Raises RedisClusterException if it has none, or several."""
        if not self._slots:
            raise RedisClusterException("At least a command with a key is needed to identify a node")
        if len(self._slots) > 1:
            raise CrossSlotTransactionError("All keys involved in a cluster transaction must map to the same slot")
        return next(iter(self._slots))

    def _repeatable(self) -> bool:
        return all(may_repeat(command.args) for command in self.command_stack)

    def multi(self) -> None:
        """Ends what runs at once after `watch`: what follows waits for `execute`."""
        if self.explicit_transaction:
            raise RedisError("Cannot issue nested calls to MULTI")
        if self.command_stack:
            raise RedisError("Commands without an initial WATCH have already been issued")
        self.explicit_transaction = True

    def _may_watch(self) -> None:
        if self.explicit_transaction:
            raise RedisError("Cannot issue a WATCH after a MULTI")


def no_transaction(name: str) -> RedisClusterException:
    """The error of a method that needs a transaction."""
    return RedisClusterException(
        f"method {name}() is not supported outside of transactional context: make the pipeline with transaction=True"
    )
