"""Connections of asyncio callers: TCP, TLS and unix sockets.

A connection is one caller's at a time, with redis-py's interface: `send_command`, then `read_response`. `shared.py` takes the
transport of a connection that is greeted, and lets all callers use it at once.
"""

from __future__ import annotations

import asyncio
import builtins
import contextlib
import math
import ssl
import warnings
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from samewire._native import pack_command

from ..exceptions import ConnectionError, DataError, RedisError, TimeoutError
from ..observability import disconnected
from ..reader import PushNotification
from ..session.apart import NO_SOCKET, words
from ..session.connecting import Broken, ConnectSteps, TcpSteps, TlsSteps, UnixSteps
from ..session.credentials import Credentials
from ..session.handshake import reason_of_end
from ..session.refusals import tls_failed
from ..session.stand_in import Spoken
from ..session.tls import usable_context
from ..steps import Awaiting, Steps
from .peer_end import peer_end
from .retry import Retry
from .stand_in import StandInTransport
from .stream import NOTHING, Stream, lost


class AbstractConnection(ConnectSteps, Awaiting):
    """A connection that is made when it is first used, and again after it was lost.

    It belongs to the event loop that it was made in.
    """

    _retry_class = Retry

    #: Replies that were asked for and not read.
    due = 0

    _stream: Stream | None = None

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        cls.reads_apart = cls.read_response is not AbstractConnection.read_response

    # --- making it, and letting it go ---

    @abstractmethod
    async def _open(self, loop: asyncio.AbstractEventLoop, factory: Callable[[], asyncio.Protocol]) -> None:
        """Connects a transport to the protocol that `factory` returns."""

    @property
    def address(self) -> str:
        """The server's address, for texts."""
        return self._host_error()

    @property
    def is_connected(self) -> bool:
        """Whether there is a transport that was not closed by either side."""
        return self._stream is not None and self._stream.transport is not None

    @property
    def is_lost(self) -> bool:
        """Whether the connection was lost, and nobody has been told yet."""
        return self._stream is not None and self._stream.transport is None

    def has_ended(self) -> bool:
        """Whether the server has closed the connection, and the event loop may not have noticed."""
        transport = None if self._stream is None else self._stream.transport
        look = None if transport is None else peer_end(transport)
        return look is not None and bool(look())

    @property
    def loop(self) -> asyncio.AbstractEventLoop | None:
        """The event loop that the connection was made in; None if it is not connected."""
        return None if self._stream is None else self._stream.loop

    def _is_made(self) -> bool:
        return self.is_connected

    def _caller(self) -> asyncio.Task[Any] | None:
        return asyncio.current_task()

    def _credentials(self) -> Awaitable[Credentials | None]:
        return self.credentials_async()

    def _exchange(self, commands: Iterable[tuple[Any, ...]]) -> Awaitable[list[Any]]:
        return self.exchange(commands)

    def _cut(self, error: BaseException | None = None) -> Awaitable[None]:
        return self.disconnect(nowait=True, error=error)

    def _make(self, start: float) -> Steps[None]:
        if self._spoken is not None:
            # A subclass that connects in its own way does not know of it.
            self._stream = None
        return super()._make(start)

    def _take(self, opened: Any) -> Broken:
        if self._stream is None:
            self._stand_in()
        return lambda: not self.is_connected

    def _stand_in(self) -> None:
        """Uses what a subclass has connected in its own way."""
        if not (self.reads_apart and hasattr(getattr(self, "_writer", None), "writelines")):
            raise DataError(NO_SOCKET.format(type(self).__name__, "stand-in for one"))
        stream = self._new_stream()
        self._spoken = Spoken()
        stream.connection_made(StandInTransport(self, stream, self._spoken))
        self._stream = stream

    def _new_stream(self) -> Stream:
        loop = asyncio.get_running_loop()
        return Stream(loop, self.encoder.encoding, self.encoder.encoding_errors, self.limits, self.reply_error)

    async def _connect(self) -> None:
        """Opens the transport. A subclass that finds out where to connect to does so here."""
        loop = asyncio.get_running_loop()
        stream = self._new_stream()
        async with asyncio.timeout(self._connect_within()):
            await self._open(loop, lambda: stream)
        self._stream = stream

    def _connect_within(self) -> float | None:
        """Seconds within which the transport must be open; None for no bound."""
        return self.socket_connect_timeout

    async def credentials_async(self) -> Credentials | None:
        """The credentials for the connection that is being made."""
        provider = self.provider()
        return None if provider is None else await provider.get_credentials_async()

    async def exchange(self, commands: Iterable[tuple[Any, ...]], decode: bool | None = None) -> list[Any]:
        """Sends commands and returns their replies, errors as exceptions in their places."""
        commands = list(commands)
        await self.send_packed_command(self.pack_commands(commands), check_health=False)
        self.due += len(commands)
        replies: list[Any] = []
        try:
            while len(replies) < len(commands):
                replies.append(await self._reply(decode))
            return replies
        except ConnectionError as error:
            raise reason_of_end(error, replies) from None
        finally:
            # The traceback of an error among them leads to this frame.
            del replies

    async def _reply(self, decode: bool | None) -> Any:
        try:
            return await self.read_response(disable_decoding=decode is False)
        except RedisError as error:
            if not self.is_connected:
                raise
            return error

    def detach(self) -> asyncio.Transport:
        """Gives away the transport of a connection that has nothing to read; the connection is not connected any more."""
        stream = self._stream
        if self._spoken is None:
            self._stream = None
        if stream is None or stream.transport is None:
            raise lost(f"{self._host_error()} closed the connection", may_have_run=False)
        if stream.is_readable():
            stream.transport.abort()
            raise ConnectionError(f"{self._host_error()} sent a reply to no command")
        return stream.transport

    def attach(self, transport: asyncio.Transport) -> None:
        """Takes back the transport that `detach` has given away."""
        stream = self._new_stream()
        stream.connection_made(transport)
        transport.set_protocol(stream)
        self._stream = stream

    async def disconnect(self, nowait: bool = False, error: BaseException | None = None, **_: Any) -> None:
        """Closes the transport. Returns when it is closed, at once if `nowait` says so."""
        stream, self._stream = self._stream, None
        self._should_reconnect = False
        self.due = 0
        if stream is None or stream.transport is None or stream.loop.is_closed():
            return
        disconnected(self._host_error(), error)
        if stream.loop is not _running_loop():
            stream.loop.call_soon_threadsafe(stream.transport.abort)
            return
        if nowait:
            stream.transport.abort()
            return
        stream.transport.close()
        with contextlib.suppress(asyncio.TimeoutError):
            async with asyncio.timeout(self.socket_connect_timeout):
                await asyncio.shield(stream.closed)

    def abandon(self) -> None:
        """Closes the transport without waiting, where nobody can wait."""
        stream, self._stream = self._stream, None
        if stream is not None and stream.transport is not None and not stream.loop.is_closed():
            stream.loop.call_soon_threadsafe(stream.transport.abort)

    def dropped(self) -> None:
        """Closes the transport of a connection whose owner is gone without closing it, and warns."""
        stream, self._stream = self._stream, None
        self.due = 0
        if stream is not None and stream.transport is not None and not stream.loop.is_closed():
            stream.loop.call_soon_threadsafe(stream.transport.abort)
            warnings.warn(f"a connection to {self.address} was not closed", ResourceWarning, source=self, stacklevel=2)

    # --- commands and replies apart ---

    def pack_command(self, *args: Any) -> list[bytes]:
        """The bytes of a command. A name with blanks (`CONFIG GET`) is several words."""
        if not self.encoder.native:
            args = self.encoder.encoded(args)
        try:
            return [pack_command(words(args))]
        except TypeError as error:
            raise DataError(*error.args) from None

    def pack_commands(self, commands: Iterable[tuple[Any, ...]]) -> list[bytes]:
        """The bytes of several commands."""
        return [b"".join([piece for command in commands for piece in self.pack_command(*command)])]

    async def send_packed_command(self, command: bytes | str | Iterable[bytes], check_health: bool = True) -> None:
        """Sends the bytes of commands, whose replies `read_response` returns."""
        if not self.is_connected:
            await self.connect()
        if check_health:
            await self.check_health()
        stream = self._stream
        if stream is None:
            raise lost(f"the connection to {self._host_error()} was closed while it was made", may_have_run=False)
        for piece in [command] if isinstance(command, str | bytes) else command:
            stream.write(piece.encode() if isinstance(piece, str) else piece)
        try:
            async with asyncio.timeout(self.socket_timeout):
                await stream.drain()
        except builtins.TimeoutError:
            await self.disconnect(nowait=True)
            raise _timeout(f"{self._host_error()} took nothing of a command for {self.socket_timeout} seconds") from None
        except BaseException:
            await self.disconnect(nowait=True)
            raise

    async def send_command(self, *args: Any, **kwargs: Any) -> None:
        """Sends a command, whose reply `read_response` returns."""
        await self.send_packed_command(self.pack_command(*args), check_health=kwargs.get("check_health", True))
        self.due += 1

    async def can_read(self) -> bool:
        """Whether bytes can be read that no caller has asked for, or the connection is closed."""
        await asyncio.sleep(0)
        return self._stream is None or self._stream.is_readable()

    async def can_read_destructive(self) -> bool:
        """Calls `can_read`: this one reads nothing either."""
        return await self.can_read()

    async def read_response(
        self,
        disable_decoding: bool = False,
        timeout: float | None = None,
        *,
        disconnect_on_error: bool = True,
        push_request: bool | None = False,
    ) -> Any:
        """Returns the reply of a command that was sent. Raises an error reply.

        timeout: seconds, then None is returned; `math.inf` waits without a limit; None takes `socket_timeout`, and raises TimeoutError.
        push_request: True returns a push as well; otherwise pushes go to `on_push`.
        """
        reply = await self._next_within(
            self.socket_timeout if timeout is None else None if timeout == math.inf else timeout,
            not disable_decoding and self.encoder.decode_responses,
            disconnect_on_error=disconnect_on_error,
            push_request=push_request,
        )
        if reply is NOTHING:
            if timeout is not None:
                return None
            if disconnect_on_error:
                await self.disconnect(nowait=True)
            raise _timeout(f"no reply from {self._host_error()} within {self.socket_timeout} seconds")
        if isinstance(reply, Exception):
            try:
                raise reply
            finally:
                # The error's traceback leads to this frame.
                del reply
        return reply

    async def reply_within(
        self, seconds: float | None, decode: bool, *, disconnect_on_error: bool = True, push_request: bool | None = False
    ) -> Any:
        """Returns the next reply, an error reply as an exception; NOTHING if it does not come within so many seconds."""
        if not self.reads_apart:
            return await self._next_within(seconds, decode, disconnect_on_error=disconnect_on_error, push_request=push_request)
        if self._stream is None:
            raise lost(f"not connected to {self._host_error()}", may_have_run=True)
        await asyncio.sleep(0)
        now = asyncio.get_running_loop().time
        until = None if seconds is None else now() + seconds
        reply = await self.read_response(timeout=seconds, disconnect_on_error=disconnect_on_error, push_request=push_request)
        # None says that nothing has come. Before the time is over it is a command's null; no push is one.
        nothing = reply is None and (push_request or (until is not None and now() >= until))
        return NOTHING if nothing else reply

    async def _next_within(
        self, seconds: float | None, decode: bool, *, disconnect_on_error: bool, push_request: bool | None
    ) -> Any:
        """The next reply that the stream has: what `read_response` is made of."""
        stream = self._stream
        if stream is None:
            raise lost(f"not connected to {self._host_error()}", may_have_run=True)
        until = None if seconds is None else stream.loop.time() + seconds
        try:
            while True:
                reply = await stream.read(decode, None if until is None else until - stream.loop.time())
                if push_request or not isinstance(reply, PushNotification):
                    break
                if self.on_push is not None:
                    self.on_push(reply)
        except ConnectionError as error:
            await self.disconnect(nowait=True)
            raise lost(f"{error.text} ({self._host_error()})", may_have_run=True) from None
        except BaseException:
            if disconnect_on_error:
                await self.disconnect(nowait=True)
            raise
        if reply is not NOTHING:
            self.healthy()
            if self.due and not isinstance(reply, PushNotification):
                self.due -= 1
        return reply

    async def _ping(self) -> Any:
        await self.send_command("PING", check_health=False)
        return await self.read_response()

    async def refresh(self) -> None:
        """Connects anew if the connection was closed or holds a reply, or belongs to another event loop."""
        if self._should_reconnect or (self.is_connected and await self._is_dirty()):
            await self.disconnect(nowait=True)
        if not self.is_connected:
            # The handshake asks for the newest credentials.
            self._re_auth_token = None
            await self.connect()
        else:
            await self.re_auth()

    async def _is_dirty(self) -> bool:
        """Whether something other than pushes is to be read."""
        stream = self._stream
        if stream is None:
            # A program's own class that connects in its own way.
            return await self.can_read()
        if stream.loop is not asyncio.get_running_loop():
            return True
        while stream.is_readable():
            message = None if stream.transport is None else stream.take(self.encoder.decode_responses)
            if not isinstance(message, PushNotification):
                return True
            if self.on_push is not None:
                self.on_push(message)
        return False

    # --- the rest of redis-py's surface ---

    def getpeername(self) -> str | None:
        """The server's address; None if there is no connection or it has no address."""
        stream = self._stream
        name = None if stream is None or stream.transport is None else stream.transport.get_extra_info("peername")
        return str(name[0]) if isinstance(name, tuple) and name else None

    def set_re_auth_token(self, token: Any) -> None:
        """Keeps a token for `re_auth`."""
        self._re_auth_token = token

    async def re_auth(self) -> None:
        """Authenticates with the kept token, if there is one."""
        token, self._re_auth_token = self._re_auth_token, None
        if token is not None:
            try:
                await self.send_command("AUTH", token.try_get("oid"), token.get_value())
                await self.read_response()
            except RedisError as error:
                # Of the command that the connection is wanted for.
                error.may_have_run = False
                raise


