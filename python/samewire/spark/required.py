"""Imports PySpark's modules. Samewire does not depend on PySpark: users of `samewire.spark` install it."""

from __future__ import annotations

import importlib
from typing import Any

from samewire.errors import SamewireError


def module(name: str) -> Any:
    """Returns a module of PySpark. Raises SamewireError `unsupported` if it is not installed."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.partition(".")[0] not in ("pyspark", "py4j"):
            raise
        raise SamewireError(
            "unsupported",
            text=f"samewire.spark needs PySpark 3.5 or newer, and {missing.name} is not installed: pip install pyspark",
        ) from missing
