"""Java's packages as modules of Python."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any

from .errors import NoSuchName
from .naming import PRIMITIVES, did_you_mean, java_name, nested

if TYPE_CHECKING:
    from .parts import Parts


class Package(ModuleType):
    """A package. Its packages and classes are its attributes, looked up on first access.

    A name in lower case is assumed to be a package, without a call of the gateway. If it is called, or an attribute of
    it does not exist, it is tried as a class. `gateway.jvm["a.b.c"]` is always the class.
    """

    def __init__(self, gateway: Parts, name: str) -> None:
        super().__init__(name or "jvm")
        self.__dict__["__gateway__"] = gateway
        self.__dict__["__package_name__"] = name
        self.__path__: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        found = self.__find(java_name(name))
        self.__dict__[name] = found
        return found

    def __find(self, name: str) -> Any:
        gateway: Parts = self.__dict__["__gateway__"]
        own: str = self.__dict__["__package_name__"]
        full = f"{own}.{name}" if own else name
        if not own and name in PRIMITIVES:
            return gateway.class_named(name)
        if not name[:1].isupper():
            return Package(gateway, full)
        found = gateway.find_class(full)
        if found is None and not own:
            found = gateway.find_class(f"java.lang.{name}")
        if found is None and own:
            # The package may be a class with a name in lower case, and this its static member, nested class or
            # constant.
            outer = gateway.find_class(own)
            found = None if outer is None else getattr(outer, name)
        if found is None and gateway.operations.names(full):
            return Package(gateway, full)
        if found is None:
            close = did_you_mean(name, gateway.operations.names(own)) or "check the class path"
            raise NoSuchName(f"no class and no package {full!r} in the JVM, or its policy hides it; {close}")
        return found

    def __getitem__(self, name: str) -> Any:
        """The class of a binary name, below this package; nested names after `$` or `.`. Raises NoSuchName."""
        own: str = self.__dict__["__package_name__"]
        return self.__dict__["__gateway__"].class_named(f"{own}.{name}" if own else name)

    def __call__(self, *arguments: Any) -> Any:
        """Calls a constructor or static method, if the package is in fact a class with a name in lower case."""
        gateway: Parts = self.__dict__["__gateway__"]
        own: str = self.__dict__["__package_name__"]
        found = gateway.find_class(own)
        if found is not None:
            return found(*arguments)
        outer, _, member = own.rpartition(".")
        found = gateway.find_class(outer) if outer else None
        if found is not None:
            return getattr(found, member)(*arguments)
        text = f"no class {own!r} in the JVM, nor a static method of that name, or its policy hides it"
        raise NoSuchName(text + _meant(own, gateway))

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name.startswith("__") and name.endswith("__")) and not isinstance(value, Package):
            raise AttributeError(f"package {self.__dict__['__package_name__']} has no attributes to set: {name}")
        super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        """The names of classes and packages from the gateway, for completion in shells and editors."""
        known = {name for name in self.__dict__ if not name.startswith("__")}
        return sorted(known.union(self.__dict__["__gateway__"].operations.names(self.__dict__["__package_name__"])))

    def __repr__(self) -> str:
        name = self.__dict__["__package_name__"]
        return f"<Java package {name}>" if name else "<names of the JVM>"


def _meant(name: str, gateway: Parts) -> str:
    """A suggestion for a program that calls `gateway.name(...)`: every unknown attribute of a gateway is a package."""
    from difflib import get_close_matches

    close = get_close_matches(name, [own for own in dir(type(gateway)) if not own.startswith("_")], 1)
    return f"; did you mean gateway.{close[0]}?" if close else ""


def names_of(dotted: str) -> list[str]:
    """The binary names to try for a name as written in programs."""
    return [dotted] if "$" in dotted or dotted.startswith("[") else nested(dotted)
