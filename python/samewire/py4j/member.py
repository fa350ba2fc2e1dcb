"""Methods of objects and classes."""

from __future__ import annotations

from typing import Any

from .arguments import converted, detach
from .dialects import dialect_of
from .help_page import gateway_help


class JavaMember:
    """A method of an object, or of a class if `container` is None."""

    def __init__(self, name: str, container: Any, target_id: str | None, gateway_client: Any) -> None:
        self.name = name
        self.container = container
        self.gateway_client = gateway_client
        self.pool = gateway_client.gateway_property.pool
        self.converters = gateway_client.converters
        self._gateway_doc: Any = None
        self._target_id = target_id
        self._header: str | None = None

    @property
    def target_id(self) -> str:
        """The identifier of the object, `z:` and the name of a class."""
        if self._target_id is None:
            self._target_id = self.container._target_id
        return self._target_id

    @property
    def command_header(self) -> str:
        """The lines of a command that name the method."""
        if self._header is None:
            self._header = f"{self.target_id}\n{self.name}\n"
        return self._header

    @property
    def __doc__(self) -> Any:  # type: ignore[override]
        """The help page of the method."""
        if self._gateway_doc is None:
            self._gateway_doc = gateway_help(self.gateway_client, self, display=False)
        return self._gateway_doc

    def stream(self, *args: Any) -> Any:
        """Calls the method, whose result is a stream of bytes: returns a context manager with `read()`."""
        made: list[Any] = []
        passed: Any = args
        if self.converters:
            passed, made = converted(args, self.converters, self.gateway_client)
        connection = dialect_of(self.gateway_client).stream(self, passed)
        detach(made)
        return connection

    def __call__(self, *args: Any) -> Any:
        client = self.gateway_client
        if not self.converters:
            return dialect_of(client).call(self, args)
        passed, made = converted(args, self.converters, client)
        result = dialect_of(client).call(self, passed)
        if made:
            detach(made)
        return result
