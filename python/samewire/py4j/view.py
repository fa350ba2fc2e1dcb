"""Packages, and views: names with imports of their own."""

from __future__ import annotations

from typing import Any

from .constants import DEFAULT_JVM_ID, REFERENCE_TYPE
from .dialects import dialect_of, settled_dialect_of
from .errors import Py4JError
from .java_class import JavaClass
from .protocol import compute_exception_message, escape_new_line
from .reference import is_magic_member
from .text import CLASS, PACKAGE


class UserHelpAutoCompletion:
    """Type the name of a package, or of a class.

    A class is reached by its full name, `gateway.jvm.java.util.Random()`, or by its own if it is of `java.lang`, or was imported:

    >>> from py4j.java_gateway import java_import           # doctest: +SKIP
    >>> java_import(gateway.jvm, "com.example.Class1")      # doctest: +SKIP
    >>> instance = gateway.jvm.Class1()                     # doctest: +SKIP

    Only imported names are among the completions.
    """

    KEY = "<package or class name>"


def java_import(jvm_view: Any, import_str: str) -> Any:
    """Imports a class, `java.util.List`, or all of a package, `java.util.*`, to a view."""
    return settled_dialect_of(jvm_view._gateway_client).java_import(jvm_view, escape_new_line(import_str))


class JavaPackage:
    """A package of Java, or a part of its name."""

    def __init__(self, fqn: str, gateway_client: Any, jvm_id: str | None = None) -> None:
        self._fqn = fqn
        self._gateway_client = gateway_client
        self._jvm_id = DEFAULT_JVM_ID if jvm_id is None else jvm_id

    def __dir__(self) -> list[str]:
        return [UserHelpAutoCompletion.KEY]

    def __getattr__(self, name: str) -> Any:
        if name == UserHelpAutoCompletion.KEY:
            return UserHelpAutoCompletion
        if name == "__call__":
            raise Py4JError("Trying to call a package.")
        if is_magic_member(name):
            raise AttributeError(name)
        fqn = f"{self._fqn}.{name}"
        dialect = dialect_of(self._gateway_client)
        made = dialect.place(self, name, dialect.named, (self._jvm_id, fqn))
        if made is None:
            made, _ = _resolved(dialect, self._gateway_client, fqn, self._jvm_id)
        if made is None:
            raise Py4JError(f"{fqn} does not exist in the JVM")
        return made


class JVMView:
    """The packages and classes of a JVM by name, with imports."""

    def __init__(self, gateway_client: Any, jvm_name: str, id: str | None = None, jvm_object: Any = None) -> None:
        self._gateway_client = gateway_client
        self._jvm_name = jvm_name
        if id is not None:
            self._id = id
        elif jvm_object is not None:
            self._id = REFERENCE_TYPE + jvm_object._get_object_id()
            # Java's view lives as long as this one.
            self._jvm_object = jvm_object
        self._dir_sequence_and_cache: tuple[str | None, list[str]] = (None, [])

    def __dir__(self) -> list[str]:
        names = dialect_of(self._gateway_client).dir_view(self, self._dir_sequence_and_cache[0])
        if names is not None:
            self._dir_sequence_and_cache = (names[0], [*names[1:], UserHelpAutoCompletion.KEY])
        return self._dir_sequence_and_cache[1][:]

    def __getattr__(self, name: str) -> Any:
        if name == UserHelpAutoCompletion.KEY:
            return UserHelpAutoCompletion()
        if name.startswith("_") and name in ("_id", "_jvm_object", "_gateway_client"):
            raise AttributeError(name)  # a view without its parts: a copy that is being made
        dialect = settled_dialect_of(self._gateway_client)
        made = dialect.place(self, name, dialect.named, (self._id, name))
        if made is None:
            made, message = _resolved(dialect, self._gateway_client, name, self._id)
            if made is None:
                raise Py4JError(compute_exception_message(f"{name} does not exist in the JVM", message))
        return made


def _resolved(dialect: Any, client: Any, name: str, view_id: str) -> tuple[Any, Any]:
    """Returns the package or class that a name means in a view, or None and a message or None."""
    kind, found = dialect.resolve(name, view_id)
    made: Any
    if kind == PACKAGE:
        made = JavaPackage(name, client, view_id)
        # A class of the name may still come; not one of a name that classes do not have.
        if not name.rpartition(".")[2][:1].islower():
            return made, None
    elif kind == CLASS:
        made = JavaClass(found, client)
    else:
        return None, found
    dialect.keep_name(view_id, name, made)
    return made, None
