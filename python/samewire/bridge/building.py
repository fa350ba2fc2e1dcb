"""Makes the Python class of a Java class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from samewire._native import ClassInfo
from samewire.errors import SamewireError

from .collections import arrays, iterators, lists, maps, sets
from .documentation import ClassText
from .exceptions import ALSO, JavaError, arrival
from .java_class import ARRAY, Described, JavaClass
from .java_object import FUNCTIONAL, AutoCloseable, Callable, CharSequence, Comparable, JavaObject, Number
from .members import members
from .naming import split

if TYPE_CHECKING:
    from .parts import Parts

#: Base classes in Python for Java's types; more specific ones come first.
_FORMS: tuple[tuple[str, type[JavaObject]], ...] = (
    ("java.util.List", lists.JavaList),
    ("java.util.Set", sets.JavaSet),
    ("java.util.Collection", iterators.JavaCollection),
    ("java.util.Map", maps.JavaMap),
    ("java.util.Map$Entry", maps.JavaEntry),
    ("java.util.Iterator", iterators.JavaIterator),
    ("java.util.Enumeration", iterators.JavaEnumeration),
    ("java.util.stream.BaseStream", iterators.JavaIterable),
    ("java.lang.Iterable", iterators.JavaIterable),
    ("java.lang.Number", Number),
    ("java.lang.CharSequence", CharSequence),
    ("java.lang.Comparable", Comparable),
    ("java.lang.AutoCloseable", AutoCloseable),
    *((name, Callable) for name in FUNCTIONAL),
)


#: The most members of a class: a description's 6 bytes can cost 6 microseconds and a kilobyte here. Java's own classes
#: have some hundreds at most; a class file can have 65,535 methods.
MOST_MEMBERS = 65_536


def build(gateway: Parts, info: ClassInfo) -> Described:
    """The classes for a description. Of throwables, the superclasses are built first.

    Raises SamewireError `limit_items` for a class of more than MOST_MEMBERS.
    """
    if len(info.members) > MOST_MEMBERS:
        text = (
            f"{info.name} has {len(info.members)} public members, {MOST_MEMBERS} are taken: pass it to Java as it is, or call it "
            "through an interface or a superclass that has fewer"
        )
        raise SamewireError("limit_items", text=text)
    described = Described(gateway, info)
    module, qualified = split(info.name)
    bases = tuple(forms(info))
    kept = kept_names(info)
    shared: dict[str, Any] = {"__java__": described, "__module__": module, "__qualname__": qualified, "__doc__": ClassText()}
    attributes = members(gateway.session, info, kept)
    simple = qualified.rpartition(".")[2]
    described.proxy = described.face = JavaClass(simple, bases, {**attributes, **shared, "__slots__": ()})
    if described.is_a("java.lang.Throwable"):
        described.face = _throwable(gateway, described, simple, attributes, shared)
        type.__setattr__(described.proxy, "__java_arrive__", staticmethod(arrival(described)))
        type.__setattr__(described.proxy, "__java_error__", described.face)
    return described


def forms(info: ClassInfo) -> list[type[JavaObject]]:
    """The base classes in Python for a Java class."""
    if info.form == ARRAY:
        return [arrays.form(info.name)]
    names = {info.name, *info.supertypes}
    found: list[type[JavaObject]] = []
    for name, form in _FORMS:
        if name in names and not any(issubclass(other, form) for other in found):
            found.append(form)
    return found or [JavaObject]


def kept_names(info: ClassInfo) -> frozenset[str]:
    """The names that these bases reserve: Java's methods of the same names do not replace them."""
    return frozenset(name for form in forms(info) for base in form.__mro__ for name in base.__dict__.get("_kept", ()))


def _throwable(
    gateway: Parts, described: Described, simple: str, attributes: dict[str, Any], shared: dict[str, Any]
) -> JavaClass:
    """The exception class. Static members are its attributes; other members are read from the object `java`."""
    superclass = described.info.superclass
    above: Any = gateway.class_named(superclass) if described.name != "java.lang.Throwable" else JavaError
    also = ALSO.get(described.name)
    bases = (above,) if also is None or issubclass(above, also) else (above, also)
    from samewire._native import Method

    static = {
        name: member
        for name, member in attributes.items()
        if name != "__constructor__" and not isinstance(member, Method) and not hasattr(type(member), "__set__")
    }
    return JavaClass(simple, bases, {**static, **shared})