class Connection(TcpSteps, AbstractConnection):
    __doc__ = TcpSteps.__doc__

    async def _open(self, loop: asyncio.AbstractEventLoop, factory: Callable[[], asyncio.Protocol]) -> None:
        transport, _ = await loop.create_connection(factory, self.host, self.port, family=self.socket_type, **self._tls())
        sock = transport.get_extra_info("socket")
        try:
            if sock is not None:
                self._tune(sock)
        except BaseException:
            # The event loop would keep it open.
            transport.abort()
            raise

    def _tls(self) -> dict[str, Any]:
        """What TLS adds to the arguments of `create_connection`."""
        return {}


class SSLConnection(TlsSteps, Connection):
    __doc__ = TlsSteps.__doc__

    async def _open(self, loop: asyncio.AbstractEventLoop, factory: Callable[[], asyncio.Protocol]) -> None:
        try:
            await super()._open(loop, factory)
        except (ssl.SSLError, ConnectionAbortedError) as error:
            # The second is what asyncio says of a handshake that takes too long.
            raise tls_failed(self._host_error(), error, self._handshake_timeout()) from error

    def _tls(self) -> dict[str, Any]:
        return {
            "ssl": usable_context(self.tls, self._host_error()),
            "server_hostname": self.tls.server_hostname or self.host,
            "ssl_handshake_timeout": self._handshake_timeout(),
        }

    def _connect_within(self) -> float | None:
        seconds = super()._connect_within()
        return None if seconds is None else seconds + (self._handshake_timeout() or 0.0)


class UnixDomainSocketConnection(UnixSteps, AbstractConnection):
    __doc__ = UnixSteps.__doc__

    async def _open(self, loop: asyncio.AbstractEventLoop, factory: Callable[[], asyncio.Protocol]) -> None:
        await loop.create_unix_connection(factory, self.path)


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def _timeout(text: str) -> TimeoutError:
    error = TimeoutError(text)
    error.may_have_run = True
    return error
