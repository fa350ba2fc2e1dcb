"""TLS by a connection's options: redis-py's `ssl_*` keywords, or an SSLContext. Python's own `ssl` does the rest."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Iterable
from functools import cache, reduce
from operator import or_
from typing import Any

from ..exceptions import RedisError, TlsError
from .apart import wait_for

#: The most bytes of a program that a record of TLS has.
RECORD_BYTES = 1 << 14

REQUIREMENTS = {"none": ssl.CERT_NONE, "optional": ssl.CERT_OPTIONAL, "required": ssl.CERT_REQUIRED}


def verify_flags(value: str) -> list[ssl.VerifyFlags]:
    """The flags of a text like `[VERIFY_X509_STRICT, VERIFY_X509_PARTIAL_CHAIN]`. Raises ValueError for an unknown one."""
    names = [name.strip() for name in value.replace("[", "").replace("]", "").split(",")]
    for name in names:
        if name not in ssl.VerifyFlags.__members__:
            raise ValueError(f"{name!r} is no flag of ssl.VerifyFlags")
    return [ssl.VerifyFlags[name] for name in names]


class TlsOptions:
    """The options of TLS as attributes, named as redis-py has them.

    ssl_context: used as it is; the other options are then ignored, except `ssl_server_hostname`.
    ssl_server_hostname: the name that the server's certificate must have, and that it is asked for; the host if None.
    """

    def __init__(
        self,
        ssl_keyfile: str | None = None,
        ssl_certfile: str | None = None,
        ssl_cert_reqs: str | ssl.VerifyMode | None = "required",
        ssl_include_verify_flags: Iterable[ssl.VerifyFlags] | None = None,
        ssl_exclude_verify_flags: Iterable[ssl.VerifyFlags] | None = None,
        ssl_ca_certs: str | None = None,
        ssl_ca_data: str | bytes | None = None,
        ssl_check_hostname: bool = True,
        ssl_ca_path: str | None = None,
        ssl_password: str | None = None,
        ssl_min_version: ssl.TLSVersion | None = None,
        ssl_ciphers: str | None = None,
        ssl_context: ssl.SSLContext | None = None,
        ssl_server_hostname: str | None = None,
        ssl_validate_ocsp: bool = False,
        ssl_validate_ocsp_stapled: bool = False,
        ssl_ocsp_context: Any = None,
        ssl_ocsp_expected_cert: str | None = None,
    ) -> None:
        if ssl_validate_ocsp or ssl_validate_ocsp_stapled or ssl_ocsp_context or ssl_ocsp_expected_cert:
            raise RedisError(
                "OCSP is not supported: leave ssl_validate_ocsp and ssl_ocsp_* out, and pass an ssl_context that judges"
                " certificates as you need it"
            )
        if ssl_keyfile and not ssl_certfile:
            raise RedisError("ssl_keyfile needs ssl_certfile: the certificate that the key belongs to")
        if ssl_cert_reqs is None:
            ssl_cert_reqs = ssl.CERT_NONE
        elif isinstance(ssl_cert_reqs, str):
            if ssl_cert_reqs not in REQUIREMENTS:
                raise RedisError(
                    f"ssl_cert_reqs is {ssl_cert_reqs!r}: expected one of {', '.join(REQUIREMENTS)}, or an ssl.VerifyMode"
                )
            ssl_cert_reqs = REQUIREMENTS[ssl_cert_reqs]
        self.keyfile = ssl_keyfile
        self.certfile = ssl_certfile
        self.cert_reqs = ssl_cert_reqs
        self.ssl_include_verify_flags = ssl_include_verify_flags
        self.ssl_exclude_verify_flags = ssl_exclude_verify_flags
        self.ca_certs = ssl_ca_certs
        self.ca_data = ssl_ca_data
        self.ca_path = ssl_ca_path
        self.check_hostname = bool(ssl_check_hostname) and self.cert_reqs != ssl.CERT_NONE
        self.certificate_password = ssl_password
        self.ssl_min_version = ssl_min_version
        self.ssl_ciphers = ssl_ciphers
        self.server_hostname = ssl_server_hostname
        self._context = ssl_context

    def context(self) -> ssl.SSLContext:
        """The context of these options, made once."""
        if self._context is None:
            self._context = self._made()
        return self._context

    def _made(self) -> ssl.SSLContext:
        context = ssl.create_default_context()
        context.check_hostname = self.check_hostname
        context.verify_mode = self.cert_reqs
        included = reduce(or_, self.ssl_include_verify_flags or (), context.verify_flags)
        context.verify_flags = included & ~reduce(or_, self.ssl_exclude_verify_flags or (), ssl.VerifyFlags(0))
        if self.certfile:
            context.load_cert_chain(self.certfile, self.keyfile, self.certificate_password)
        trusted = (self.ca_certs, self.ca_path, self.ca_data)
        if trusted != (None, None, None):
            context.load_verify_locations(*trusted)
        if self.ssl_min_version is not None:
            context.minimum_version = ssl.TLSVersion(self.ssl_min_version)
        if self.ssl_ciphers:
            context.set_ciphers(self.ssl_ciphers)
        return context


def usable_context(options: TlsOptions, address: str) -> ssl.SSLContext:
    """The context of the options. Raises TlsError if they cannot be used: a file is missing, or not what it should be."""
    try:
        return options.context()
    except (OSError, ValueError) as error:
        raise TlsError(
            f"the TLS options for {address} cannot be used: {error}: check ssl_certfile, ssl_keyfile, ssl_password, ssl_ca_certs,"
            " ssl_ca_path, ssl_ca_data and ssl_ciphers"
        ) from error


class InRecords:
    """What a class of TLS sockets is given besides: a `send` that hands over one record at most.

    Of a longer piece OpenSSL sends some records, and says that it has sent nothing while the kernel does not take the next
    one. The server runs the commands in these, and nobody would know that it does.
    """

    def send(self, data: bytes | bytearray | memoryview, *flags: int) -> int:
        """Sends the first bytes, and returns how many."""
        sent: int = super().send(memoryview(data)[:RECORD_BYTES], *flags)  # type: ignore[misc]
        return sent


@cache
def in_records(kind: Any) -> Any:
    """The class of sockets that are of a class, which may be a program's own, and send records."""
    return type(kind.__name__, (InRecords, kind), {})


def wrapped(context: ssl.SSLContext, sock: socket.socket, host: str, seconds: float | None) -> ssl.SSLSocket:
    """The socket with TLS, after a handshake that takes at most `seconds` in all; None for no bound."""
    until = None if seconds is None else time.monotonic() + seconds
    made = context.wrap_socket(sock, server_hostname=host, do_handshake_on_connect=False)
    try:
        made.settimeout(0.0)
        while True:
            try:
                made.do_handshake()
                break
            except ssl.SSLWantReadError:
                write = False
            except ssl.SSLWantWriteError:
                write = True
            left = None if until is None else until - time.monotonic()
            if (left is not None and left <= 0) or not wait_for(made, write, left):
                raise TimeoutError("the TLS handshake timed out")
        made.settimeout(seconds)
        kind: Any = type(made)
        made.__class__ = in_records(kind)
    except BaseException:
        made.close()
        raise
    return made


#: The names of the options.
TLS_KEYWORDS = frozenset(TlsOptions.__init__.__annotations__) - {"return"}
