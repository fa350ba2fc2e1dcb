"""Java's types as annotations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from samewire._native import ClassInfo

from ..java_class import ANNOTATION, INTERFACE
from ..naming import split
from .generics import Generics
from .signatures import JavaType

_INTEGERS = ("byte", "short", "int", "long")
_BOXED = ("java.lang.Byte", "java.lang.Short", "java.lang.Integer", "java.lang.Long", "java.math.BigInteger")

#: The results of calls that are Python values.
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

#: Types that may be passed in place of a Java value. None is null: Java's types do not say where null is not allowed.
_PASSED = {
    **{java: f"{python} | None" for java, python in RESULTS.items() if "." in java},
    **{java: python for java, python in RESULTS.items() if "." not in java},
    "byte[]": "_b.bytes | _b.bytearray | _b.memoryview | None",
    "float": "_b.float",
    "java.lang.CharSequence": "_t.Any",
    "java.lang.Object": "_t.Any",
}


#: Interfaces for which Python's own collections may be passed, with the declared elements.
_COLLECTIONS = ("java.lang.Iterable", "java.util.Collection", "java.util.List", "java.util.Set", "java.util.SequencedCollection")

#: Java's type variables, and the names of Python's for them.
Scope = Mapping[str, str]


class Types:
    """The annotations of one file of stubs.

    root: the name of the stubs' package. classes: those that have stubs.
    """

    def __init__(self, root: str, package: str, classes: Mapping[str, ClassInfo], generics: Generics) -> None:
        self._root = root
        self._package = package
        self._classes = classes
        self.generics = generics
        #: The type variables that the file refers to.
        self.variables: set[str] = set()
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

    def scope(self, info: ClassInfo) -> dict[str, str]:
        """The type variables of a class. Nested classes have other names for them than their outer classes."""
        mark = "_" * info.name.count("$")
        return self.scoped(self.generics.of(info.name).variables, mark)

    def scoped(self, variables: Iterable[str], mark: str) -> dict[str, str]:
        """Java's type variables, with names that are unique among variables of the same name."""
        return {name: f"_{name}{mark}" for name in variables}

    def generic_result(self, java: JavaType, scope: Scope) -> str:
        """The annotation of a result or a type argument."""
        if java.name == "?":
            return self.generic_result(java.arguments[0], scope) if java.arguments else "_t.Any"
        if java.dimensions == 0 and java.name in scope:
            self.variables.add(scope[java.name])
            return scope[java.name]
        plain = self.result(java.raw)
        variables = () if java.dimensions or plain == "_t.Any" else self.generics.of(java.name).variables
        if not variables or len(variables) != len(java.arguments):
            return plain
        return f"{plain}[{', '.join(self.generic_result(one, scope) for one in java.arguments)}]"

    def generic_passed(self, java: JavaType, scope: Scope) -> str:
        """The annotation of a parameter."""
        if java.dimensions == 0 and java.name in scope:
            return f"{self.generic_result(java, scope)} | None"
        arguments = [self.generic_result(one, scope) for one in java.arguments]
        if java.name in _COLLECTIONS and len(arguments) == 1 and not java.dimensions:
            return f"_c.Iterable[{arguments[0]}] | None"
        if java.name == "java.util.Map" and len(arguments) == 2 and not java.dimensions:
            given = f"_c.Mapping[{arguments[0]}, {arguments[1]}]"
            return f"{given} | {self.generic_result(java, scope)} | None"
        plain = self.passed(java.raw)
        return plain if plain == "_t.Any" or not arguments or java.dimensions else f"{self.generic_result(java, scope)} | None"

    def result(self, java: str) -> str:
        """The annotation of a result or a field, without type arguments."""
        if java in RESULTS:
            return RESULTS[java]
        if java.endswith("[]"):
            element = java[:-2]
            return "_arrays.PrimitiveArray" if element in RESULTS and "." not in element else "_arrays.ObjectArray"
        return self.name(java) or "_t.Any"

    def passed(self, java: str) -> str:
        """The annotation of a parameter, without type arguments. Any for an interface: Python may implement it."""
        if java in _PASSED:
            return _PASSED[java]
        info = self._classes.get(java)
        if java.endswith("[]") or info is None or info.form in (INTERFACE, ANNOTATION):
            return "_t.Any"
        return f"{self.name(java)} | None"


def alias(package: str) -> str:
    """The name under which a file of stubs imports another package."""
    return "_" + package.replace("_", "__").replace(".", "_")
