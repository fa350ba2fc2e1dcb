"""Where the sources of a module of Java are: in git, and among what its build generates."""

from __future__ import annotations

from pathlib import Path


def roots(module: Path) -> list[Path]:
    """The roots of a module's sources, those in git first. The module must have been built."""
    generated = sorted((module / "target/generated-sources").glob("*/"))
    # The compiler makes a root for annotation processors, which is empty.
    return [module / "src/main/java", *(root for root in generated if next(root.rglob("*.java"), None))]
