"""References to Java objects: the methods of all proxies."""

from __future__ import annotations

from typing import Any

from samewire._native import BatchFuture, Object, same
from samewire.errors import SamewireError

from .java_class import Described

#: The most that `repr` shows: elements of a container, characters of another object's text.
SHOWN_ELEMENTS = 20
SHOWN = 200


class JavaObject(Object):
    """A reference to a Java object. Its methods and fields are attributes; those named like keywords of Python end in `_`.

    A field with the name of a method also ends in `_`. `str()` calls `toString()`, `==` and `hash()` call `equals` and
    `hashCode`.
    """

    __slots__ = ()

    __java__: Described

    def to_py(self, kind: Any = None, /) -> Any:
        """The object's value in Python: collections, arrays, records, enums and times, with all their elements.

        It takes one round trip, or more for a large value. Objects without a Python value stay references. kind: a type
        that `samewire.pack.codec` takes, such as `list[Book]`: the object is then converted by the type's schema.
        Raises SamewireError `schema_mismatch` or `type_mismatch` if it does not fit. A time with nanoseconds has them
        as an attribute (`bridge.Datetime`, `Time`, `Timedelta`, which extend Python's), unless `kind` is `datetime`,
        `time` or `timedelta`: these drop them.
        """
        gateway = self.__java__.gateway
        if kind is not None:
            return gateway.values.typed(self, kind)
        try:
            return gateway.operations.value(self)
        except SamewireError as error:
            if error.code != "limit_size":
                raise
            return self._in_pieces(error)

    def _in_pieces(self, error: SamewireError) -> Any:
        """The value of a container that is too large for one message, in pieces. Other objects raise the error."""
        raise error

    def __str__(self) -> str:
        return str(self.__java__.gateway.operations.text(self))

    def _shown(self) -> str:
        """The bounded text of the object for `repr`."""
        return str(self.__java__.gateway.operations.brief(self, SHOWN))

    def __repr__(self) -> str:
        described = self.__java__
        try:
            text = self._shown()
        except SamewireError as error:
            return f"<{described.name} ({error.code})>"
        except Exception as error:
            return f"<{described.name} (toString threw {type(error).__name__})>"
        return f"<{described.name} {text}>" if text else f"<{described.name}>"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, BatchFuture):
            return NotImplemented
        if isinstance(other, Object) and same(self, other):
            return True
        try:
            return bool(self.__java__.gateway.operations.equal(self, other))
        except TypeError:  # a value that cannot cross
            return NotImplemented

    def __hash__(self) -> int:
        return int(self.__java__.gateway.operations.hash(self))

    def __reduce_ex__(self, protocol: object) -> Any:
        raise TypeError(
            f"an object of {self.__java__.name} is in a JVM: it cannot be pickled or copied; to_py() may give its value"
        )


class Comparable(JavaObject):
    """Objects with a natural order: `<`, `sorted()` and `min()` use `compareTo`."""

    __slots__ = ()

    def _compared(self, other: object) -> int:
        return int(self.__java__.gateway.operations.compare(self, other))

    def __lt__(self, other: object) -> bool:
        return self._compared(other) < 0

    def __le__(self, other: object) -> bool:
        return self._compared(other) <= 0

    def __gt__(self, other: object) -> bool:
        return self._compared(other) > 0

    def __ge__(self, other: object) -> bool:
        return self._compared(other) >= 0


class AutoCloseable(JavaObject):
    """Objects that a `with` statement closes."""

    __slots__ = ()

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.__java__.gateway.operations.close(self)


class Number(JavaObject):
    """Numbers that are objects, such as AtomicInteger."""

    __slots__ = ()

    def __int__(self) -> int:
        return int(self.longValue())  # type: ignore[attr-defined]

    def __float__(self) -> float:
        return float(self.doubleValue())  # type: ignore[attr-defined]


class CharSequence(JavaObject):
    """Texts that are objects, such as StringBuilder."""

    __slots__ = ()

    def __len__(self) -> int:
        return int(self.length())  # type: ignore[attr-defined]

    def __bool__(self) -> bool:
        return len(self) > 0

    def __contains__(self, text: object) -> bool:
        return isinstance(text, str) and text in str(self)

    def __getitem__(self, index: int | slice) -> str:
        return str(self)[index]


class Callable(JavaObject):
    """Objects of a functional interface: calling them calls its one method."""

    __slots__ = ()

    def __call__(self, *arguments: Any) -> Any:
        return getattr(self, _function(self.__java__))(*arguments)


#: The functional interfaces of the platform whose objects can be called in Python.
FUNCTIONAL = {
    "java.lang.Runnable": "run",
    "java.util.Comparator": "compare",
    "java.util.concurrent.Callable": "call",
    **{f"java.util.function.{name}": "apply" for name in ("Function", "BiFunction", "UnaryOperator", "BinaryOperator")},
    **{f"java.util.function.{kind}Function": "apply" for kind in ("Int", "Long", "Double")},
    **{
        f"java.util.function.{kind}{form}Operator": f"applyAs{kind}"
        for kind in ("Int", "Long", "Double")
        for form in ("Unary", "Binary")
    },
    **{
        f"java.util.function.To{kind}{form}": f"applyAs{kind}"
        for kind in ("Int", "Long", "Double")
        for form in ("Function", "BiFunction")
    },
    **{f"java.util.function.{kind}Predicate": "test" for kind in ("", "Bi", "Int", "Long", "Double")},
    **{f"java.util.function.{kind}Consumer": "accept" for kind in ("", "Bi", "Int", "Long", "Double")},
    "java.util.function.Supplier": "get",
    **{f"java.util.function.{kind}Supplier": f"getAs{kind}" for kind in ("Boolean", "Int", "Long", "Double")},
}


def _function(described: Described) -> str:
    return next(method for name, method in FUNCTIONAL.items() if described.is_a(name))


def plain(value: Any) -> Any:
    """The Python value of an element."""
    return value.to_py() if isinstance(value, JavaObject) else value


def element(value: Any) -> str:
    """The `repr` of an element. A nested container is shown by Java's `toString`, which handles cycles."""
    return f"<{value.__java__.name} {JavaObject._shown(value)}>" if isinstance(value, JavaObject) else repr(value)
