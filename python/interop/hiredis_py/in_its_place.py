"""Puts `samewire.redis.Reader` under the name `hiredis` before pytest imports its tests."""

from __future__ import annotations

from samewire.redis.reader import install_as_hiredis

install_as_hiredis()
