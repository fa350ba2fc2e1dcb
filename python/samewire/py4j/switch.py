"""Has `import py4j` find Samewire's in every Python process that has SAMEWIRE_PY4J=1 in its environment.

`samewire_py4j.pth`, which an installation puts beside the package, imports this at the start of each interpreter in which the
variable is set. Nothing else is imported until a program imports `py4j`. An installed Py4J stays as it is, and so does one that
PYTHONPATH or sys.path names, as Spark's scripts do: a finder comes before all folders.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, PathFinder, SourceFileLoader
from typing import TYPE_CHECKING

from .optional_modules import remember_missing_modules

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

VARIABLE = "SAMEWIRE_PY4J"

#: As `samewire.bridge.as_py4j.SHADOW`, without pathlib, whose import each interpreter would pay for.
SHADOW = os.path.join(os.path.dirname(os.path.abspath(__file__)), "shadow")  # noqa: PTH100, PTH118, PTH120

_ON = ("1", "true", "yes", "on")
_OFF = ("", "0", "false", "no", "off")


class Finder:
    """Finds `py4j` in the folder `shadow`, once; that package puts ours into sys.modules."""

    @classmethod
    def find_spec(cls, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Returns where `py4j` is, None for all other modules."""
        if name != "py4j":
            return None
        sys.meta_path[:] = [finder for finder in sys.meta_path if finder is not cls]
        return PathFinder.find_spec(name, [SHADOW])


class ShadowFinder(FileFinder):
    """Finds what is in the folder `shadow`: nothing but `py4j`. The folder comes first in sys.path, and so is asked for each module
    that no folder has; PySpark tries to import IPython at each operation of a column.
    """

    def find_spec(self, fullname: str, target: ModuleType | None = None) -> ModuleSpec | None:
        """Returns where `py4j` is, None for all other modules, without a look at the folder."""
        return super().find_spec(fullname, target) if fullname == "py4j" else None


def answer_for_shadow() -> None:
    """Has modules that are not `py4j` be passed over in the folder `shadow` at once, and some that are nowhere in all folders."""
    sys.path_importer_cache[SHADOW] = ShadowFinder(SHADOW, (SourceFileLoader, SOURCE_SUFFIXES))
    remember_missing_modules()


def switch(value: str) -> None:
    """Puts the finder first if a value of the variable says so; prints a warning if it says neither yes nor no."""
    word = value.strip().lower()
    if word in _ON:
        sys.meta_path.insert(0, Finder)
        # For those who ask for the metadata of `py4j`.
        sys.path.insert(0, SHADOW)
        answer_for_shadow()
    elif word not in _OFF:
        print(f"samewire: {VARIABLE}={value[:40]!r} is neither 1 nor 0: py4j stays as it is installed", file=sys.stderr)


switch(os.environ.get(VARIABLE, ""))
