"""The fixtures of this folder. (mypy takes one module of this name: they are in a module of their own.)"""

from __future__ import annotations

from py4j_fixtures import gateway, server, started

__all__ = ["gateway", "server", "started"]
