"""Puts this package's Py4J under the name `py4j`, for programs and libraries written for Py4J (PySpark, ...).

>>> from samewire import bridge
>>> bridge.install_as_py4j()        # before anything imports py4j                      # doctest: +SKIP
>>> import pyspark                                                                      # doctest: +SKIP

The modules are the same objects under both names, so a patch of `py4j.java_gateway` holds for both.

With SAMEWIRE_PY4J=1 in the environment every Python process does so at its start (`samewire.py4j.switch`).

Child processes import it, too: `install_as_py4j` puts the folder `samewire/py4j/shadow` in front of sys.path, which
multiprocessing passes on, and `python -m samewire.bridge` puts it into PYTHONPATH, which every child inherits.

A Spark driver that such a process starts has Samewire's jar before Spark's own copy of Py4J
(`samewire.py4j.spark_options`).
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import MutableMapping

#: The folder that goes in front of sys.path. It holds a package `py4j` and its metadata, nothing else.
SHADOW = Path(__file__).parents[1] / "py4j" / "shadow"

#: Py4J's modules.
MODULES = (
    "version",
    "compat",
    "signals",
    "finalizer",
    "protocol",
    "java_gateway",
    "java_collections",
    "clientserver",
)


def install_as_py4j() -> ModuleType:
    """Makes `import py4j` import Samewire's, also in processes started by multiprocessing. Returns that module.

    Adds Samewire's jar to SPARK_SUBMIT_OPTS in this process's environment. Call it before anything imports `py4j`; a
    second call does nothing. Raises RuntimeError if Py4J has been imported already, since some modules would keep its
    classes.
    """
    ours = importlib.import_module("samewire.py4j")
    present = sys.modules.get("py4j")
    if present is ours:
        return ours
    # A `py4j` that is this package's shadow is replaced.
    if present is not None and vars(present).get("install_as_py4j") is not install_as_py4j:
        raise RuntimeError(
            f"py4j has been imported already, from {present.__file__}: "
            "call samewire.bridge.install_as_py4j() before anything imports py4j"
        )
    sys.modules["py4j"] = ours
    for name in MODULES:
        module = importlib.import_module(f"samewire.py4j.{name}")
        sys.modules[f"py4j.{name}"] = module
        _rename(module, f"py4j.{name}")
    switch = importlib.import_module("samewire.py4j.switch")
    if str(SHADOW) not in sys.path:
        sys.path.insert(0, str(SHADOW))
    switch.answer_for_shadow()
    prepare_spark(os.environ)
    return ours


def prepare_spark(environment: MutableMapping[str, str]) -> None:
    """Puts Samewire's jar before Spark's own in the drivers that processes with this environment start, if possible."""
    importlib.import_module("samewire.py4j.spark_options").add_spark_options(environment)


def _rename(module: ModuleType, public: str) -> None:
    """Sets the `__module__` of classes and functions to a public module: tracebacks and pickles name it.

    The first module of MODULES that has an object keeps it.
    """
    for found in vars(module).values():
        if isinstance(found, (type, FunctionType)) and found.__module__.startswith("samewire.py4j."):
            found.__module__ = public
