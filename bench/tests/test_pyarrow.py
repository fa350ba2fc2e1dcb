"""Parquet, a peer that is not there until `make pyarrow` has installed it: its absence has a remedy, and no quick run needs it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from bench.lab import suite
from bench.lab.places import ROOT

ABSENT = "import sys; sys.modules['pyarrow'] = None; sys.argv[1:] = ['list']; import bench.peers.python.__main__"


def test_without_its_library_the_listing_names_the_command_that_installs_it() -> None:
    done = subprocess.run([sys.executable, "-c", ABSENT], cwd=ROOT, capture_output=True, text=True, check=True)
    peers = json.loads(done.stdout)["peers"]
    assert "`make pyarrow` installs it" in peers["pyarrow"]["missing"]
    assert "pyarrow-parquet.dicts" not in peers and "msgspec.struct" in peers


@pytest.mark.parametrize("area", ["pack", "field"])
def test_no_quick_run_measures_it(area: str) -> None:
    assert not suite.load(area).in_quick("python", "pyarrow-parquet.dicts")
