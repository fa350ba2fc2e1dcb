"""Slots of keys: CRC16 of a key, or of its hash tag, as the servers compute it."""

from __future__ import annotations

from samewire._native import key_slot

__all__ = ["key_slot"]
