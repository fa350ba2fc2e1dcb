"""Which dialect a client speaks: it asks the server, in Py4J's own protocol, whether there is a better one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from samewire.errors import SamewireError

from .constants import CALL_COMMAND_NAME, END_COMMAND_PART, STATIC_PREFIX, STRING_TYPE, SUCCESS
from .log import logger
from .protocol import unescape_new_line
from .text import TextDialect

if TYPE_CHECKING:
    from samewire.bridge import Gateway

#: A static method of Samewire's jar. Py4J's jar replies with an error: it has no such class.
OFFER = f"{CALL_COMMAND_NAME}{STATIC_PREFIX}io.samewire.py4j.Dialect\noffer\n{END_COMMAND_PART}"

#: What a class that extends a client must not have changed: its commands would go another way.
_WAYS = (
    "send_command",
    "_get_connection",
    "_create_connection",
    "_create_new_connection",
    "_give_back_connection",
    "garbage_collect_object",
)


def negotiated(client: Any) -> Any:
    """Returns the native dialect for a client, None if the server or this program does not want it.

    The environment's SAMEWIRE_PY4J_DIALECT=text keeps to Py4J's protocol, and =port keeps the native dialect to the server's port,
    where it would go to a unix socket and shared memory. Classes of a program's own that send commands their way keep to text, and
    so do gateways whose calls from Java have a time limit, on either side: only text keeps it.
    Raises what `send_command` raises.
    """
    wanted = os.environ.get("SAMEWIRE_PY4J_DIALECT")
    if wanted == "text" or getattr(getattr(client, "callback_parameters", None), "read_timeout", None):
        return None
    for way in _WAYS:
        # Not by the class's module: one of ours may be shown as Py4J's, and a program may add modules to that package.
        function = getattr(type(client), way, TextDialect.call)
        if not getattr(function, "__globals__", {}).get("__name__", "").startswith("samewire.py4j."):
            return None
    answer = client.send_command(OFFER)
    offer = unescape_new_line(answer[2:]) if answer.startswith(SUCCESS + STRING_TYPE) else ""
    offered = _Offer.of(offer)
    if offered is None:
        logger.info("The server at %s:%s has Py4J's protocol alone.", client.address, client.port)
        return None
    gateway = _reached(client, offered, wanted == "port")
    if gateway is None:
        return None
    from .native import NativeDialect

    return NativeDialect(client, gateway, offered.server_id)


class _Offer(NamedTuple):
    """What a server says of its native dialect."""

    server_id: int
    address: str
    token: str

    @classmethod
    def of(cls, text: str) -> _Offer | None:
        """Reads `samewire 1 SERVER ADDRESS TOKEN`; an address may have spaces. None if it is not of that form."""
        words = text.split(" ", 3)
        end = words[-1].rsplit(" ", 1)
        if len(words) != 4 or words[:2] != ["samewire", "1"] or not words[2].isdecimal() or len(end) != 2:
            return None
        return cls(int(words[2]), *end)


def _reached(client: Any, offer: _Offer, by_port: bool) -> Gateway | None:
    """Connects by the unix socket if both are on one machine, else by the port of Py4J's protocol, with TLS if that has it."""
    from samewire.bridge import connect

    timeout = client.gateway_parameters.read_timeout or None
    addresses = [offer.address] if offer.address.startswith("unix:") and not by_port else []
    host = f"[{client.address}]" if ":" in client.address else client.address
    addresses.append(f"{'tcp' if client.ssl_context is None else 'tls'}://{host}:{client.port}")
    for address in addresses:
        try:
            return connect(address, token=offer.token, timeout=timeout, ssl_context=client.ssl_context)
        except (OSError, SamewireError) as error:
            logger.info("The server's bridge at %s is out of reach: %s", address, error)
    logger.info("Py4J's protocol is used with %s:%s.", client.address, client.port)
    return None
