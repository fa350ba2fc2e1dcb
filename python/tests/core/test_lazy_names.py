"""Names that a package loads when they are first asked for are listed like the others."""

from __future__ import annotations

import importlib

import pytest

PACKAGES = ("samewire.pack", "samewire.redis", "samewire.redis.aio", "samewire.redis.typed", "samewire.bridge", "samewire.spark")


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_lists_names_that_are_not_loaded_yet(name: str) -> None:
    module = importlib.import_module(name)
    assert set(module.__all__) <= set(dir(module))
