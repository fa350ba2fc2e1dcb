"""The peers that there have to be, what each says of itself, and how long its file is."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from statistics import mean

import pytest

from bench.lab.languages import LANGUAGES, built, offered
from bench.lab.places import PEERS
from bench.lab.protocol import LIMIT, Peer

LISTED = {
    "node": ["msgpackr-records", "msgpackr-bundle", "cbor-x", "avsc", "protobufjs", "json", "v8-serialize", "limit"],
    "chromium": ["msgpackr-records", "cbor-x", "json", "limit"],
    "python": [
        *(
            "msgspec.struct",
            "msgspec-json.struct",
            "pyfory.fory",
            "ormsgpack.plain",
            "orjson.plain",
            "pickle.plain",
            "json.plain",
        ),
        "limit.slots",
    ],
}
"""Peers whose runner needs no compiler."""
OPTIONAL = {"pyarrow": "make pyarrow"}
"""Files of peers whose library nothing installs unasked, with the command that does."""
COMPILED = {
    "java/src": [
        *(
            "boopickle-size",
            "boopickle-size-nodedup",
            "boopickle-speed",
            "boopickle-speed-dedup",
            "fory",
            "fory-buffer",
            "fory-xlang",
        ),
        *("kryo", "protobuf", "jackson-json", "jackson-cbor", "upickle", "limit"),
    ],
    "rust/src/peers": ["bincode", "bitcode", "postcard", "rkyv", "rmp-serde", "serde_json", "limit"],
}
"""Rows of sources; that each has all that there is to declare, their compilers see to."""
FILES = ("java/src/**/With*.java", "java/src/**/With*.scala", "node/with-*.mjs", "python/with_*.py", "rust/src/peers/with_*.rs")
LONGEST_MEAN = 60


@cache
def listed(language: str) -> Mapping[str, Peer]:
    """What the runner says."""
    return offered(built(next(each for each in LANGUAGES if each.name == language))).peers


def paths() -> list[Path]:
    return [path for pattern in FILES for path in PEERS.glob(pattern)]


@pytest.mark.parametrize("language", LISTED)
def test_no_peer_is_left_out(language: str) -> None:
    assert {*LISTED[language], "samewire-compact"} <= {
        name.replace("samewire-compact.slots", "samewire-compact") for name in listed(language)
    }


@pytest.mark.parametrize("folder", COMPILED)
def test_no_compiled_peer_is_left_out(folder: str) -> None:
    text = "".join(path.read_text("utf-8") for path in paths() if path.is_relative_to(PEERS / folder))
    assert [name for name in [*COMPILED[folder], "samewire-compact", "samewire-fast"] if f'"{name}"' not in text] == []


@pytest.mark.parametrize("language", LISTED)
def test_each_says_its_version_kind_what_it_checks_and_whether_it_trusts(language: str) -> None:
    for name, peer in listed(language).items():
        if peer.missing and name in OPTIONAL:
            assert OPTIONAL[name] in peer.missing
            continue
        assert peer.checks and peer.kind in {"typed", "dynamic", "schema", LIMIT} and not peer.missing, name
        assert any(character.isdigit() for character in peer.version), name
        assert (peer.kind == LIMIT) == name.startswith("limit"), name
    assert {name for name, peer in listed(language).items() if peer.trusted} <= {
        "limit",
        "limit.slots",
        "pickle.plain",
        "v8-serialize",
    }


def test_a_peers_file_is_short() -> None:
    lengths = {path.name: path.read_bytes().count(b"\n") for path in paths()}
    assert len(lengths) > 25
    assert mean(lengths.values()) < LONGEST_MEAN, lengths
