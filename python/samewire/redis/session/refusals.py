"""The errors of connects that failed: what was tried, what came, and what to do."""

from __future__ import annotations

import builtins
import ssl
from collections.abc import Sequence

from ..exceptions import ConnectionError, InvalidResponse, RedisError, TimeoutError, TlsError, TlsTimeoutError


def refusal(address: str, error: BaseException) -> str:
    """The text of a connect that failed."""
    if not error.args:
        return f"Error connecting to {address}."
    if len(error.args) == 1:
        return f"Error {error.args[0]} connecting to {address}."
    return f"Error {error.args[0]} connecting to {address}. {error.args[1]}."


def not_connected(address: str, error: OSError, text: str) -> RedisError:
    """The error of a socket that could not be connected. text: what its connection says of the error."""
    if isinstance(error, builtins.TimeoutError):
        late = f"Timeout connecting to server {address}: check the address, or set a longer socket_connect_timeout"
        return failure(TimeoutError, late, False)
    return failure(ConnectionError, text, False)


def tls_failed(address: str, error: OSError, seconds: float | None) -> OSError | RedisError:
    """The error of a TLS handshake that failed; the error itself if the connection was lost, and may be made again."""
    if isinstance(error, builtins.TimeoutError | ConnectionAbortedError):
        within = "" if seconds is None else f" within {seconds} seconds"
        return TlsTimeoutError(
            f"Timeout connecting to server {address}: no reply to the TLS handshake{within}: if the port has no TLS, leave out"
            " ssl=True (use redis:// instead of rediss://)"
        )
    if isinstance(error, ssl.SSLCertVerificationError):
        return TlsError(
            f"certificate verify failed: {error.verify_message} ([SSL: {error.reason}], {address}): pass the CA's certificates as"
            " ssl_ca_certs, or check the host's name"
        )
    if isinstance(error, ssl.SSLEOFError) or not isinstance(error, ssl.SSLError):
        return error
    if error.reason in ("WRONG_VERSION_NUMBER", "PACKET_LENGTH_TOO_LONG", "RECORD_LAYER_FAILURE", "HTTP_REQUEST"):
        return TlsError(
            f"{address} did not reply with TLS ({error.reason}): if the port has no TLS, leave out ssl=True (use redis:// instead"
            " of rediss://)"
        )
    return TlsError(f"the TLS handshake with {address} failed: {error}")


def named(args: Sequence[object]) -> str:
    """A command's name, for texts: its arguments may be secret, and long."""
    name = args[0]
    return name.decode("utf-8", "replace") if isinstance(name, bytes) else str(name)


def reword(error: RedisError, text: str) -> None:
    """Gives an error another text."""
    error.args = (text, *error.args[1:])
    error.text = text


def told_for(error: RedisError, what: str) -> RedisError:
    """The error of a command that timed out, with the command's name in its text."""
    if isinstance(error, TimeoutError) and not error.text.startswith(f"{what}: "):
        reword(error, f"{what}: {error.text}")
    return error


def failure(kind: type[RedisError], text: str, may_have_run: bool) -> RedisError:
    """An error that tells whether a command may have run."""
    error = kind(text)
    error.may_have_run = may_have_run
    return error


#: What is said of a server that does not greet.
SPEAKS_TLS = ": if the port expects TLS, use ssl=True (rediss:// instead of redis://)"


def ungreeted(error: RedisError, tls: bool) -> None:
    """Says what may be wrong where a server closed the connection in place of a greeting, or sent what is not RESP."""
    lost = type(error) is ConnectionError and "closed the connection" in error.text
    if not tls and (lost or (isinstance(error, InvalidResponse) and error.code == "malformed")) and SPEAKS_TLS not in error.text:
        reword(error, error.text + SPEAKS_TLS)
