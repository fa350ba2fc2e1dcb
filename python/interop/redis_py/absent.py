"""Names that redis-py's tests import and the package under test does not have.

A test file imports all its names at the top: one that is missing would fail every test of the file. So each missing name gets a
stand-in that raises when it is used, and only the tests that use it fail.
"""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any


def imports(folder: Path, packages: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Modules of packages and names that the tests in a folder import from them."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in packages and not node.level:
                yield from ((node.module, one.name) for one in node.names)
            elif isinstance(node, ast.Import):
                yield from ((one.name, "") for one in node.names if one.name.split(".")[0] in packages)


def stand_in(module: str, name: str) -> type:
    """A class that cannot be made."""

    def refuse(self: object, *_: Any, **__: Any) -> None:
        raise NotImplementedError(f"{module}.{name} is not a name of samewire.redis")

    # Raised and caught in tests; named as a class of errors where it is one.
    bases = (Exception,) if name.endswith(("Error", "Exception")) else ()
    return type(name, bases, {"__init__": refuse, "__module__": module})


def stand_in_module(name: str) -> ModuleType:
    """The module of a name: the one there is, or an empty one."""
    try:
        return importlib.import_module(name)
    except ImportError:
        parent, _, last = name.rpartition(".")
        made = sys.modules[name] = ModuleType(name)
        made.__path__ = []
        if parent:
            setattr(stand_in_module(parent), last, made)
        return made


#: Attributes of classes that test files look at while they are imported, or replace wherever a test makes a client.
LOOKED_AT: dict[tuple[str, str, str], Any] = {
    ("redis._parsers", "AsyncCommandsParser", "initialize"): None,
    ("redis._parsers", "CommandsParser", "initialize"): None,
    ("redis.cluster", "RedisCluster", "ERRORS_ALLOW_RETRY"): (),
    ("redis.asyncio.cluster", "RedisCluster", "ERRORS_ALLOW_RETRY"): (),
}


def fill(folder: Path, *packages: str) -> list[str]:
    """Gives every missing name of packages its stand-in; returns their full names."""
    missing = []
    for module, name in sorted(set(imports(folder, packages))):
        made = stand_in_module(module)
        if name and name != "*" and not hasattr(made, name):
            try:
                importlib.import_module(f"{module}.{name}")
            except ImportError:
                setattr(made, name, stand_in(module, name))
                missing.append(f"{module}.{name}")
    for (module, name, attribute), value in LOOKED_AT.items():
        found = getattr(sys.modules.get(module), name, None)
        if found is not None and not hasattr(found, attribute):
            setattr(found, attribute, value)
            missing.append(f"{module}.{name}.{attribute}")
    return missing
