"""The gateway: a program's access to Java."""

from __future__ import annotations

from typing import Any

from .callback_server import CallbackServer
from .client import GatewayClient
from .constants import DEFAULT_JVM_ID, DEFAULT_JVM_NAME, ENTRY_POINT_OBJECT_ID, GATEWAY_SERVER_OBJECT_ID
from .errors import Py4JError, Py4JNetworkError
from .help_page import gateway_help
from .java_object import JavaObject
from .launching import launch_gateway
from .log import deprecated, logger
from .parameters import DEFAULT_PYTHON_PROXY_PORT, CallbackServerParameters, GatewayParameters
from .pool import GatewayProperty, PythonProxyPool
from .protocol import INPUT_CONVERTER, unescape_new_line
from .view import JVMView


class JavaGateway:
    """A JVM: its classes by name as `jvm`, the Java program's entry point as `entry_point`.

    Other attributes are those of the entry point: `gateway.do_that()` is `gateway.entry_point.do_that()`.
    `java_gateway_server` is Java's server, `java_process` the Popen of the JVM if this program started it.
    """

    entry_point: JavaObject
    java_gateway_server: JavaObject
    jvm: JVMView
    _gateway_client: Any

    def __init__(
        self,
        gateway_client: Any = None,
        auto_field: bool = False,
        python_proxy_port: int = DEFAULT_PYTHON_PROXY_PORT,
        start_callback_server: bool = False,
        auto_convert: bool = False,
        eager_load: bool = False,
        gateway_parameters: Any = None,
        callback_server_parameters: Any = None,
        python_server_entry_point: Any = None,
        java_process: Any = None,
    ) -> None:
        if not gateway_parameters:
            gateway_parameters = GatewayParameters(auto_field=auto_field, auto_convert=auto_convert, eager_load=eager_load)
        self.gateway_parameters = gateway_parameters
        if not callback_server_parameters:
            # Without parameters the callback server starts only on request.
            token = unescape_new_line(gateway_parameters.auth_token)
            callback_server_parameters = CallbackServerParameters(port=python_proxy_port, eager_load=False, auth_token=token)
        self.callback_server_parameters = callback_server_parameters
        for name, given in (("auto_field", auto_field), ("auto_convert", auto_convert), ("eager_load", eager_load)):
            if given:
                deprecated(f"JavaGateway.{name}", "1.0", "GatewayParameters")
        if start_callback_server:
            deprecated("JavaGateway.start_callback_server and python_proxy_port", "1.0", "CallbackServerParameters")
            callback_server_parameters.eager_load = True
        if gateway_client:
            deprecated("JavaGateway.gateway_client", "1.0", "GatewayParameters")
        else:
            gateway_client = self._create_gateway_client()
        self.python_server_entry_point = python_server_entry_point
        self._python_proxy_port = python_proxy_port
        self.gateway_property = self._create_gateway_property()
        self.set_gateway_client(gateway_client)
        self._callback_server: Any = None
        if gateway_parameters.eager_load:
            self._eager_load()
        if callback_server_parameters.eager_load:
            self.start_callback_server(callback_server_parameters)
        self.java_process = java_process

    def _create_gateway_client(self) -> Any:
        return GatewayClient(gateway_parameters=self.gateway_parameters)

    def _create_gateway_property(self) -> Any:
        made = GatewayProperty(
            self.gateway_parameters.auto_field, PythonProxyPool(), self.gateway_parameters.enable_memory_management
        )
        if self.python_server_entry_point:
            made.pool.put(self.python_server_entry_point, ENTRY_POINT_OBJECT_ID)
        return made

    def set_gateway_client(self, gateway_client: Any) -> None:
        """Sets the client. The gateway must not have been used before."""
        gateway_client.converters = INPUT_CONVERTER if self.gateway_parameters.auto_convert else None
        gateway_client.gateway_property = self.gateway_property
        gateway_client.callback_parameters = self.callback_server_parameters
        self._gateway_client = gateway_client
        self.entry_point = JavaObject(ENTRY_POINT_OBJECT_ID, gateway_client)
        self.java_gateway_server = JavaObject(GATEWAY_SERVER_OBJECT_ID, gateway_client)
        self.jvm = JVMView(gateway_client, jvm_name=DEFAULT_JVM_NAME, id=DEFAULT_JVM_ID)

    def __getattr__(self, name: str) -> Any:
        if name == "entry_point":
            raise AttributeError(name)  # the construction of this gateway has failed
        return self.entry_point.__getattr__(name)

    def _eager_load(self) -> None:
        try:
            self.jvm.System.currentTimeMillis()
        except Exception:
            self.shutdown()
            raise

    # --- the callback server -----------------------------------------------------------------------------------

    def get_callback_server(self) -> Any:
        """Returns the callback server, None if it has not been started."""
        return self._callback_server

    def start_callback_server(self, callback_server_parameters: Any = None) -> bool:
        """Starts the callback server; returns False if there is one already. Raises Py4JNetworkError."""
        if self._callback_server:
            return False
        self._callback_server = self._create_callback_server(callback_server_parameters or self.callback_server_parameters)
        try:
            self._callback_server.start()
        except Py4JNetworkError:
            self.shutdown()
            self._callback_server = None
            raise
        return True

    def _create_callback_server(self, callback_server_parameters: Any) -> Any:
        return CallbackServer(
            self.gateway_property.pool, self._gateway_client, callback_server_parameters=callback_server_parameters
        )

    def shutdown_callback_server(self, raise_exception: bool = False) -> None:
        """Shuts the callback server down. Exceptions are logged unless `raise_exception` is set."""
        self._end_callback_server("shutdown", "Exception while shutting down callback server", raise_exception)

    def close_callback_server(self, raise_exception: bool = False) -> None:
        """Closes the connections of the callback server. Exceptions are logged unless `raise_exception` is set."""
        self._end_callback_server("close", "Exception while closing callback server", raise_exception)

    def _end_callback_server(self, operation: str, failure: str, raise_exception: bool) -> None:
        if self._callback_server is None:
            return
        try:
            getattr(self._callback_server, operation)()
        except Exception:
            if raise_exception:
                raise
            logger.info(failure, exc_info=True)

    def restart_callback_server(self) -> None:
        """Shuts the callback server down, and starts a new one."""
        self.shutdown_callback_server()
        self._callback_server = None
        self.start_callback_server(self.callback_server_parameters)

    # --- objects -----------------------------------------------------------------------------------------------

    def new_jvm_view(self, name: str = "custom jvm") -> JVMView:
        """Returns a view with imports of its own. Several may have the same name."""
        java_object = self._gateway_client.dialect.new_view(name)
        return JVMView(gateway_client=self._gateway_client, jvm_name=name, jvm_object=java_object)

    def new_array(self, java_class: Any, *dimensions: int) -> Any:
        """Returns a new array of a class, with one dimension for each length."""
        if len(dimensions) == 0:
            raise Py4JError("new arrays must have at least one dimension")
        return self._gateway_client.dialect.new_array(java_class._fqn, dimensions)

    def detach(self, java_object: Any) -> None:
        """Releases a Java object. That also happens when Python drops its last reference."""
        java_object._detach()

    def help(self, var: Any, pattern: str | None = None, short_name: bool = True, display: bool = True) -> Any:
        """Shows a page about an object, class or method, or returns it: see `gateway_help`."""
        return gateway_help(self._gateway_client, var, pattern, short_name, display)

    # --- life --------------------------------------------------------------------------------------------------

    def shutdown(self, raise_exception: bool = False) -> None:
        """Shuts down Java's gateway and the callback server. Exceptions are logged unless `raise_exception` is set."""
        try:
            self._gateway_client.shutdown_gateway()
        except Exception:
            if raise_exception:
                raise
            logger.info("Exception while shutting down callback server", exc_info=True)
        self.shutdown_callback_server()

    def close(self, keep_callback_server: bool = False, close_callback_server_connections: bool = False) -> None:
        """Closes the connections. The next call opens a new one.

        keep_callback_server: the callback server keeps running; the other argument closes its connections.
        """
        self._gateway_client.close()
        if not keep_callback_server:
            deprecated("JavaGateway.close.keep_callback_server", "1.0", "JavaGateway.shutdown_callback_server")
            self.shutdown_callback_server()
        elif close_callback_server_connections:
            self.close_callback_server()

    @classmethod
    def launch_gateway(
        cls,
        port: int = 0,
        jarpath: str = "",
        classpath: str = "",
        javaopts: Any = (),
        die_on_exit: bool = False,
        redirect_stdout: Any = None,
        redirect_stderr: Any = None,
        daemonize_redirect: bool = True,
        java_path: str | None = "java",
        create_new_process_group: bool = False,
        enable_auth: bool = False,
        cwd: str | None = None,
        use_shell: bool = False,
    ) -> JavaGateway:
        """Starts a JVM, and returns a gateway to it. The arguments are those of the function `launch_gateway`."""
        port, *token, process = launch_gateway(
            port,
            jarpath,
            classpath,
            javaopts,
            die_on_exit,
            redirect_stdout,
            redirect_stderr,
            daemonize_redirect,
            java_path,
            create_new_process_group,
            enable_auth,
            cwd,
            return_proc=True,
            use_shell=use_shell,
        )
        parameters = GatewayParameters(port=port, auth_token=token[0] if token else None)
        return JavaGateway(gateway_parameters=parameters, java_process=process)
