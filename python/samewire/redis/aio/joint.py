"""Work that several callers wait for."""

from __future__ import annotations

import asyncio
from typing import TypeVar

T = TypeVar("T")


class Abandoned(Exception):
    """The work was cancelled by whom it belongs to: no caller of it was."""


async def joint(work: asyncio.Task[T]) -> T:
    """Waits for work that goes on without this caller: one that is cancelled gives up its own waiting only.

    Raises what the work raises, and Abandoned if it was cancelled: a CancelledError would end the caller's task.
    """
    caller = asyncio.current_task()
    cancels = caller.cancelling() if caller is not None else 0
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        if not work.cancelled() or (caller is not None and caller.cancelling() > cancels):
            raise
        raise Abandoned from None
    finally:
        # The traceback of its error leads to this frame.
        del work
