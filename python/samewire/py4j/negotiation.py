"""Which dialect a client speaks: it asks the server, in Py4J's own protocol, whether there is a better one."""

from __future__ import annotations

import os
from typing import Any

from samewire.errors import SamewireError

from .constants import CALL_COMMAND_NAME, END_COMMAND_PART, STATIC_PREFIX, STRING_TYPE, SUCCESS
from .log import logger
from .protocol import unescape_new_line

#: A static method of Samewire's jar. Py4J's answers with an error that there is no such class.
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

    SAMEWIRE_PY4J_DIALECT=text keeps to Py4J's protocol. So do clients with TLS, whose server may be anywhere, and classes of a
    program's own that send commands their way. Raises what `send_command` raises.
    """
    if os.environ.get("SAMEWIRE_PY4J_DIALECT") == "text" or client.ssl_context is not None:
        return None
    for base in type(client).__mro__:
        if not base.__module__.startswith(("samewire.py4j.", "py4j.")) and any(way in vars(base) for way in _WAYS):
            return None
    answer = client.send_command(OFFER)
    words = unescape_new_line(answer[2:]).split() if answer.startswith(SUCCESS + STRING_TYPE) else []
    if len(words) != 5 or words[:2] != ["samewire", "1"]:
        logger.info("The server at %s:%s has Py4J's protocol alone.", client.address, client.port)
        return None
    from samewire.bridge import connect

    from .native import NativeDialect

    try:
        gateway = connect(words[3], token=words[4], timeout=client.gateway_parameters.read_timeout or None)
    except (OSError, SamewireError) as error:
        logger.info("The server's bridge at %s is out of reach, Py4J's protocol is used: %s", words[3], error)
        return None
    return NativeDialect(client, gateway, int(words[2]))
