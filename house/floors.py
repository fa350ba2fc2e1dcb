"""Finds files of a part that import upwards: from a layer above their own."""

from __future__ import annotations

from pathlib import Path

from house import rust_modules

#: The folders of a part from the ground up, those of one floor together; what is in none of them is on top.
FLOORS: dict[str, tuple[set[str], ...]] = {
    "rust/python/src/bridge": (
        {"transport"},
        {"channel"},
        {"session"},
        {"value"},
        {"call"},
        {"callable", "batch", "embed"},
    ),
}


def violations(root: Path, paths: list[Path]) -> list[str]:
    """One line for each import of a file of a floor above."""
    graph = rust_modules.imports(root, paths)
    lines = []
    for part, floors in FLOORS.items():
        place = Path(part)
        inside = {path: _floor(path.relative_to(place).parts[0], floors) for path in graph if place in path.parents}
        lines += [
            f"{path}: imports {target} of a floor above (house/floors.py)"
            for path, floor in inside.items()
            for target in sorted(graph[path])
            if inside.get(target, 0) > floor
        ]
    return lines


def _floor(folder: str, floors: tuple[set[str], ...]) -> int:
    return next((number for number, folders in enumerate(floors) if folder in folders), len(floors))
