"""Clients of a cluster: what blocking and asyncio clients share.

Programs find the blocking clients here, by redis-py's names: they are loaded when they are first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..sync.cluster import *  # noqa: F403
    from ..sync.cluster import __all__ as __all__
else:

    def __getattr__(name: str) -> object:
        from ..sync import cluster

        return cluster.__all__ if name == "__all__" else getattr(cluster, name)

    def __dir__() -> list[str]:
        from ..sync import cluster

        return sorted({*globals(), *cluster.__all__})
