"""Limits (spec/limits.md): one record, safe defaults, no value for "unlimited"."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """The most that one message, or one scanner, may use. Every limit is at least 1."""

    depth: int = 64
    frame_bytes: int = 67_108_864
    text_bytes: int = 67_108_864
    items: int = 16_777_216
    cells: int = 16_777_216
    buffered_bytes: int = 67_108_869


DEFAULT = Limits()
