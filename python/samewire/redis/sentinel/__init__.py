"""Clients of a service that sentinels watch: what blocking and asyncio clients share.

Programs find the blocking clients here, by redis-py's names: they are loaded when they are first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..sync.sentinel import *  # noqa: F403
    from ..sync.sentinel import __all__ as __all__
else:

    def __getattr__(name: str) -> object:
        from ..sync import sentinel

        return sentinel.__all__ if name == "__all__" else getattr(sentinel, name)

    def __dir__() -> list[str]:
        from ..sync import sentinel

        return sorted({*globals(), *sentinel.__all__})
