"""The phases of a pipeline that watches keys: after `watch` commands run at once, after `multi` they wait again. No I/O."""

from __future__ import annotations

from ..exceptions import RedisError, WatchError

#: Tells whether the server takes MULTI: where it does not, DISCARD is refused as well, and nothing has happened.
TRIAL = ("MULTI", "DISCARD")


class WatchPhase:
    """What a pipeline knows of its phase.

    watching: keys are watched, and commands run at once.
    explicit_transaction: `multi` was called: commands wait again.
    """

    watching = False
    explicit_transaction = False

    def __len__(self) -> int:
        raise NotImplementedError

    def _runs_at_once(self, name: object) -> bool:
        """Whether a command is sent when it is called."""
        return (self.watching or name == "WATCH") and not self.explicit_transaction

    def multi(self) -> None:
        """Ends what runs at once after `watch`: what follows waits for `execute`. Raises RedisError if commands wait already."""
        if self.explicit_transaction:
            raise RedisError("multi() was called before: call execute() or reset() first")
        if len(self):
            raise RedisError(f"multi() follows watch(), before commands are queued: {len(self)} are; execute() or reset() first")
        self.explicit_transaction = True

    def _may_watch(self) -> None:
        if self.explicit_transaction:
            raise RedisError("watch() is not possible after multi(): call it first, or execute() or reset() before")


def unwatched(error: RedisError) -> WatchError:
    """What a lost connection means to a caller that watched keys on it."""
    return WatchError(f"{error.text}: nothing is watched any more, and nothing has run; begin again with watch()")
