"""Conversions of replies outside the native layer, and the options of `execute_command` that are not theirs."""

from __future__ import annotations

from typing import Any

from samewire._native import KEEP, OK

#: Options of `execute_command` that are not the conversion's: the reply stays bytes; what stands for an error reply; keys; how
#: many sentinels are asked, and what is returned of their replies.
NEVER_DECODE = "NEVER_DECODE"
EMPTY_RESPONSE = "EMPTY_RESPONSE"
OWN_OPTIONS = frozenset({NEVER_DECODE, EMPTY_RESPONSE, "keys", "once", "return_responses"})


def converted(reply: Any, convert: Any, options: dict[str, Any]) -> Any:
    """A reply, converted as a native call would."""
    if convert is None or convert == KEEP:
        return reply
    if callable(convert):
        return convert(reply, **options)
    if options:
        # A constant is for calls without options.
        return reply
    if convert == OK:
        return True if reply in (b"OK", "OK") else reply
    return reply == 1 if isinstance(reply, int) else reply
