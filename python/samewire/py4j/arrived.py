"""The classes of objects that arrive over the bridge: Py4J's proxies, whose reference is the bridge's own."""

from __future__ import annotations

import weakref
from functools import partial
from typing import TYPE_CHECKING, Any

from samewire._native import Object

from .errors import Py4JError
from .finalizer import ThreadSafeFinalizer
from .graveyard import _garbage_collect_object, finalizer_key, watch
from .java_array import JavaArray
from .java_iterator import JavaIterator
from .java_list import JavaList
from .java_map import JavaMap
from .java_object import JavaObject, _forgotten
from .java_set import JavaSet
from .member import JavaMember
from .native_member import ObjectMethod
from .reference import is_magic_member

if TYPE_CHECKING:
    from samewire._native import ClassInfo

#: `form` of an array in a description (spec/bridge.md, section 9).
_ARRAY = 4

#: `what` of a method in a description.
_METHOD = 1


class Arrived(JavaObject):
    """A Java object that gets its identifier of the text protocol only when a command needs it.

    Instances are not initialized: unset attributes are the class's.
    """

    _gateway_client: Any
    _dialect: Any
    _info: Any
    _callables: dict[str, Any]
    _method_names: frozenset[str] | None = None
    _auto_field = False
    _fully_populated = False
    _gateway_doc: Any = None

    def _callable(self, name: str) -> Any:
        """The callable for the methods of a name, which takes the receiver first."""
        found = self._callables.get(name)
        if found is None:
            found = self._callables[name] = self._dialect.make_callable(self._info, name)
        return found

    @property
    def _target_id(self) -> str:  # type: ignore[override]
        known: str | None = self.__dict__.get("_bound_id")
        if known is None:
            known = self.__dict__["_bound_id"] = self._dialect.bind(self)
            client = self._gateway_client
            if client.gateway_property.enable_memory_management:
                reference = weakref.ref(self, partial(_forgotten, client, known))
                ThreadSafeFinalizer.add_finalizer(finalizer_key(client, known), reference)
                watch(client)
        return known

    def _detach(self) -> None:
        """Releases the identifier in Java. The bridge drops the object when Python does: it may arrive again."""
        known = self.__dict__.pop("_bound_id", None)
        if known is not None:
            _garbage_collect_object(self._gateway_client, known)

    def _member(self, name: str) -> JavaMember:
        found: JavaMember = self._dialect.object_member(name, self)
        return found

    def __getattr__(self, name: str) -> Any:
        if is_magic_member(name):
            raise AttributeError(name)
        if name == "_methods":
            made: dict[str, JavaMember] = {}
            self._methods = made
            return made
        if name == "_field_names":
            names: set[str] = set()
            self._field_names = names
            return names
        if self._auto_field:
            return super().__getattr__(name)
        # Not cached: it refers to the object, so both, and Java's object, would live until the cycle collector runs.
        kind = type(self)
        if kind._method_names is None:
            kind._method_names = frozenset(member[2] for member in kind._info.members if member[0] == _METHOD)
        if name in kind._method_names:
            setattr(kind, name, ObjectMethod(name, self._callable(name), self._dialect.member_class))
        else:
            self._field_names.add(name)  # `dir` includes each name that was accessed
        return self._member(name)


class ArrivedMap(Arrived, JavaMap):
    """A map."""

    @property
    def _get(self) -> JavaMember:  # type: ignore[override]
        return self._member("get")


class ArrivedSet(Arrived, JavaSet):
    """A set."""

    @property
    def _add(self) -> JavaMember:  # type: ignore[override]
        return self._member("add")

    @property
    def _clear(self) -> JavaMember:  # type: ignore[override]
        return self._member("clear")

    @property
    def _remove(self) -> JavaMember:  # type: ignore[override]
        return self._member("remove")


class ArrivedList(Arrived, JavaList):
    """A list."""

    @property
    def java_remove(self) -> JavaMember:  # type: ignore[override]
        """Java's `remove`."""
        return self._member("remove")


class ArrivedArray(Arrived, JavaArray):
    """An array."""


class ArrivedIterator(Arrived, JavaIterator):
    """An iterator."""

    _next_name = "next"

    def next(self) -> Any:
        """Returns the next element. Any error of Java ends the iteration."""
        try:
            return self._dialect.next_of(self)
        except Py4JError:
            raise StopIteration from None

    __next__ = next


#: By Java's type; with the name that Python shows. In Py4J's order of checks.
_FORMS: tuple[tuple[str, type[Arrived], str], ...] = (
    ("java.util.List", ArrivedList, "JavaList"),
    ("java.util.Map", ArrivedMap, "JavaMap"),
    ("java.util.Set", ArrivedSet, "JavaSet"),
    ("java.util.Iterator", ArrivedIterator, "JavaIterator"),
)


def class_for(dialect: Any, client: Any, info: ClassInfo) -> type[Object]:
    """Returns a new class for the objects of a class of Java."""
    form, name = Arrived, "JavaObject"
    if info.form == _ARRAY:
        form, name = ArrivedArray, "JavaArray"
    else:
        known = {info.name, *info.supertypes}
        for interface, candidate, shown in _FORMS:
            if interface in known:
                form, name = candidate, shown
                break
    names = {
        "_gateway_client": client,
        "_dialect": dialect,
        "_info": info,
        "_callables": {},
        "_method_names": None,
        "_auto_field": client.gateway_property.auto_field,
        "__module__": form.__mro__[1].__module__,
        # A docstring of the class's own, or none, would hide the help page.
        "__doc__": vars(JavaObject)["__doc__"],
    }
    metaclass: Any = type(form)
    made: type[Object] = metaclass(name, (form, Object), names)
    return made
