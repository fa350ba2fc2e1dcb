"""A user's own file on the JVM, where arrays of numbers are compared by content wherever they stand."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from bench.lab.data import take
from bench.lab.places import ROOT
from bench.lab.protocol import lines
from bench.peers import building
from bench.peers.own import typed

VALUES = {
    "alone": [1, 2, 3],
    "within": {
        "records": [
            {"id": 1, "at": [0.5, 2.5], "of": [[1], [2, 3]], "any": [1, "a"]},
            {"id": 2, "at": [], "of": [], "any": None},
        ],
        "lists": [[[0.5, 1.5], [2.5]], []],
        "map": {f"key {number}": [number, 2] for number in range(40)},
    },
}


@pytest.mark.parametrize("where", VALUES)
def test_arrays_of_numbers_are_compared_by_content(tmp_path: Path, where: str) -> None:
    path = tmp_path / "own.json"
    path.write_text(json.dumps(VALUES[where]))
    value = take(path, tmp_path)
    command = typed("jvm", building.jvm(), value.file, value.schema)
    given = ["--data", str(value.file), "--schema", str(value.schema)]
    for peer in ("samewire-compact", "jackson-json"):
        plan = ["--warm", "0", "--samples", "1", "--sample", "0.001"]
        done = subprocess.run(
            [*command, peer, "data", *plan, *given], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, done.stderr
        said: list[dict[str, Any]] = lines(done.stdout)
        assert {"encode", "decode"} <= {line["op"] for line in said if "op" in line}, said
