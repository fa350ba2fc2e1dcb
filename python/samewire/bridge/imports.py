"""`from gateway.java.util import ArrayList`: a gateway's packages in import statements."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from samewire.errors import SamewireError

from .naming import did_you_mean
from .packages import Package


class Importable:
    """A name under which import statements find a gateway's packages, until `remove` or the end of a `with`."""

    def __init__(self, name: str, root: Package) -> None:
        if not name.isidentifier():
            raise SamewireError("misuse", text=f"{name!r} cannot stand in an import statement: an identifier is expected")
        if name in sys.modules and not isinstance(sys.modules[name], Package):
            raise SamewireError("misuse", text=f"there is a module {name!r} already: choose another name")
        self.name = name
        self._root = root
        sys.meta_path.insert(0, self)
        self._drop()
        # The import system expects the module's name to be the imported one.
        root.__name__ = name
        sys.modules[name] = root

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The finder of the import system, for names below ours only."""
        if name != self.name and not name.startswith(f"{self.name}."):
            return None
        return ModuleSpec(name, self, is_package=True)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The loader: returns the package. Raises ImportError for a class, which needs `from ... import`."""
        found: Any = self._root
        for step in spec.name.split(".")[1:]:
            try:
                found = getattr(found, step)
            except AttributeError:
                raise self._absent(spec.name) from None
        if not isinstance(found, Package):
            package, _, name = spec.name.rpartition(".")
            raise ImportError(  # noqa: TRY004 - what import statements raise
                f"{spec.name} is a class of Java: from {package} import {name}", name=spec.name
            )
        found.__name__ = spec.name
        return found

    def _absent(self, full: str) -> ImportError:
        """The error for a name that is missing; it suggests similar names."""
        package, _, name = full.rpartition(".")
        try:
            known = dir(sys.modules[package])
        except (KeyError, SamewireError):
            known = []
        meant = did_you_mean(name, known)
        if not meant:
            meant = (
                "check the name and the class path" if known else "it has no classes at all: check its name and the class path"
            )
        text = f"cannot import name {name!r} from {package!r}: no such class in the JVM, or its policy hides it; {meant}"
        return ImportError(text, name=full)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing to do: `create_module` returned a complete module."""

    def remove(self) -> None:
        """Removes the finder. Imported modules stay usable."""
        if self in sys.meta_path:
            sys.meta_path.remove(self)
            self._drop()

    def _drop(self) -> None:
        for name in [name for name in sys.modules if name == self.name or name.startswith(f"{self.name}.")]:
            del sys.modules[name]

    def __enter__(self) -> Importable:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()

    def __repr__(self) -> str:
        return f"<{self.name!r} in import statements, of {self._root!r}>"
