"""What a client says first on a new connection, and how it judges the replies. No I/O: a generator.

All commands go out together: one round trip, or two where the server refuses HELLO (then RESP2 is spoken) or AUTH with a
user's name (then the password alone is sent, for servers before 6).
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..exceptions import (
    AuthenticationError,
    AuthenticationWrongNumberOfArgsError,
    ConnectionError,
    RedisError,
    ResponseError,
)
from .credentials import Credentials
from .options import ConnectionOptions

Command = tuple[Any, ...]

#: Yields commands to send together, and is sent their replies: errors as exceptions in their places.
Steps = Generator[list[Command], Sequence[object], "Greeted"]


@dataclass(frozen=True, slots=True)
class Greeted:
    """What is known of the server: the protocol it speaks, and what it replied to HELLO (None with RESP2)."""

    protocol: int
    metadata: Mapping[Any, Any] | None


def handshake(options: ConnectionOptions, credentials: Credentials | None) -> Steps:
    """Yields the commands of a new connection and returns what is known of the server.

    Raises AuthenticationError if the server refuses the credentials, ConnectionError or its reply's error if it refuses the
    database, the client's name or one of `setup_commands`. It may refuse CLIENT SETINFO: old servers do.
    """
    rest = following(options)
    if options.protocol == 3:
        hello: Command = ("HELLO", 3)
        if credentials is not None:
            hello += ("AUTH", *(("default", *credentials) if len(credentials) == 1 else credentials))
        replies = yield [hello, *(command for command, _ in rest)]
        greeting = replies[0]
        if not isinstance(greeting, Exception):
            metadata = pairs(greeting)
            if (metadata.get("proto") or metadata.get(b"proto")) != 3:
                raise ConnectionError("Invalid RESP version")
            judge(rest, replies[1:])
            return Greeted(3, metadata)
        if not unknown(greeting):
            raise greeting
    yield from resp2(credentials, rest)
    return Greeted(2, None)


def resp2(credentials: Credentials | None, rest: list[tuple[Command, str | None]]) -> Steps:
    """Authenticates and sends the first commands with RESP2, which needs no HELLO."""
    first: list[Command] = [] if credentials is None else [("AUTH", *credentials)]
    commands = [*first, *(command for command, _ in rest)]
    replies = (yield commands) if commands else ()
    if credentials is not None and len(credentials) > 1 and isinstance(replies[0], AuthenticationWrongNumberOfArgsError):
        replies = yield [("AUTH", credentials[-1]), *(command for command, _ in rest)]
    if first:
        if isinstance(replies[0], Exception):
            raise replies[0]
        if not accepted(replies[0]):
            raise AuthenticationError("Invalid Username or Password")
    judge(rest, replies[len(first) :])
    return Greeted(2, None)


def following(options: ConnectionOptions) -> list[tuple[Command, str | None]]:
    """The commands after HELLO or AUTH, each with what is said if its reply is not OK; None where any reply will do."""
    rest: list[tuple[Command, str | None]] = []
    if options.client_name:
        rest.append((("CLIENT", "SETNAME", options.client_name), "Error setting client name"))
    info = options.driver_info
    if info is not None and info.formatted_name:
        rest.append((("CLIENT", "SETINFO", "LIB-NAME", info.formatted_name), None))
    if info is not None and info.lib_version:
        rest.append((("CLIENT", "SETINFO", "LIB-VER", info.lib_version), None))
    if options.db:
        rest.append((("SELECT", options.db), "Invalid Database"))
    rest.extend((command, f"{command[0]} was refused") for command in options.setup_commands)
    return rest


def judge(rest: list[tuple[Command, str | None]], replies: Sequence[object]) -> None:
    """Raises for the first reply that is not what its command needs."""
    for (_, refusal), reply in zip(rest, replies, strict=True):
        if refusal is None:
            if isinstance(reply, Exception) and not isinstance(reply, ResponseError):
                raise reply
        elif isinstance(reply, Exception):
            raise reply
        elif not accepted(reply):
            raise ConnectionError(refusal)


def accepted(reply: object) -> bool:
    """Whether a status is OK."""
    return reply in (b"OK", "OK")


def unknown(error: RedisError | object) -> bool:
    """Whether a server does not know HELLO or RESP3, rather than the credentials."""
    if not isinstance(error, ResponseError):
        return False
    text = str(error).lower()
    return "unknown command" in text or "noproto" in text or "unsupported protocol" in text


def reason_of_end(error: RedisError, replies: Sequence[object]) -> Exception:
    """The error of a connection that ended during the greeting, after so many replies: what the server said before it closed, as one
    does that has `maxclients` connections or is in protected mode, else `error`."""
    first = replies[0] if replies else None
    return first if isinstance(first, Exception) and not unknown(first) else error


def pairs(greeting: object) -> Mapping[Any, Any]:
    """HELLO's reply as a mapping: some proxies send it as a flat list."""
    if isinstance(greeting, Mapping):
        return greeting
    if isinstance(greeting, list):
        return dict(zip(greeting[::2], greeting[1::2], strict=False))
    raise ConnectionError(f"HELLO was answered with {greeting!r:.100}: expected a map")
