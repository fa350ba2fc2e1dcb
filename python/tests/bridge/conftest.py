"""The fixtures of this folder. (mypy takes one module of this name, that of redis: they are in a module of their own.)"""

from __future__ import annotations

import os

from gateway_fixtures import classes, gateway

__all__ = ["classes", "gateway"]

# A JVM that a test launches starts as the first one does, and leaves no process behind that writes an archive of classes.
os.environ["SAMEWIRE_BRIDGE_ARCHIVE"] = "off"
