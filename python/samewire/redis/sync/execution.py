"""How commands are executed on a connection, for clients and pipelines."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..exceptions import ConnectionError, ResponseError, TimeoutError
from ..observability import repeated
from ..rules.blocking import BLOCKING, server_waits
from ..rules.conversion import EMPTY_RESPONSE, NEVER_DECODE, OWN_OPTIONS, converted
from ..rules.repeating import Repeating
from ..session.encoder import Encoder
from .pool import ConnectionPool
from .transport import AbstractConnection

#: The callbacks' own `get` would make upper case of every name.
callback: Callable[[dict[Any, Any], Any], Any] = dict.get


class Execution(Repeating):
    """What clients and pipelines share."""

    connection_pool: ConnectionPool[Any]
    connection: AbstractConnection | None
    response_callbacks: dict[str, Any]
    #: Whether texts of replies are decoded; None for the connections' own choice.
    _decode: bool | None
    #: Whether the pool's connections have only redis-py's methods.
    _foreign = False

    @property
    def _parses(self) -> bool:
        """Whether replies go through `parse_response`: a subclass or an instrumentation has one of its own."""
        made = type(self)
        return self._foreign or made.parse_response is not made._own_parse_response

    #: Encodes texts of commands; None for UTF-8, which the native layer does itself.
    _encodes: Encoder | None = None

    def _encoded(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments with texts in the client's encoding."""
        encoder = self._encodes
        return args if encoder is None else encoder.encoded(args)

    def _conversion(self, args: tuple[Any, ...], options: dict[str, Any]) -> tuple[Any, bool | None]:
        """What converts the reply, and whether its texts are decoded."""
        name = args[0].upper() if isinstance(args[0], str) else args[0]
        convert = callback(self.response_callbacks, name)
        if not options:
            return convert, self._decode
        rest = {name: value for name, value in options.items() if name not in OWN_OPTIONS}
        if rest:
            # A constant is for calls without options.
            convert = functools.partial(convert, **rest) if callable(convert) else None
        return convert, False if NEVER_DECODE in options else self._decode

    def _call(self, connection: AbstractConnection, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Sends a command on a connection and returns its reply."""
        call = self._caller(connection, args, options)
        try:
            return call()
        except (ConnectionError, TimeoutError) as error:
            return self._repeat(connection, args, call, error)
        except ResponseError as error:
            if EMPTY_RESPONSE in options:
                return options[EMPTY_RESPONSE]
            return self._repeat(connection, args, call, error)

    def _caller(self, connection: AbstractConnection, args: tuple[Any, ...], options: dict[str, Any]) -> Callable[[], Any]:
        """What sends a command and returns its reply."""
        if self._parses:

            def apart() -> Any:
                connection.send_command(*args)
                return self.parse_response(connection, args[0], **options)

            return apart
        convert, decode = self._conversion(args, options)
        args = self._encoded(args)
        name = args[0].upper() if isinstance(args[0], str) else args[0]
        if name in BLOCKING:
            seconds = server_waits(name, args)
            if seconds != 0:
                return lambda: connection.call_waiting(args, convert, decode, seconds)
        return lambda: connection.call(args, convert, decode)

    def _repeat(self, connection: AbstractConnection, args: tuple[Any, ...], call: Callable[[], Any], error: Exception) -> Any:
        """Sends a command again after it failed, as `retry` says, if it cannot have run or may be repeated."""
        failed: Exception | None = error

        def attempt() -> Any:
            nonlocal failed
            if failed is not None:
                first, failed = failed, None
                try:
                    raise first
                finally:
                    # The error's traceback leads to this frame.
                    del first
            connection.connect_once()
            return call()

        def safe(error: Exception) -> bool:
            return not getattr(error, "may_have_run", None) or self._may_repeat(args)

        def fail(error: Exception, failures: int) -> None:
            repeated(str(args[0]), failures, error)
            connection.disconnect(error)

        try:
            return connection.retry.call_with_retry(attempt, fail, safe, with_failure_count=True)
        finally:
            del error

    def parse_response(self, connection: AbstractConnection, command_name: str, **options: Any) -> Any:
        """Reads the reply of a command that was sent with `connection.send_command`, and converts it."""
        try:
            reply = connection.read_response(disable_decoding=NEVER_DECODE in options)
        except ResponseError:
            if EMPTY_RESPONSE in options:
                return options[EMPTY_RESPONSE]
            raise
        rest = {name: value for name, value in options.items() if name not in OWN_OPTIONS}
        return converted(reply, self.response_callbacks.get(command_name), rest)

    _own_parse_response = parse_response


def other_encoding(pool: ConnectionPool[Any]) -> Encoder | None:
    """The encoder of a pool whose texts are not UTF-8; None for UTF-8."""
    encoder = pool.get_encoder()
    return None if encoder.native else encoder
