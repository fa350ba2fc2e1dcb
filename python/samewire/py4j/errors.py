"""Py4J's exceptions. `protocol` has them."""

from __future__ import annotations

from typing import Any

from .constants import END_COMMAND_PART, EXCEPTION_COMMAND_NAME, REFERENCE_TYPE


class Py4JError(Exception):
    """A call failed. `cause` is the exception behind it, or None."""

    def __init__(self, args: Any = None, cause: BaseException | None = None) -> None:
        super().__init__(args)
        self.cause = cause


class Py4JAuthenticationError(Py4JError):
    """A connection's token was refused."""


class Py4JNetworkError(Py4JError):
    """A connection failed. `when` is `on_send`, `on_receive` or `empty_response`, or None."""

    def __init__(self, args: Any = None, cause: BaseException | None = None, when: str | None = None) -> None:
        super().__init__(args, cause)
        self.when = when


class Py4JJavaError(Py4JError):
    """Java threw an exception: `java_exception`. The text has Java's stack trace, which is read on demand."""

    def __init__(self, msg: str, java_exception: Any) -> None:
        Exception.__init__(self, msg, java_exception)
        self.cause = None
        self.errmsg = msg
        self.java_exception = java_exception

    @property
    def exception_cmd(self) -> str:
        """The command of the text protocol for the stack trace."""
        return f"{EXCEPTION_COMMAND_NAME}{REFERENCE_TYPE}{self.java_exception._target_id}\n{END_COMMAND_PART}"

    def __str__(self) -> str:
        try:
            trace = self.java_exception._gateway_client.dialect.stack_trace(self)
        except Py4JNetworkError:
            raise
        except Py4JError as failed:  # the exception's own toString threw
            trace = f"its text cannot be read: {failed}"
        return f"{self.errmsg}: {trace}"
