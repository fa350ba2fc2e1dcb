"""Which commands a client sends again although they may have run. Clients, pipelines and clusters share it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from ..session.views import Viewed
from .routing import may_repeat


class Repeating(Viewed):
    """What sends commands again after a lost connection."""

    #: Whether the program has allowed it for all commands.
    _repeats = False

    def repeating(self) -> Self:
        """This client, sharing its connections, for commands that may run twice.

        When a connection is lost before a reply, its commands are sent again, writes as well, as redis-py does: callers see no
        error, and a command may have run more than once. Pipelines and transactions are sent again as a whole, unless they
        watch keys. It is for writes that do no harm twice (SET, HSET, SADD, EXPIRE), and not for counters, lists and locks.

        Closing what this returns leaves the client's connections open.

            client.repeating().set("key", value)
            pipe = client.repeating().pipeline()
        """
        view = self._view()
        view._repeats = True
        return view

    def _may_repeat(self, args: Sequence[Any]) -> bool:
        """Whether a command may be sent again although it may have run."""
        return self._repeats or may_repeat(args)
