"""The fixtures of this folder. (mypy takes one module of this name, that of redis: they are in a module of their own.)"""

from __future__ import annotations

from gateway_fixtures import classes, gateway

__all__ = ["classes", "gateway"]
