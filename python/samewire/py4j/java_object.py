"""Objects of Java."""

from __future__ import annotations

import weakref
from functools import partial
from typing import Any

from .compat import hasattr2
from .dialects import dialect_of
from .finalizer import ThreadSafeFinalizer
from .graveyard import _garbage_collect_object, finalizer_key, watch
from .help_page import gateway_help
from .member import JavaMember
from .reference import Reference, is_magic_member


def _forgotten(gateway_client: Any, target_id: str, _: Any) -> None:
    _garbage_collect_object(gateway_client, target_id)


class JavaObject(Reference):
    """An object of Java. Its attributes are methods; with `auto_field` also fields."""

    _target_id: str

    def __init__(self, target_id: str, gateway_client: Any) -> None:
        shared = gateway_client.gateway_property
        self._target_id = target_id
        self._gateway_client = gateway_client
        self._auto_field: bool = shared.auto_field
        self._methods: dict[str, JavaMember] = {}
        self._field_names: set[str] = set()
        self._fully_populated = False
        self._gateway_doc: Any = None
        if shared.enable_memory_management:
            reference = weakref.ref(self, partial(_forgotten, gateway_client, target_id))
            ThreadSafeFinalizer.add_finalizer(finalizer_key(gateway_client, target_id), reference)
            watch(gateway_client)

    def _detach(self) -> None:
        _garbage_collect_object(self._gateway_client, self._target_id)

    def _get_object_id(self) -> str:
        return self._target_id

    @property
    def __doc__(self) -> Any:  # type: ignore[override]
        """The help page of the object."""
        if self._gateway_doc is None:
            self._gateway_doc = gateway_help(self._gateway_client, self, display=False)
        return self._gateway_doc

    def __getattr__(self, name: str) -> Any:
        if is_magic_member(name):
            raise AttributeError(name)
        known = self._methods.get(name)
        if known is not None:
            return known
        if self._auto_field:
            found, value = self._get_field(name)
            if found:
                self._field_names.add(name)
                return value
        member = self._methods[name] = self._member(name)
        return member

    def _member(self, name: str) -> JavaMember:
        return JavaMember(name, self, self._target_id, self._gateway_client)

    def __dir__(self) -> list[str]:
        self._populate_fields()
        return list(self._methods.keys() | self._field_names)

    def _populate_fields(self) -> None:
        if self._fully_populated:
            return
        dialect = dialect_of(self._gateway_client)
        if self._auto_field:
            self._field_names.update(dialect.dir_fields(self))
        for name in dialect.dir_methods(self):
            if name not in self._methods:
                self._methods[name] = self._member(name)
        self._fully_populated = True

    def _get_field(self, name: str) -> tuple[bool, Any]:
        found: tuple[bool, Any] = dialect_of(self._gateway_client).find_field(self, name)
        return found

    def __eq__(self, other: object) -> Any:
        if other is None:
            return False
        if hasattr2(other, "_get_object_id"):
            return self.equals(other)
        return other.__eq__(self)

    def __hash__(self) -> Any:
        return self.hashCode()

    def __str__(self) -> Any:
        return self.toString()

    def __repr__(self) -> str:
        return "JavaObject id=" + self._target_id
