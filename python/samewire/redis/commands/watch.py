"""Watching keys with an asyncio client, which it cannot do either."""

from __future__ import annotations

from samewire.redis.commands.by_hand import transactions
from samewire.redis.typing import KeyT


class AsyncWatch:
    """What a blocking client says, awaited."""

    async def watch(self, *names: KeyT) -> None:
        """Pipelines watch keys. Warns, and sends nothing."""
        transactions.warn("watch")

    async def unwatch(self) -> None:
        """Pipelines watch keys. Warns, and sends nothing."""
        transactions.warn("unwatch")
