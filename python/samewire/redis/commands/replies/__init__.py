"""What becomes of replies: for each command the Python values that redis-py returns."""

from __future__ import annotations

from .callbacks import Callbacks, Conversion, response_callbacks

__all__ = ["Callbacks", "Conversion", "response_callbacks"]
