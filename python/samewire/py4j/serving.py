"""What Java asks of Python on a connection: to call an object, or to forget one."""

from __future__ import annotations

import logging
import traceback
from typing import Any

from . import constants as proto
from .errors import Py4JAuthenticationError, Py4JJavaError
from .log import logger
from .pool import _garbage_collect_proxy
from .protocol import get_command_part, get_return_value, smart_decode


def read_line(stream: Any) -> str:
    """Returns a line without its end."""
    return smart_decode(stream.readline())[:-1]


def do_client_auth(command: str, input_stream: Any, sock: Any, auth_token: str | None) -> bool:
    """Checks the first command of a connection: it must be that of authentication, and have the token.

    Raises Py4JAuthenticationError.
    """
    try:
        if command != proto.AUTH_COMMAND_NAME:
            raise Py4JAuthenticationError(f"Expected {proto.AUTH_COMMAND_NAME}, received {command}.")
        token = read_line(input_stream)
        input_stream.readline()  # the mark of the end
        if token != auth_token:
            sock.sendall(proto.ERROR_RETURN_MESSAGE.encode("utf-8"))
            raise Py4JAuthenticationError("Client authentication failed.")
        sock.sendall(proto.OUTPUT_VOID_COMMAND.encode("utf-8"))
    except Py4JAuthenticationError:
        raise
    except Exception as e:
        logger.exception("An exception occurred while trying to authenticate a connection")
        raise Py4JAuthenticationError(cause=e) from e
    return True


def answer_to(command: str, object_id: str, stream: Any, pool: Any, client: Any, parameters: Any) -> str:
    """Does what a command says, and returns the answer to it."""
    if command == proto.CALL_PROXY_COMMAND_NAME:
        return call_proxy(object_id, stream, pool, client, parameters)
    if command == proto.GARBAGE_COLLECT_PROXY_COMMAND_NAME:
        stream.readline()
        _garbage_collect_proxy(pool, object_id)
        return proto.SUCCESS_RETURN_MESSAGE
    # The connection is of no use from here on; the answer keeps Java from waiting.
    logger.error("Unknown command %s", command)
    return proto.ERROR_RETURN_MESSAGE


def call_proxy(object_id: str, stream: Any, pool: Any, client: Any, parameters: Any) -> str:
    """Calls a method of a Python object, and returns its result, or its exception, as an answer."""
    method = read_line(stream)
    try:
        # The arguments are read in any case: else the next command would begin in their midst.
        arguments = read_arguments(stream, client)
        if object_id not in pool:
            return proto.RETURN_MESSAGE + proto.ERROR + get_command_part("Object ID unknown", pool)
        result = getattr(pool[object_id], method)(*arguments)
        return proto.RETURN_MESSAGE + proto.SUCCESS + get_command_part(result, pool)
    except Exception as e:
        logger.exception("There was an exception while executing the Python Proxy on the Python Side.")
        reason: Any = traceback.format_exc()
        if parameters.propagate_java_exceptions and isinstance(e, Py4JJavaError):
            reason = e.java_exception
        return proto.RETURN_MESSAGE + proto.ERROR + get_command_part(reason, pool)


def read_arguments(stream: Any, client: Any) -> list[Any]:
    """Returns the arguments of a call."""
    arguments = []
    while (line := read_line(stream)) != proto.END:
        arguments.append(get_return_value(proto.SUCCESS + line, client))
    return arguments


def serve(connection: Any, stream: Any, sock: Any, token: str | None, log: logging.Logger) -> bool:
    """Answers commands until the connection ends; returns whether it is to be reset.

    connection: has `answer(command, object_id)`. token: what the first command must give, None for no such command.
    """
    authenticated = token is None
    try:
        while True:
            command = read_line(stream)
            if not authenticated:
                authenticated = do_client_auth(command, stream, sock, token)
                continue
            object_id = read_line(stream)
            if log.isEnabledFor(logging.INFO):
                log.info("Received command %s on object id %s", command, object_id)
            if not object_id.strip():
                return False
            sock.sendall(connection.answer(command, object_id).encode("utf-8"))
    except Py4JAuthenticationError:
        log.exception("Could not authenticate connection.")
        return True
    except TimeoutError:
        log.info("Timeout while waiting for a message", exc_info=True)
        return True
    except Exception:
        log.info("Error while waiting for a message", exc_info=True)
        return False
