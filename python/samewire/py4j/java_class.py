"""Classes of Java."""

from __future__ import annotations

from typing import Any

from .arguments import converted, detach
from .constants import STATIC_PREFIX
from .dialects import dialect_of
from .errors import Py4JError
from .help_page import gateway_help
from .member import JavaMember
from .reference import is_magic_member
from .text import CLASS, METHOD, VALUE


class JavaClass:
    """A class of Java: its static members are attributes, a call constructs an object."""

    def __init__(self, fqn: str, gateway_client: Any) -> None:
        self._fqn = fqn
        self._gateway_client = gateway_client
        self._pool = gateway_client.gateway_property.pool
        self._command_header = fqn + "\n"
        self._converters = gateway_client.converters
        self._gateway_doc: Any = None
        self._statics: list[str] | None = None

    @property
    def __doc__(self) -> Any:  # type: ignore[override]
        """The help page of the class."""
        if self._gateway_doc is None:
            self._gateway_doc = gateway_help(self._gateway_client, self, display=False)
        return self._gateway_doc

    def __dir__(self) -> list[str]:
        if self._statics is None:
            self._statics = dialect_of(self._gateway_client).dir_static(self)
        return self._statics[:]

    @property
    def _java_lang_class(self) -> Any:
        return dialect_of(self._gateway_client).java_lang_class(self)

    def __getattr__(self, name: str) -> Any:
        if is_magic_member(name):
            raise AttributeError(name)
        dialect = dialect_of(self._gateway_client)
        made = dialect.place(self, name, dialect.attributes, (self._fqn, name))
        if made is not None:
            return made
        kind, value = dialect.member(self, name)
        if kind == METHOD:
            if dialect.static_member is None:
                made = JavaMember(name, None, STATIC_PREFIX + self._fqn, self._gateway_client)
            else:
                made = dialect.static_member(self._fqn, name)
        elif kind == CLASS:
            made = JavaClass(f"{self._fqn}${name}", self._gateway_client)
        elif kind == VALUE:
            return value
        else:
            raise Py4JError(f"{self._fqn}.{name} does not exist in the JVM")
        dialect.keep_attribute(self._fqn, name, made)
        return made

    def __call__(self, *args: Any) -> Any:
        client = self._gateway_client
        if not self._converters:
            return dialect_of(client).construct(self, args)
        passed, made = converted(args, self._converters, client)
        result = dialect_of(client).construct(self, passed)
        detach(made)
        return result
