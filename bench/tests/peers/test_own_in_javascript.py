"""A user's own file in Node and in Chromium: the same values for every peer, and a reason for values that one cannot carry."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from bench.lab.data import take
from bench.lab.places import ROOT
from bench.lab.protocol import lines
from bench.lab.run import Value
from bench.peers import building
from bench.peers.own import typed

COMMANDS: dict[str, Callable[[], list[str]]] = {"node": building.node, "chromium": building.chromium}
ROWS = [{"name": "Ünï €", "tags": ["a", None], "size": 7.5}, {"name": "日本 😀", "tags": [], "size": None}]
BEYOND = 2**53 + 1
"""An integer that JavaScript's numbers do not hold."""


@pytest.fixture(scope="module")
def values(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Value]:
    """Two files: one that all can carry, one with an integer that JSON's numbers lose in JavaScript."""
    folder = tmp_path_factory.mktemp("own")
    found = {}
    for name, value in (("rows", ROWS), ("beyond", [{"id": BEYOND, "text": "9007199254740993"}])):
        path = folder / f"{name}.json"
        path.write_text(json.dumps(value))
        found[name] = take(path, folder / "data")
    return found


def report(language: str, peer: str, value: Value) -> list[dict[str, Any]]:
    """What one process says."""
    command = typed(language, COMMANDS[language](), value.file, value.schema)
    command += [peer, "data", "--warm", "0", "--samples", "1", "--sample", "0.001"]
    command += ["--data", str(value.file), "--schema", str(value.schema)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return lines(done.stdout)


@pytest.mark.parametrize("peer", ["samewire-compact", "msgpackr-records", "cbor-x", "json"])
def test_the_same_value_is_measured_in_both(values: dict[str, Value], peer: str) -> None:
    sizes = set()
    for language in COMMANDS:
        said = report(language, peer, values["rows"])
        assert {"encode", "decode"} <= {line["op"] for line in said if "op" in line}, said
        sizes |= {line["bytes"] for line in said if "bytes" in line}
    assert len(sizes) == 1
    assert peer != "json" or sizes == {len(values["rows"].file.read_bytes())}


def test_a_page_has_a_clock_for_cpu_time() -> None:
    command = [*COMMANDS["chromium"](), "json", "tree", "--warm", "0.05", "--samples", "3", "--sample", "0.05"]
    said = lines(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=True).stdout)
    for line in said:
        if "op" in line:
            assert len(line["cpu"]) == len(line["wall"]) == 3
            assert line["cpu"] != line["wall"] and 0 < min(line["cpu"]) < 1.5 * max(line["wall"])


@pytest.mark.parametrize("language", COMMANDS)
@pytest.mark.parametrize(("peer", "carries"), [("samewire-compact", True), ("msgpackr-records", True), ("json", False)])
def test_an_integer_is_carried_exactly_or_not_at_all(values: dict[str, Value], language: str, peer: str, carries: bool) -> None:
    said = report(language, peer, values["beyond"])
    assert any("op" in line for line in said) is carries
    assert any("BigInt" in line.get("cannot", "") for line in said) is not carries
