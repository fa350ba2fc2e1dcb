"""A new peer is one file, and so is a new workload: both are added in a copy of the lab and measured.

One of the peers gives back another value and one needs what is not installed: both say so, and the others go on.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest

from bench.lab.places import PEERS, ROOT
from bench.tests.conftest import Copy

PYTHON = '''
"""marshal: CPython's own form of plain values, for one version of it."""

import marshal

from bench.peers.python.peer import Peer, Row, Workload
from bench.peers.python.records import decoding


def _prepare(workload: Workload) -> Peer:
    return Peer(marshal.dumps, decoding(marshal.loads, workload))


ROWS = {"marshal": Row(None, "dynamic", "bounds", True, ("plain",), True, _prepare)}
'''

FORGETFUL_PYTHON = '''
"""It loses the first item."""

import marshal

from bench.peers.python.peer import Peer, Row, Workload


def _prepare(_: Workload) -> Peer:
    return Peer(marshal.dumps, lambda data: marshal.loads(data)[1:])


ROWS = {"forgetful": Row(None, "dynamic", "nothing", True, ("plain",), True, _prepare)}
'''

NODE = """
// JSON as UTF-16.

function prepare() {
  return { encode: (value) => Buffer.from(JSON.stringify(value), "utf16le"), decode: (data) => JSON.parse(Buffer.from(data).toString("utf16le")) };
}

export const rows = { utf16: { prepare, kind: "dynamic", checks: "syntax", trusted: true, own: true } };
"""

FORGETFUL_NODE = """
// It loses the first item.

const prepare = () => ({ encode: (value) => Buffer.from(JSON.stringify(value)), decode: (data) => JSON.parse(Buffer.from(data)).slice(1) });

export const rows = { forgetful: { prepare, kind: "dynamic", checks: "nothing", trusted: true, own: true } };
"""


class Added(NamedTuple):
    """Files for one language, and the names of what they add."""

    files: dict[str, str]
    peer: str
    forgetful: str
    ours: str


LANGUAGES = {
    "python": Added(
        {"with_marshal.py": PYTHON, "with_forgetful.py": FORGETFUL_PYTHON, "with_absent.py": "import no_such_library\n"},
        "marshal.plain",
        "forgetful.plain",
        "samewire-compact.slots",
    ),
    "node": Added(
        {"with-utf16.mjs": NODE, "with-forgetful.mjs": FORGETFUL_NODE, "with-absent.mjs": 'import "no_such_library";\n'},
        "utf16",
        "forgetful",
        "samewire-compact",
    ),
}
CITIES = [
    {"city": name, "founded": year, "harbour": name == "Genoa"}
    for name, year in (("Genoa", -600), ("Turin", -28))
    for _ in range(20)
]
Cells = dict[str, list[dict[str, Any]]]


@pytest.fixture(scope="module")
def cells(lab: Copy) -> Cells:
    """What one run with the new files measured, by language."""
    (lab.root / "bench/suites/pack/workloads/cities.json").write_text(json.dumps(CITIES))
    # Node finds its packages and our library where they are installed.
    (lab.root / "bench/peers/node/node_modules").symlink_to(PEERS / "node/node_modules")
    (lab.root / "typescript").symlink_to(ROOT / "typescript")
    words = ["--rounds", "1", "--workload", "ints", "--workload", "cities", "--peer", "absent"]
    for language, added in LANGUAGES.items():
        for name, text in added.files.items():
            (lab.root / "bench/peers" / language / name).write_text(text)
        for peer in (added.peer, added.forgetful, added.ours):
            words += ["--peer", f"{peer[:-1]}[{peer[-1]}]"]
    out = lab.bench("run", "pack", "--quick", "--language", "python", "--language", "node", *words)
    assert "absent is missing: " in out
    found = json.loads(lab.bench("show", "--json"))
    return {language: [cell for cell in found if cell["language"] == language] for language in LANGUAGES}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("workload", ["ints", "cities"])
def test_both_are_measured(cells: Cells, language: str, workload: str) -> None:
    added = LANGUAGES[language]
    for peer in (added.peer, added.ours):
        mine = [cell for cell in cells[language] if (cell["workload"], cell["peer"]) == (workload, peer)]
        assert {"encode", "decode"} <= {cell["op"] for cell in mine}
        assert {cell["status"] for cell in mine} == {"ok"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_ours_is_compared_with_the_new_peer(cells: Cells, language: str) -> None:
    ours = [cell for cell in cells[language] if cell["ours"] and cell["workload"] == "cities" and cell["op"] == "encode"]
    assert [cell["reference"] for cell in ours] == [LANGUAGES[language].peer]
    assert all(isinstance(cell["ratio"], float) for cell in ours)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_wrong_result_is_never_a_time(cells: Cells, language: str) -> None:
    found = [cell for cell in cells[language] if cell["peer"] == LANGUAGES[language].forgetful]
    assert {cell["workload"] for cell in found} == {"ints", "cities"}
    for cell in found:
        assert (cell["op"], cell["status"], cell["median"], cell["ratio"]) == ("*", "wrong result", None, None)
        assert "differs from the encoded one" in cell["note"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_missing_peer_states_its_reason(lab: Copy, cells: Cells, language: str) -> None:
    (found,) = (cell for cell in cells[language] if cell["peer"] == "absent")
    assert (found["status"], found["median"]) == ("missing", None) and "no_such_library" in found["note"]
    assert "no_such_library" in lab.bench("doctor", "--language", language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_are_listed(lab: Copy, cells: Cells, language: str) -> None:
    assert cells
    listed = lab.bench("list", "--language", language)
    (line,) = (line for line in listed.splitlines() if line.startswith(f"  {LANGUAGES[language].peer} "))
    assert "trusts its input" in line and "your own data" in line
    assert "cities.json" in listed and "missing: " in listed
