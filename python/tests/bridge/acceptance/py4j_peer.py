"""Py4J 0.10.9, with the conversions of collections and fields that it documents switched on."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from py4j.java_gateway import (
    CallbackServerParameters,
    GatewayParameters,
    JavaGateway,
    get_field,
    get_method,
    is_instance_of,
    launch_gateway,
    set_field,
)
from py4j.protocol import Py4JError, Py4JJavaError


class Py4J:
    """Py4J's side of the adaptor."""

    error = Py4JJavaError
    refusals = (Py4JError, TypeError, AttributeError, ValueError)

    def __init__(self, gateway: JavaGateway) -> None:
        self.gateway = gateway
        self.java = gateway.jvm.java

    def cls(self, name: str) -> Any:
        found = getattr(self.gateway.jvm, name)
        assert type(found).__name__ == "JavaClass", f"{name} is not a class"
        return found

    def error_class(self, name: str) -> type[BaseException]:
        raise NotImplementedError("Java's exceptions have no Python classes of their own")

    def throwable(self, error: BaseException) -> Any:
        return error.java_exception  # type: ignore[attr-defined]

    def get(self, owner: Any, name: str) -> Any:
        return getattr(owner, name) if type(owner).__name__ == "JavaClass" else get_field(owner, name)

    def set(self, owner: Any, name: str, value: Any) -> None:
        if type(owner).__name__ == "JavaClass":
            setattr(owner, name, value)
        else:
            set_field(owner, name, value)

    def method(self, owner: Any, name: str) -> Callable[..., Any]:
        return getattr(owner, name) if type(owner).__name__ == "JavaClass" else get_method(owner, name)  # type: ignore[no-any-return]

    def implement(self, implementation: Any, *interfaces: str) -> Any:
        type(implementation).Java = type("Java", (), {"implements": list(interfaces)})
        return implementation

    def array(self, element: str, *lengths: int) -> Any:
        return self.gateway.new_array(getattr(self.gateway.jvm, element), *lengths)

    def instance(self, value: Any, class_name: str) -> bool:
        return bool(is_instance_of(self.gateway, value, class_name))

    def to_python(self, value: Any) -> Any:
        raise NotImplementedError("Java's objects are not copied by value")


@contextmanager
def opened(classpath: Path) -> Iterator[Py4J]:
    """A gateway to a JVM of its own, on ports that the system chooses."""
    # It logs every exception that passes, with its stack.
    logging.disable(logging.CRITICAL)
    port, token = launch_gateway(classpath=str(classpath), die_on_exit=True, enable_auth=True)
    gateway = JavaGateway(
        gateway_parameters=GatewayParameters(port=port, auth_token=token, auto_convert=True),
        callback_server_parameters=CallbackServerParameters(port=0, daemonize=True, daemonize_connections=True),
    )
    server = gateway.java_gateway_server
    server.resetCallbackClient(server.getCallbackClient().getAddress(), gateway.get_callback_server().get_listening_port())
    try:
        yield Py4J(gateway)
    finally:
        gateway.shutdown()
