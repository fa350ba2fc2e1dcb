"""Commands of a cluster's pipeline that wait to be sent. Without I/O: blocking and asyncio pipelines share it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

from ..commands import PipelineCommands
from ..exceptions import CrossSlotTransactionError, DataError, RedisClusterException
from ..pipeline.queued import NO_COPY, annotate
from ..pipeline.watch_phase import WatchPhase
from ..rules.own_connection import name_of as may_be_shared
from .batch import Plan, plan
from .commands import ClusterOnlyCommands, flattened
from .node_choice import NodeChoice


class ClusterQueue(WatchPhase, ClusterOnlyCommands, PipelineCommands):  # type: ignore[misc]
    """Commands that wait for `execute`."""

    def __init__(self, client: NodeChoice[Any]) -> None:
        self._placing = client
        self.load_balancing_strategy = client.load_balancing_strategy
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

    def __copy__(self: Any) -> Any:
        """Another pipeline, with the same commands. Raises DataError while keys are watched."""
        if self.watching:
            raise DataError(NO_COPY)
        kind: Any = type(self)
        made = kind.__new__(kind)
        vars(made).update(vars(self))
        made.command_stack, made.scripts = list(self.command_stack), set(self.scripts)
        return made

    def __repr__(self) -> str:
        return f"<{type(self).__module__}.{type(self).__name__}({len(self)} commands)>"

    def script_texts(self) -> None:
        """Returns None: the calls of a script may go to several nodes, each of which must know it."""

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
    reply = command = None
    try:
        if raise_on_error:
            for number, (command, reply) in enumerate(zip(plans, replies, strict=True), 1):
                if isinstance(reply, Exception):
                    annotate(reply, number, command.args)
                    raise reply
        return replies
    finally:
        # The error's traceback leads to this frame.
        del plans, replies, command, reply


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
        if self._runs_at_once(args[0]):
            if slot is not None and self._slots and slot not in self._slots:
                raise CrossSlotTransactionError(f"the keys of {args[0]} are in another slot than those that are watched")
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
            raise RedisClusterException("no command of the transaction has a key: one is needed to find its node")
        if len(self._slots) > 1:
            raise CrossSlotTransactionError("All keys involved in a cluster transaction must map to the same slot")
        return next(iter(self._slots))

    def _repeatable(self) -> bool:
        return all(self._placing._may_repeat(command.args) for command in self.command_stack)


def no_transaction(name: str) -> RedisClusterException:
    """The error of a method that needs a transaction."""
    return RedisClusterException(
        f"method {name}() is not supported outside of transactional context: make the pipeline with transaction=True"
    )
