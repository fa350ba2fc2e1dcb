"""samewire.bridge, the library under test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from keyword import iskeyword
from pathlib import Path
from typing import Any

from samewire import bridge


class Ours:
    """samewire.bridge's side of the adaptor."""

    error = bridge.JavaError
    refusals = (bridge.SamewireError, TypeError, AttributeError, ValueError, OverflowError)

    def __init__(self, gateway: bridge.Gateway) -> None:
        self.gateway = gateway
        self.java = gateway.java

    def cls(self, name: str) -> Any:
        return self.gateway.jvm[name]

    def error_class(self, name: str) -> type[BaseException]:
        return self.gateway.jvm[name]  # type: ignore[no-any-return]

    def throwable(self, error: BaseException) -> Any:
        return error.java  # type: ignore[attr-defined]

    def get(self, owner: Any, name: str) -> Any:
        return getattr(owner, field(owner, name))

    def set(self, owner: Any, name: str, value: Any) -> None:
        setattr(owner, field(owner, name), value)

    def method(self, owner: Any, name: str) -> Callable[..., Any]:
        return getattr(owner, f"{name}_" if iskeyword(name) else name)  # type: ignore[no-any-return]

    def implement(self, implementation: Any, *interfaces: str) -> Any:
        return self.gateway.implement(implementation, *interfaces)

    def array(self, element: str, *lengths: int) -> Any:
        return self.gateway.new_array(element, *lengths)

    def instance(self, value: Any, class_name: str) -> bool:
        return isinstance(value, self.gateway.jvm[class_name])

    def to_python(self, value: Any) -> Any:
        return value.to_py()


def field(owner: Any, name: str) -> str:
    """The attribute of a field: with an underscore if a method has its name."""
    return f"{name}_" if f"{name}_" in dir(owner) else name


@contextmanager
def opened(classpath: Path) -> Iterator[Ours]:
    """A gateway to a JVM of its own, by shared memory."""
    with bridge.launch(classpath=[str(classpath)]) as gateway:
        yield Ours(gateway)
