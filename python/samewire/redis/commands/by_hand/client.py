"""Methods on connections that are written by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from samewire.redis.commands.executes import Executes
from samewire.redis.exceptions import DataError
from samewire.redis.typing import EncodableT, KeyT

_TYPES = ("normal", "master", "primary", "slave", "replica", "pubsub")
_REPLIES = ("ON", "OFF", "SKIP")
#: Filters of Valkey 9, also with `not_` before them.
_FILTERS = frozenset("name idle flags lib_name lib_ver db capa ip user addr laddr type id skipme maxage".split())
_NEGATED = frozenset("name flags lib_name lib_ver db capa ip user addr laddr type id".split())


def auth(self: Executes, password: str, username: str | None = None, **kwargs: Any) -> Any:
    """Authenticates the connection (AUTH). A client's own options do this for every connection of its pool."""
    return self.execute_command("AUTH", *(() if username is None else (username,)), password, **kwargs)


def check_type(kind: object) -> object:
    """A type of connections. Raises DataError for what is none."""
    if str(kind).lower() not in _TYPES:
        raise DataError(f"_type must be one of {', '.join(_TYPES)}, not {kind!r}")
    return kind


def _filters(filters: dict[str, Any]) -> list[Any]:
    """Filters of Valkey 9 as they are sent; takes them out of the keywords."""
    pieces: list[Any] = []
    for name in list(filters):
        plain = name.removeprefix("not_")
        if plain in (_NEGATED if name.startswith("not_") else _FILTERS):
            value = filters.pop(name)
            if value is not None:
                word = name.upper().replace("_", "-")
                pieces += (word, *(value if isinstance(value, (list, tuple)) else (value,)))
    return pieces


def client_kill_filter(
    self: Executes,
    _id: int | str | None = None,
    _type: str | None = None,
    addr: str | None = None,
    skipme: bool | None = None,
    laddr: str | None = None,
    user: str | None = None,
    maxage: int | None = None,
    **kwargs: Any,
) -> Any:
    """Kills the connections that match every filter and returns their number (CLIENT KILL).

    Valkey 9 also takes, as keywords, name, idle, flags, lib_name, lib_ver, db, capa, ip, and with `not_` before them the
    opposite: not_type="pubsub".
    """
    pieces: list[Any] = []
    if _type is not None:
        pieces += (b"TYPE", check_type(_type))
    if skipme is not None:
        if not isinstance(skipme, bool):
            raise DataError(f"skipme must be True or False, not {skipme!r}")
        pieces += ("SKIPME", "YES" if skipme else "NO")
    for word, value in (("ID", _id), ("ADDR", addr), ("LADDR", laddr), ("USER", user), ("MAXAGE", maxage)):
        if value is not None:
            pieces += (word, value)
    pieces += _filters(kwargs)
    if not pieces:
        raise DataError("CLIENT KILL needs at least one filter: all are None")
    return self.execute_command("CLIENT KILL", *pieces, **kwargs)


def client_list(self: Executes, _type: str | None = None, client_id: Sequence[EncodableT] = (), **kwargs: Any) -> Any:
    """Returns the fields of each connection (CLIENT LIST).

    Valkey 9 also takes the filters of `client_kill_filter`, as keywords.
    """
    pieces: list[Any] = []
    if _type is not None:
        pieces += (b"TYPE", check_type(_type))
    if not isinstance(client_id, (list, tuple)):
        raise DataError(f"client_id must be a list, not {client_id!r}")
    if client_id:
        pieces += ("ID", *client_id)
    pieces += _filters(kwargs)
    return self.execute_command("CLIENT LIST", *pieces, **kwargs)


def client_pause(self: Executes, timeout: int, all: bool = True, **kwargs: Any) -> Any:
    """Keeps the server from running commands for so many milliseconds; with all=False those that write (CLIENT PAUSE)."""
    if not isinstance(timeout, int):
        raise DataError(f"timeout must be an int of milliseconds, not {timeout!r}")
    return self.execute_command("CLIENT PAUSE", timeout, *(() if all else ("WRITE",)), **kwargs)


def client_reply(self: Executes, reply: Literal["ON", "OFF", "SKIP"], **kwargs: Any) -> Any:
    """Turns replies on this connection off and on (CLIENT REPLY). Without replies no other method returns."""
    if reply not in _REPLIES:
        raise DataError(f"reply must be one of {', '.join(_REPLIES)}, not {reply!r}")
    return self.execute_command("CLIENT REPLY", reply, **kwargs)


def client_tracking(
    self: Executes,
    on: bool = True,
    clientid: int | None = None,
    prefix: Sequence[KeyT] = (),
    bcast: bool = False,
    optin: bool = False,
    optout: bool = False,
    noloop: bool = False,
    **kwargs: Any,
) -> Any:
    """Turns the tracking of keys that this connection reads on or off (CLIENT TRACKING)."""
    if prefix and not bcast:
        raise DataError("prefix needs bcast=True")
    pieces: list[Any] = ["ON" if on else "OFF"]
    if clientid is not None:
        pieces += ("REDIRECT", clientid)
    for one in prefix:
        pieces += ("PREFIX", one)
    flags = {"BCAST": bcast, "OPTIN": optin, "OPTOUT": optout, "NOLOOP": noloop}
    pieces += (word for word, wanted in flags.items() if wanted)
    return self.execute_command("CLIENT TRACKING", *pieces, **kwargs)


def client_tracking_on(
    self: Executes,
    clientid: int | None = None,
    prefix: Sequence[KeyT] = (),
    bcast: bool = False,
    optin: bool = False,
    optout: bool = False,
    noloop: bool = False,
) -> Any:
    """Turns the tracking of keys that this connection reads on (CLIENT TRACKING)."""
    return client_tracking(self, True, clientid, prefix, bcast, optin, optout, noloop)


def client_tracking_off(
    self: Executes,
    clientid: int | None = None,
    prefix: Sequence[KeyT] = (),
    bcast: bool = False,
    optin: bool = False,
    optout: bool = False,
    noloop: bool = False,
) -> Any:
    """Turns the tracking of keys that this connection reads off (CLIENT TRACKING)."""
    return client_tracking(self, False, clientid, prefix, bcast, optin, optout, noloop)
