"""A gateway whose threads keep their thread of Java, and its server for Java's calls."""

from __future__ import annotations

from collections import deque
from typing import Any

from .callback_server import CallbackServer
from .gateway import JavaGateway
from .pinned_client import JavaClient
from .pinned_connection import ClientServerConnection
from .pinned_parameters import JavaParameters, PythonParameters


class PythonServer(CallbackServer):
    """Listens for the connections of Java's threads. What Python calls within a callback goes over its connection."""

    def __init__(self, java_client: Any, java_parameters: Any, python_parameters: Any, gateway_property: Any) -> None:
        super().__init__(pool=gateway_property.pool, gateway_client=java_client, callback_server_parameters=python_parameters)
        self.java_parameters = java_parameters
        self.python_parameters = python_parameters
        self.gateway_property = gateway_property

    def _create_connection(self, socket: Any, stream: Any) -> Any:
        connection = ClientServerConnection(
            self.java_parameters, self.python_parameters, self.gateway_property, self.gateway_client, python_server=self
        )
        connection.init_socket_from_python_server(socket, stream)
        return connection


class ClientServer(JavaGateway):
    """A JavaGateway in which a thread of Python has one thread of Java: callbacks run on the thread that called Java."""

    def __init__(self, java_parameters: Any = None, python_parameters: Any = None, python_server_entry_point: Any = None) -> None:
        self.java_parameters = java_parameters or JavaParameters()
        self.python_parameters = python_parameters or PythonParameters()
        super().__init__(
            gateway_parameters=self.java_parameters,
            callback_server_parameters=self.python_parameters,
            python_server_entry_point=python_server_entry_point,
        )

    def _create_gateway_client(self) -> Any:
        return JavaClient(self.java_parameters, self.python_parameters, finalizer_deque=deque())

    def _create_callback_server(self, callback_server_parameters: Any) -> Any:
        return PythonServer(self._gateway_client, self.java_parameters, self.python_parameters, self.gateway_property)
