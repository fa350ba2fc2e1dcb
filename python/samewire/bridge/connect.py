"""Connects to a running gateway."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from samewire._native import Session
from samewire.errors import SamewireError

from .gateway import Gateway
from .records import digests

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from socket import socket
    from ssl import SSLContext

    from samewire.limits import Limits

_EXPECTED = "expected unix:PATH, tcp://HOST:PORT or tls://HOST:PORT"

#: Seconds that a TLS connection may take to be made.
_CONNECT = 10.0


def connect(
    address: str,
    *,
    token: str | bytes,
    ssl_context: SSLContext | None = None,
    shared_memory: bool = True,
    waiting: str | tuple[str, int] = "adaptive",
    records: Mapping[type, str] | None = None,
    timeout: float | None = None,
    limits: Limits | None = None,
) -> Gateway:
    """Connects to the gateway at an address. Closing it ends the session, not the JVM.

    address: `unix:PATH`, `tcp://HOST:PORT` or `tls://HOST:PORT`.
    token: the gateway's, 32 bytes or their 64 hexadecimal digits.
    ssl_context: for `tls`; default: the system's certificates, and the host's name checked.
    shared_memory: for `unix`: calls go through shared memory if the gateway is on this machine.
    limits: bounds on messages that are read here, and on the length of those sent; the gateway has its own
        (`GatewayBuilder.limits`).
    The other parameters are those of `launch`.

    Connect only to gateways that you trust to run code in this process: a gateway can call any attribute of the objects
    that are passed to it, and no policy limits it.

    Raises OSError if it cannot connect (of TLS ssl.SSLError, with a note of what to do); SamewireError `misuse` for a
    wrong token or option, `unsupported` for another version of the protocol, `closed` if the server closes the
    connection after the first message.
    """
    secret = _token(token)
    scheme, colon, rest = address.partition(":")
    stream: Callable[[], socket] | None = None
    place: str | tuple[str, int]
    if scheme == "unix" and rest:
        place = address
    elif scheme in ("tcp", "tls") and colon:
        place = _host_and_port(address)
        if scheme == "tls":
            stream = _tls(*place, ssl_context)
    else:
        raise SamewireError("misuse", text=f"address={address!r}: {_EXPECTED}")
    try:
        session = Session(
            place,
            secret,
            limits=limits,
            shared_memory=shared_memory and scheme == "unix",
            waiting=waiting,
            stream=stream,
            records=digests(records or {}),
            timeout=timeout,
        )
    except SamewireError as error:
        if scheme == "tcp" and error.code == "closed":
            raise SamewireError("closed", text=f"{error.text}: if it has TLS, connect to tls://{rest[2:]}") from None
        raise
    return Gateway(session, records=records)


def _host_and_port(address: str) -> tuple[str, int]:
    parts = urlsplit(address)
    try:
        port = parts.port
    except ValueError:
        port = None
    if not parts.hostname or port is None or parts.path or parts.query:
        raise SamewireError("misuse", text=f"address={address!r}: {_EXPECTED}")
    return parts.hostname, port


def _token(token: str | bytes) -> bytes:
    if isinstance(token, bytes):
        return token
    try:
        return bytes.fromhex(token)
    except ValueError:
        raise SamewireError("misuse", text="the token is not hexadecimal: 64 digits, or 32 bytes, are expected") from None


def _tls(host: str, port: int, context: SSLContext | None) -> Callable[[], socket]:
    import socket
    import ssl

    chosen = context or ssl.create_default_context()

    def open_stream() -> socket.socket:
        plain = socket.create_connection((host, port), _CONNECT)
        try:
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            stream = chosen.wrap_socket(plain, server_hostname=host)
        except ssl.SSLCertVerificationError as error:
            plain.close()
            error.add_note("a certificate of one's own: connect(..., ssl_context=ssl.create_default_context(cafile=PATH))")
            raise
        except ssl.SSLError as error:
            plain.close()
            error.add_note(f"if the gateway has no TLS, connect to tcp://{host}:{port}")
            raise
        except BaseException:
            plain.close()
            raise
        stream.settimeout(None)
        return stream

    return open_stream
