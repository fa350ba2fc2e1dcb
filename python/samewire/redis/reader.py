"""Replies from bytes that come in pieces, with the interface of hiredis-py.

`install_as_hiredis()` puts it under the name `hiredis`, so that redis-py runs on it.
"""

from __future__ import annotations

import sys
from types import ModuleType


class HiredisError(Exception):
    """What this module raises."""


class ProtocolError(HiredisError):
    """The bytes are not RESP, or exceed a limit."""


class ReplyError(HiredisError):
    """An error that the server replied with."""


class PushNotification(list[object]):
    """A push of RESP3: out-of-band data. Its type tells it apart from a reply that is a list."""


from samewire._native import Reader, pack_command  # noqa: E402 (the extension module takes the classes above)

__all__ = ["HiredisError", "ProtocolError", "PushNotification", "Reader", "ReplyError", "install_as_hiredis", "pack_command"]

#: The version of hiredis-py whose interface this is. redis-py looks at it.
HIREDIS_VERSION = "3.5.0"


def install_as_hiredis() -> ModuleType:
    """Makes `import hiredis` find this module's names, in this process, and returns that module.

    Call it before anything imports `hiredis` or `redis`. Raises RuntimeError if `hiredis` has been imported already.
    """
    present = sys.modules.get("hiredis")
    if present is not None:
        if getattr(present, "Reader", None) is Reader:
            return present
        raise RuntimeError("hiredis has been imported already: call install_as_hiredis() before redis and hiredis are imported")
    module = ModuleType("hiredis", __doc__)
    for name in ("HiredisError", "ProtocolError", "PushNotification", "Reader", "ReplyError", "pack_command"):
        setattr(module, name, globals()[name])
    module.__dict__.update(__version__=HIREDIS_VERSION, __all__=[name for name in __all__ if name != "install_as_hiredis"])
    sys.modules["hiredis"] = module
    return module
