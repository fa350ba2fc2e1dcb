"""A file that imports from a floor above its own is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from house.floors import violations
from house.sources import files

FILES = {
    "lib.rs": "mod bridge;\n",
    "bridge/mod.rs": "mod call;\nmod transport;\nuse call::Call;\n",
    "bridge/transport/mod.rs": "pub mod socket;\n",
    "bridge/transport/socket.rs": "pub struct Socket;\n",
    "bridge/call/mod.rs": "use crate::bridge::transport::socket::Socket;\npub struct Call;\n",
}


def found(tmp_path: Path, texts: dict[str, str]) -> list[str]:
    crate = tmp_path / "rust/python"
    for name, text in texts.items():
        (crate / "src" / name).parent.mkdir(parents=True, exist_ok=True)
        (crate / "src" / name).write_text(text)
    (crate / "Cargo.toml").write_text("")
    return violations(tmp_path, files(tmp_path))


def test_imports_downwards_are_allowed(tmp_path: Path) -> None:
    assert found(tmp_path, FILES) == []


@pytest.mark.parametrize("imported", ["crate::bridge::call::Call", "super::super::call::Call", "crate::bridge::call"])
def test_an_import_upwards_is_found(tmp_path: Path, imported: str) -> None:
    (line,) = found(tmp_path, FILES | {"bridge/transport/socket.rs": f"use {imported};\n"})
    socket, call = "rust/python/src/bridge/transport/socket.rs", "rust/python/src/bridge/call/mod.rs"
    assert line == f"{socket}: imports {call} of a floor above (house/floors.py)"
