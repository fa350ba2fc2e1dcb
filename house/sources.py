"""Which files of the repository are checked, and which of them are source code."""

from __future__ import annotations

import subprocess
from pathlib import Path

SOURCE_SUFFIXES = frozenset({".py", ".pyi", ".rs", ".java", ".kt", ".ts", ".js", ".mjs", ".cjs", ".sh"})

# What a folder without git (a test's own) may contain beside its files.
GENERATED = frozenset({"node_modules", "target", "dist", "build", "__pycache__", ".venv", ".git"})


def files(root: Path) -> list[Path]:
    """Files that are committed or could be: tracked ones and new ones that git does not ignore; relative, sorted."""
    if (root / ".git").exists():
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout
        paths = {Path(name) for name in listed.split("\0") if name}
    else:
        paths = {path.relative_to(root) for path in root.rglob("*")}
        paths = {path for path in paths if GENERATED.isdisjoint(path.parts)}
    return sorted(path for path in paths if (root / path).is_file() and not (root / path).is_symlink())


def is_source(path: Path) -> bool:
    """Whether people read this file as code; lists of data and lock files are not."""
    return path.suffix in SOURCE_SUFFIXES or path.name == "Makefile"
