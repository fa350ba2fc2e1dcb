"""JVMs with a server of Py4J's, for tests."""

from __future__ import annotations

import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from samewire.py4j import java_gateway
from samewire.py4j.clientserver import ClientServer, JavaParameters, PythonParameters
from samewire.py4j.launching import OUR_JAR
from samewire.py4j.protocol import Py4JNetworkError

if TYPE_CHECKING:
    from collections.abc import Iterator

#: The jar of the incumbent, which the lab installs.
INCUMBENT = Path(sys.prefix) / "share/py4j/py4j0.10.9.9.jar"

#: Which jar a server has, and whether clients keep to the text protocol.
KINDS: dict[str, tuple[Path, bool]] = {
    "incumbent": (INCUMBENT, False),
    "text": (OUR_JAR, True),
    "native": (OUR_JAR, False),
}


class Server:
    """A JVM with a server, which ends with this process.

    classpath: where its program's own classes are.
    """

    def __init__(self, kind: str, classpath: str = "") -> None:
        self.kind = kind
        jar = KINDS[kind][0]
        self.port, self.token, self.process = java_gateway.launch_gateway(
            jarpath=str(jar),
            classpath=classpath,
            die_on_exit=True,
            enable_auth=True,
            return_proc=True,
            javaopts=["-Xshare:auto", "-XX:TieredStopAtLevel=1"],
        )
        self.token = self.token.decode()

    def end(self) -> None:
        """Kills the JVM."""
        self.process.kill()
        self.process.wait()

    def parameters(self, **more: Any) -> java_gateway.GatewayParameters:
        """Returns parameters for this server."""
        return java_gateway.GatewayParameters(port=self.port, auth_token=self.token, **more)

    @contextmanager
    def gateway(self, **more: Any) -> Iterator[java_gateway.JavaGateway]:
        """A gateway to this server."""
        made = java_gateway.JavaGateway(gateway_parameters=self.parameters(**more))
        try:
            yield made
        finally:
            made.close()

    @contextmanager
    def callbacks(self, **more: Any) -> Iterator[java_gateway.JavaGateway]:
        """A gateway to this server, with a callback server that the JVM knows."""
        made = java_gateway.JavaGateway(
            gateway_parameters=self.parameters(),
            callback_server_parameters=java_gateway.CallbackServerParameters(
                port=0, daemonize=True, daemonize_connections=True, accept_timeout=0.2, **more
            ),
        )
        try:
            server = made.get_callback_server()
            made.java_gateway_server.resetCallbackClient(
                made.jvm.java.net.InetAddress.getByName("127.0.0.1"), server.get_listening_port()
            )
            yield made
        finally:
            made.close()

    @contextmanager
    def pinned(self, **more: Any) -> Iterator[ClientServer]:
        """A ClientServer to one of Java's within this JVM."""
        with self.gateway() as outer:
            built = outer.jvm.py4j.ClientServer.ClientServerBuilder().javaPort(0).authToken(self.token)
            java = built.build()
            java.startServer()
            made = ClientServer(
                JavaParameters(port=java.getJavaServer().getListeningPort(), auth_token=self.token),
                PythonParameters(
                    port=0, daemonize=True, daemonize_connections=True, auth_token=self.token, accept_timeout=0.2, **more
                ),
            )
            try:
                yield made
            finally:
                made.close()
                with suppress(Py4JNetworkError):  # a test may have killed the JVM
                    java.shutdown()
