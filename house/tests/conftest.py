"""The packages are made once for all tests of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from house import packages


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Every package by the part of its name that its version does not end."""
    files = packages.make(tmp_path_factory.mktemp("packages"))
    return {path.name.replace(f"-{packages.VERSION}", ""): path for path in files}
