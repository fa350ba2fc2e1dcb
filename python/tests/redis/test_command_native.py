"""Methods that a pipeline encodes natively queue what their Python functions queue."""

from __future__ import annotations

from typing import Any

import pytest
from calls import combinations
from samewire._native import KEEP, Command, Pipe
from samewire.redis.commands import Commands
from samewire.redis.exceptions import DataError

from codegen.redis.python.definitions import Method, groups


class Queue(Commands[Any], Pipe):  # type: ignore[misc]
    """A pipeline that only queues; its twin has every method's Python function called."""

    def execute_command(self, *args: Any, **options: Any) -> Any:
        Pipe.append(self, args, KEEP)
        return self


class Slow(Queue):
    """The twin: `direct` is not its `execute_command`."""


NATIVE = [method for group in groups() for method in group.methods if isinstance(getattr(Commands, method.name), Command)]


def queued(queue: Queue, name: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """What one call queues, or the class of what it raises."""
    queue.clear()
    try:
        assert getattr(queue, name)(*arguments, **keywords) is queue
    except (DataError, TypeError) as failed:
        return type(failed)
    return [queue.arguments(index) for index in range(len(queue))]


@pytest.mark.parametrize("method", NATIVE, ids=lambda method: method.name)
def test_queues_what_its_function_queues(method: Method) -> None:
    fast, slow = Queue(), Slow()
    fast.direct = Queue.execute_command
    for arguments, keywords in combinations(method, 40):
        assert queued(fast, method.name, arguments, keywords) == queued(slow, method.name, arguments, keywords)
        # An argument that cannot be sent as it is.
        odd = (*arguments[:-1], None)
        assert queued(fast, method.name, odd, keywords) == queued(slow, method.name, odd, keywords)


def test_most_methods_are_native() -> None:
    assert len(NATIVE) > 120
