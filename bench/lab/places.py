"""Where the lab's files are."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / "bench"
PEERS = BENCH / "peers"
SUITES = BENCH / "suites"
RESULTS = BENCH / "results"
"""Stored runs that are committed."""

BUILD = ROOT / "build" / "bench"
RUNS = BUILD / "runs"
"""Runs made here, one folder each."""
