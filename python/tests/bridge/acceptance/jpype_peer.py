"""JPype 1.7, which converts texts to `str` if it is asked to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import jpype

PRIMITIVES = {
    "boolean": jpype.JBoolean,
    "byte": jpype.JByte,
    "char": jpype.JChar,
    "short": jpype.JShort,
    "int": jpype.JInt,
    "long": jpype.JLong,
    "float": jpype.JFloat,
    "double": jpype.JDouble,
}


class JPype:
    """JPype's side of the adaptor."""

    error = jpype.JException
    refusals = (TypeError, AttributeError, ValueError, OverflowError)

    def __init__(self) -> None:
        self.java = jpype.java

    def cls(self, name: str) -> Any:
        return jpype.JClass(name)

    def error_class(self, name: str) -> type[BaseException]:
        return jpype.JClass(name)  # type: ignore[no-any-return]

    def throwable(self, error: BaseException) -> Any:
        return error

    def get(self, owner: Any, name: str) -> Any:
        return getattr(owner, name)

    def set(self, owner: Any, name: str, value: Any) -> None:
        setattr(owner, name, value)

    def method(self, owner: Any, name: str) -> Callable[..., Any]:
        return getattr(owner, name if hasattr(owner, name) else name + "_")  # type: ignore[no-any-return]

    def implement(self, implementation: Any, *interfaces: str) -> Any:
        return jpype.JProxy(list(interfaces), inst=implementation)

    def array(self, element: str, *lengths: int) -> Any:
        kind = PRIMITIVES.get(element) or jpype.JClass(element)
        if len(lengths) == 1:
            return jpype.JArray(kind)(lengths[0])
        outer = jpype.JArray(kind, len(lengths))(lengths[0])
        for index in range(lengths[0]):
            outer[index] = self.array(element, *lengths[1:])
        return outer

    def instance(self, value: Any, class_name: str) -> bool:
        return isinstance(value, jpype.JClass(class_name))

    def to_python(self, value: Any) -> Any:
        raise NotImplementedError("Java's objects are not copied by value")


@contextmanager
def opened(classpath: Path) -> Iterator[JPype]:
    """The JVM within this process, which cannot be started twice."""
    jpype.startJVM(classpath=[str(classpath)], convertStrings=True)
    yield JPype()
