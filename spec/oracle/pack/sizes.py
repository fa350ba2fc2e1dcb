"""Sizes that the format fixes (spec/limits.md): no limit changes them."""

from __future__ import annotations

BIGINT_BYTES = 4_096
SCHEMA_BYTES = 1 << 20
SCHEMA_DEPTH = 64
SCHEMA_NODES = 65_536
