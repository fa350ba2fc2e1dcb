"""Writes generated files, and leaves alone those that are already as they should be."""

from __future__ import annotations

from pathlib import Path


def write(folder: Path, files: dict[str, str], mark: str) -> list[str]:
    """Makes a folder's generated files those given, by name. Returns the names of the files that it wrote or removed.

    A file with the right text keeps its time, so that compilers do not begin again. Only files that begin with `mark` are
    removed; a file of the same name without it was written by hand, and ends the program.
    """
    folder.mkdir(parents=True, exist_ok=True)
    changed = []
    for path in sorted(folder.iterdir()):
        if not path.is_file() or (path.name in files and path.read_text(encoding="utf-8") == files[path.name]):
            continue
        generated = path.read_text(encoding="utf-8").startswith(mark)
        if path.name in files and not generated:
            raise SystemExit(f"{path} was not generated, but a generated file has its name: rename or remove it")
        if path.name not in files and generated:
            path.unlink()
            changed.append(path.name)
    for name, text in files.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            changed.append(name)
    return changed
