"""Which files a peer's hash covers: two runs are compared only where the same code measured them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bench.lab.code import hashes
from bench.lab.languages import LANGUAGES, Language
from bench.peers import building


def test_the_code_hash_is_of_a_peers_own_file_and_what_all_share(tmp_path: Path) -> None:
    def told(*peers: str) -> dict[str, str]:
        return hashes([tmp_path], peers, {})

    for name, text in {"with_one.py": "1", "with_one_more.py": "2", "timing.py": "3", "jvm.options": "4"}.items():
        (tmp_path / name).write_text(text)
    before = told("one.slots", "one-more")
    (tmp_path / "with_one_more.py").write_text("changed")
    after = told("one.slots", "one-more")
    assert before["one.slots"] == after["one.slots"] and before["one-more"] != after["one-more"]
    for shared in ("timing.py", "jvm.options"):
        last = told("one.slots")
        (tmp_path / shared).write_text("changed")
        assert told("one.slots") != last


@pytest.mark.parametrize("name", ["main.go", "go.mod", "src/main.rs", "Cargo.lock"])
def test_a_program_of_its_own_counts_for_its_peer_alone(tmp_path: Path, name: str) -> None:
    shared, program = tmp_path / "shared", tmp_path / "program"
    path = program / name
    for each in (shared, path.parent):
        each.mkdir(parents=True, exist_ok=True)
    (shared / "load.mjs").write_text("1")
    path.write_text("2")

    def told() -> dict[str, str]:
        return hashes([shared], ["grpc-go", "grpc-js"], {"grpc-go": program})

    before = told()
    path.write_text("changed")
    after = told()
    assert before["grpc-go"] != after["grpc-go"] and before["grpc-js"] == after["grpc-js"]
    (program / "target").mkdir()
    (program / "target" / "built.rs").write_text("made by a compiler")
    assert told() == after
    (shared / "load.mjs").write_text("changed")
    assert all(told()[peer] != after[peer] for peer in after)


def test_a_file_beside_the_folder_counts_for_all(tmp_path: Path) -> None:
    (tmp_path / "peers").mkdir()
    (tmp_path / "peers" / "with_one.py").write_text("1")
    messages = tmp_path / "reference.proto"
    told = []
    for text in ("before", "after"):
        messages.write_text(text)
        told.append(hashes([tmp_path / "peers", messages], ["one"], {})["one"])
    assert told[0] != told[1]


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_peers_of_every_language_have_a_hash(language: Language) -> None:
    peers = ["samewire-compact", "json", *dict(language.programs)]
    found = hashes(language.sources, peers, dict(language.programs))
    assert all(found.values())
    # One runner serves all of gRPC's servers in Node: they differ in nothing but the programs that are built apart.
    assert len(set(found.values())) == (3 if language.programs else 2)


def test_the_servers_in_other_languages_and_the_options_of_engines_are_hashed() -> None:
    by_name = {language.name: language for language in LANGUAGES}
    programs, (jvm, *_) = dict(by_name["grpc"].programs), by_name["jvm"].sources
    assert set(programs) == {"grpc-go", "tonic"}
    assert (programs["grpc-go"] / "main.go").is_file() and (programs["tonic"] / "src/main.rs").is_file()
    assert (jvm / "jvm.options").is_file()
    assert all((by_name[name].sources[0] / "v8.options").is_file() for name in ("node", "chromium"))


@pytest.mark.parametrize("runner", [building.node, building.chromium], ids=["node", "chromium"])
def test_node_and_chromium_start_with_the_options_of_the_file(runner: Callable[[], list[str]]) -> None:
    program, *options, script = runner()
    assert (program, Path(script).suffix) == ("node", ".mjs")
    assert "--single-threaded-gc" in options
