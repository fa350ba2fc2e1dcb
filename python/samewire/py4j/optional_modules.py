"""Modules that PySpark tries to import at each operation of a column, where they are not installed.

CPython asks each folder of sys.path again for a module that it did not find, and takes some 20 microseconds for each. Here a folder
that has not changed since says so at once. When it has changed, or after `importlib.invalidate_caches()`, all is as without.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import FileFinder
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

TRIED = frozenset(("IPython", "ipykernel"))


class RememberingFinder(FileFinder):
    """Finds modules in a folder. Remembers which of TRIED are not there while the folder has the same time of modification, by which
    CPython's own finder decides whether to list the folder anew.
    """

    _missed: dict[str, int] | None = None

    def find_spec(self, fullname: str, target: ModuleType | None = None) -> ModuleSpec | None:
        """Returns where a module is, or None."""
        if fullname not in TRIED:
            return super().find_spec(fullname, target)
        try:
            changed = os.stat(self.path).st_mtime_ns  # noqa: PTH116
        except OSError:
            return super().find_spec(fullname, target)
        missed = self._missed
        if missed is not None and missed.get(fullname) == changed:
            return None
        found = super().find_spec(fullname, target)
        if found is None:
            self._missed = {**(missed or {}), fullname: changed}
        return found

    def invalidate_caches(self) -> None:
        """Forgets what is known of the folder: the next import looks again."""
        self._missed = None
        super().invalidate_caches()


class LastFinder:
    """The last of sys.meta_path: asked for modules that no folder has. It finds nothing, and has the folders remember."""

    @classmethod
    def find_spec(cls, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> None:
        """Returns None."""
        if path is None and name in TRIED:
            for folder in sys.path:
                try:
                    finder = sys.path_importer_cache.get(folder or os.getcwd())  # noqa: PTH109
                except FileNotFoundError:
                    continue
                # One of another class has ways of its own.
                if type(finder) is FileFinder and finder.path:
                    finder.__class__ = RememberingFinder


def remember_missing_modules() -> None:
    """Has folders of sys.path remember that they do not have the modules of TRIED, once one of these has been tried in vain."""
    if LastFinder not in sys.meta_path:
        sys.meta_path.append(LastFinder)
