"""Java classes as Python classes: their metaclass, and the description of the Java class in each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from samewire._native import BatchFuture, ClassInfo, Field, subclass_check

from .errors import NoSuchName
from .naming import attribute

if TYPE_CHECKING:
    from .parts import Parts

#: `form` of a description (spec/bridge.md, section 9).
CLASS, INTERFACE, ENUM, RECORD, ARRAY, PRIMITIVE, ANNOTATION = range(7)

#: `what` of a member.
CONSTRUCTOR, METHOD, FIELD = range(3)

#: `flags` of a member.
STATIC, VARARGS, FINAL, DEFAULT, ABSTRACT = 1, 2, 4, 8, 16


class Described:
    """The description of a Java class, `__java__` of its Python class."""

    __slots__ = ("face", "form", "functional", "gateway", "info", "inner", "name", "number", "proxy", "supertypes")

    def __init__(self, gateway: Parts, info: ClassInfo) -> None:
        self.gateway = gateway
        self.info = info
        self.name = info.name
        self.number = info.number
        self.form = info.form
        self.functional = info.functional
        self.supertypes = frozenset(info.supertypes)
        self.inner = {attribute(simple): binary for simple, binary in info.inner}
        #: The class of references, and the public class: the same, except for throwables.
        self.proxy: type[Any]
        self.face: JavaClass

    def is_a(self, other: str) -> bool:
        """Whether the class is, extends or implements the class of that binary name."""
        return self.name == other or other in self.supertypes


class Constant:
    """A static final field. The first read replaces it by its value, which cannot change."""

    __slots__ = ("field", "name")

    def __init__(self, field: Field, name: str) -> None:
        self.field = field
        self.name = name

    def __get__(self, instance: object, owner: type) -> Any:
        value = self.field.__get__(None, owner)
        if not isinstance(value, BatchFuture):
            for holder in owner.__mro__:
                if holder.__dict__.get(self.name) is self:
                    type.__setattr__(holder, self.name, value)
        return value


def refusal_to_extend(name: str, above: Described) -> Callable[..., Any]:
    """A constructor that raises an error with the alternative."""
    java = above.name
    advice = (
        f"write class {name}: without a base, behind @bridge.implements({java!r}), and pass its objects, or a callable"
        if above.form == INTERFACE
        else f"extend {java} in Java, with a method or constructor that takes an interface, and pass it an object that implements that"
    )

    def refuse(*arguments: Any, **named: Any) -> Any:
        raise TypeError(
            f"{name} cannot extend {java}: Python's classes implement Java's interfaces and extend no class; {advice}"
        )

    return refuse


class JavaClass(type):
    """The class of Java's classes in Python: `gateway.java.util.ArrayList` is an instance.

    Calling it constructs an object. Static members, enum constants and nested classes are its attributes. `isinstance` and
    `issubclass` know all superclasses and interfaces.
    """

    __java__: Described

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **options: Any) -> JavaClass:
        """A program's subclass of a Java class has no instances: a Python object cannot be one of a Java class."""
        above = next((base for base in bases if "__java__" in base.__dict__ and isinstance(base, JavaClass)), None)
        if "__java__" not in namespace and above is not None:
            namespace = {**namespace, "__constructor__": refusal_to_extend(name, above.__java__)}
        return super().__new__(cls, name, bases, namespace, **options)

    def __instancecheck__(cls, instance: Any) -> bool:
        return cls.__subclasscheck__(type(instance))

    def __subclasscheck__(cls, subclass: type) -> bool:
        described = cls.__dict__.get("__java__")
        if described is None or not isinstance(subclass, JavaClass):
            return type.__subclasscheck__(cls, subclass)
        other = subclass.__java__
        return other.gateway is described.gateway and (
            other.is_a(described.name) or (described.name == "java.lang.Object" and other.form != PRIMITIVE)
        )

    def __getattr__(cls, name: str) -> Any:
        """Looks up nested classes, also of superclasses, as in Java."""
        described = cls.__dict__.get("__java__")
        if described is None or (name.startswith("__") and name.endswith("__")):
            raise AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}")
        binary = described.inner.get(name)
        if binary is not None:
            return described.gateway.class_named(binary)
        raise NoSuchName(f"class {described.name} has no public static member and no nested class {name!r}")

    def __setattr__(cls, name: str, value: Any) -> None:
        member = cls.__dict__.get(name)
        if isinstance(member, Field):
            member.assign(value)
        elif name.startswith("__"):
            type.__setattr__(cls, name, value)
        else:
            reason = "is final" if name in cls.__dict__ else "does not exist"
            raise AttributeError(f"{cls.__java__.name}.{name} cannot be set: the static field {reason}")

    def __delattr__(cls, name: str) -> None:
        raise AttributeError(f"{cls.__java__.name}.{name} cannot be deleted")

    def __dir__(cls) -> list[str]:
        return sorted({*type.__dir__(cls), *cls.__java__.inner})

    @property
    def class_(cls) -> Any:
        """The `java.lang.Class`: `ArrayList.class` in Java."""
        described = cls.__java__
        return described.gateway.operations.class_of(described.name)

    def __iter__(cls) -> Iterator[Any]:
        """The constants of an enum."""
        described = cls.__java__
        if described.form != ENUM:
            raise TypeError(f"class {described.name} is not an enum: only enums can be iterated")
        return iter(cls.values())

    def __len__(cls) -> int:
        return len(list(iter(cls)))

    def __bool__(cls) -> bool:
        return True

    def __getitem__(cls, name: Any) -> Any:
        """An enum constant by its name, or NoSuchName. For types (`ArrayList[str]`) the class: Java erases them."""
        described = cls.__java__
        if described.form != ENUM and not isinstance(name, str):
            return cls
        if described.form != ENUM:
            raise TypeError(f"class {described.name} is not an enum: only enums have constants by name")
        found = cls.__dict__.get(attribute(name))
        if not isinstance(found, Constant | cls):
            raise NoSuchName(f"enum {described.name} has no constant {name!r}")
        return getattr(cls, attribute(name))

    def __repr__(cls) -> str:
        described = cls.__dict__.get("__java__")
        return f"<Java class {described.name}>" if described is not None else type.__repr__(cls)


#: Called each time that a Java exception is raised.
type.__setattr__(JavaClass, "__subclasscheck__", subclass_check(JavaClass, JavaClass.__subclasscheck__))


def described(value: Any) -> Described | None:
    """The description of a value's Java class, or of a Java class itself; None for other values."""
    kind = value if isinstance(value, JavaClass) else type(value)
    return kind.__dict__.get("__java__") if isinstance(kind, JavaClass) else None
