"""Java's types as annotations."""

from __future__ import annotations

from collections.abc import Mapping

from samewire._native import ClassInfo

from ..java_class import ANNOTATION, INTERFACE
from ..naming import split

_INTEGERS = ("byte", "short", "int", "long")
_BOXED = ("java.lang.Byte", "java.lang.Short", "java.lang.Integer", "java.lang.Long", "java.math.BigInteger")

#: What a call returns, where that is a value of Python's own.
RESULTS = {
    "void": "None",
    "boolean": "_b.bool",
    "char": "_b.str",
    "float": "_b.float",
    "double": "_b.float",
    "byte[]": "_b.bytes",
    "java.lang.String": "_b.str",
    "java.lang.Boolean": "_b.bool",
    "java.lang.Character": "_b.str",
    "java.lang.Float": "_b.float",
    "java.lang.Double": "_b.float",
    "java.math.BigDecimal": "_d.Decimal",
    **dict.fromkeys((*_INTEGERS, *_BOXED), "_b.int"),
}

#: What may be passed, where a value of Python's own may. None is null; nobody says where Java takes none.
_PASSED = {
    **{java: f"{python} | None" for java, python in RESULTS.items() if "." in java},
    **{java: python for java, python in RESULTS.items() if "." not in java},
    "byte[]": "_b.bytes | _b.bytearray | _b.memoryview | None",
    "float": "_b.float",
    "java.lang.CharSequence": "_t.Any",
    "java.lang.Object": "_t.Any",
}


class Types:
    """The annotations of one file of stubs.

    root: the name of the stubs' package. classes: those that have stubs.
    """

    def __init__(self, root: str, package: str, classes: Mapping[str, ClassInfo]) -> None:
        self._root = root
        self._package = package
        self._classes = classes
        #: The other packages that the file refers to.
        self.packages: set[str] = set()

    def name(self, binary: str) -> str | None:
        """A class as the file names it, or None if it has no stubs."""
        if binary not in self._classes:
            return None
        package, qualified = split(binary)
        if package == self._package:
            return f"_here.{qualified}"
        self.packages.add(package)
        return f"{alias(package)}.{qualified}"

    def result(self, java: str) -> str:
        """The annotation of a result or a field."""
        if java in RESULTS:
            return RESULTS[java]
        if java.endswith("[]"):
            element = java[:-2]
            return "_arrays.PrimitiveArray" if element in RESULTS and "." not in element else "_arrays.ObjectArray"
        return self.name(java) or "_t.Any"

    def passed(self, java: str) -> str:
        """The annotation of a parameter. Of an interface's, Any: Python's objects may implement it."""
        if java in _PASSED:
            return _PASSED[java]
        info = self._classes.get(java)
        if java.endswith("[]") or info is None or info.form in (INTERFACE, ANNOTATION):
            return "_t.Any"
        return f"{self.name(java)} | None"


def alias(package: str) -> str:
    """The name under which a file of stubs imports another package."""
    return "_" + package.replace("_", "__").replace(".", "_")
